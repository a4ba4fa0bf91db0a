// `Changes`: the files with open changes, above the composer; `ChangeSet`: those of one answer, in its message.
import { useRef } from 'preact/hooks'
import type { PartOf } from '../../protocol/conversation.ts'
import { type ChangedFile, openChanges } from '../state/changedFiles.ts'
import { type DistinctName, distinctNames } from '../state/distinctNames.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon, type IconName } from './icon.tsx'
import { useSteadyPresses } from './useSteadyPresses.ts'
import { useWords } from './wordsContext.ts'

export function Changes({ state, store }: { state: PageState; store: Store }) {
  const files = openChanges(state.conversation)
  return files.length === 0 ? null : <OpenChanges files={files} store={store} />
}

function OpenChanges({ files, store }: { files: readonly ChangedFile[]; store: Store }) {
  const words = useWords()
  const list = useRef<HTMLDivElement>(null)
  const names = distinctNames(files.map(({ uri }) => uri))
  return (
    <div class="changes" ref={list} {...useSteadyPresses(list)}>
      <ul class="change-list" aria-label={words.of('changes')}>
        {files.map(file => (
          <li key={file.uri} class="change">
            <FileName file={file} shown={names.get(file.uri)} />
            <ReviewButton
              icon="diff"
              label={words.of('openDiff')}
              onClick={() => store.reviewChange('diff', { uri: file.uri })}
            />
            <ReviewButton
              icon="done"
              label={words.of('keep')}
              onClick={() => store.reviewChange('keep', { uri: file.uri })}
            />
            <ReviewButton
              icon="undo"
              label={words.of('undo')}
              onClick={() => store.reviewChange('undo', { uri: file.uri })}
            />
          </li>
        ))}
      </ul>
      <div class="change-all">
        <button type="button" class="quiet" onClick={() => store.reviewChange('keep')}>
          {words.of('keepAll')}
        </button>
        <button type="button" class="quiet" onClick={() => store.reviewChange('undo')}>
          {words.of('undoAll')}
        </button>
      </div>
    </div>
  )
}

const reviews = {
  open: undefined,
  kept: 'changeKept',
  undone: 'changeUndone',
  'partly-undone': 'changePartlyUndone',
  'may-be-others': 'changeMayBeOthers',
} as const

interface ChangeSetProps {
  part: PartOf<'change-set'>
  turn: string
  store: Store
}

export function ChangeSet({ part: { files }, turn, store }: ChangeSetProps) {
  const words = useWords()
  const isOpen = files.some(({ review }) => review === 'open')
  const names = distinctNames(files.map(({ uri }) => uri))
  return (
    <div class="change-set">
      <ul class="change-list" aria-label={words.of('changesOfAnswer')}>
        {files.map(file => {
          const review = reviews[file.review]
          return (
            <li key={file.uri} class="change">
              <FileName file={file} shown={names.get(file.uri)} />
              {review && <span class="muted small">{words.of(review)}</span>}
              {!review && (
                <ReviewButton
                  icon="diff"
                  label={words.of('openDiff')}
                  onClick={() => store.reviewChange('diff', { uri: file.uri })}
                />
              )}
            </li>
          )
        })}
      </ul>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div class="change-all" role="group" aria-label={words.of('changesOfAnswer')}>
          {turnActions.map(([action, name]) => (
            <button key={action} type="button" class="quiet" onClick={() => store.reviewChange(action, { turn })}>
              {words.of(name)}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

const turnActions = [
  ['diff', 'reviewTurn'],
  ['keep', 'keep'],
  ['undo', 'undo'],
] as const

function FileName({
  file: { addedLines, removedLines },
  shown,
}: {
  file: ChangedFile
  shown: DistinctName | undefined
}) {
  return (
    <span class="change-name" title={shown?.path}>
      <span class="change-file">{shown?.name}</span>
      {shown?.folder !== undefined && <span class="change-folder muted small">{shown.folder}</span>}{' '}
      <span class="change-added">+{addedLines}</span> <span class="change-removed">−{removedLines}</span>
    </span>
  )
}

function ReviewButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
