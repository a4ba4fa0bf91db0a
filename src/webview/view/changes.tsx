// `Changes`: the files with open changes, above the composer; `ChangeSet`: those of one answer, in its message.
import { sanitizeLine } from '../../base/text.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { type ChangedFile, openChanges } from '../state/changedFiles.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon, type IconName } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function Changes({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const files = openChanges(state.conversation)
  if (files.length === 0) return null
  return (
    <div class="changes">
      <ul class="change-list" aria-label={words.of('changes')}>
        {files.map(file => (
          <li key={file.uri} class="change">
            <FileName file={file} />
            <ReviewButton
              icon="diff"
              label={words.of('openDiff')}
              onClick={() => store.reviewChange('diff', file.uri)}
            />
            <ReviewButton icon="done" label={words.of('keep')} onClick={() => store.reviewChange('keep', file.uri)} />
            <ReviewButton icon="undo" label={words.of('undo')} onClick={() => store.reviewChange('undo', file.uri)} />
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
} as const

export function ChangeSet({ part: { files }, store }: { part: PartOf<'change-set'>; store: Store }) {
  const words = useWords()
  return (
    <ul class="change-list change-set" aria-label={words.of('changesOfAnswer')}>
      {files.map(file => {
        const review = reviews[file.review]
        return (
          <li key={file.uri} class="change">
            <FileName file={file} />
            {review && <span class="muted small">{words.of(review)}</span>}
            {!review && (
              <ReviewButton
                icon="diff"
                label={words.of('openDiff')}
                onClick={() => store.reviewChange('diff', file.uri)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function FileName({ file: { uri, addedLines, removedLines } }: { file: ChangedFile }) {
  const path = pathOf(uri)
  const file = path.slice(path.lastIndexOf('/') + 1)
  return (
    <span class="change-name" title={path}>
      <span class="change-file">{file}</span> <span class="change-added">+{addedLines}</span>{' '}
      <span class="change-removed">−{removedLines}</span>
    </span>
  )
}

function pathOf(uri: string): string {
  const path = uri.replace(/^[\w+.-]+:(?:\/\/[^/]*)?/, '').replace(/[?#].*$/, '')
  try {
    return sanitizeLine(decodeURIComponent(path))
  } catch {
    return sanitizeLine(path)
  }
}

function ReviewButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
