// `ContextTrouble`: why a message was not sent because of its size, with what helps; why a file was not attached; and that a summary is being written, or was.
import { useEffect, useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { UseTrouble } from '../../protocol/contextUse.ts'
import { type PageState, type Store, shownUse } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function ContextTrouble({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const use = shownUse(state)
  return (
    <>
      {use?.isCompacting && (
        <div class="waiting" role="status">
          <span class="waiting-text">{words.of('compacting')}</span>
          <span class="waiting-buttons">
            <button type="button" class="quiet" onClick={() => store.stopCompaction()}>
              {words.of('stop')}
            </button>
          </span>
        </div>
      )}
      <Compacted state={state} store={store} />
      <Refusals store={store} />
      {use?.trouble && <Trouble trouble={use.trouble} store={store} />}
    </>
  )
}

/** The summary is further up, where nobody looks, and else nothing would be different at the end of the conversation. */
function Compacted({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const { isCompacting = false } = shownUse(state) ?? {}
  const newest = state.conversation.summaries.at(-1)?.id
  const [before, setBefore] = useState<{ readonly newest: string | undefined }>()
  const hasGoneOn = store.pending.value.length > 0
  useEffect(() => {
    if (isCompacting) setBefore({ newest })
  }, [isCompacting])
  useEffect(() => {
    if (hasGoneOn) setBefore(undefined)
  }, [hasGoneOn])
  if (!before || isCompacting || newest === undefined || newest === before.newest) return null
  return (
    <div class="note" role="status">
      <p>{words.of('compacted')}</p>
      <DismissButton onClick={() => setBefore(undefined)} />
    </div>
  )
}

/** Of the files that were dropped, pasted or picked, and of a message that waits. */
function Refusals({ store }: { store: Store }) {
  const sentences = store.refusals.value
  if (sentences.length === 0) return null
  return (
    <div class="banner trouble">
      <Icon name="warning" />
      <div class="trouble-text" role="alert">
        {sentences.map(text => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <DismissButton onClick={() => store.showRefusals([])} />
    </div>
  )
}

function DismissButton({ onClick }: { onClick: () => void }) {
  const label = useWords().of('dismiss')
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name="close" size={12} />
    </button>
  )
}

function Trouble({ trouble: { text, drops, helps }, store }: { trouble: UseTrouble; store: Store }) {
  const words = useWords()
  const mayCompact = helps.includes('compact')
  const mayBeginNew = helps.includes('new-chat')
  return (
    <div class="banner trouble">
      <Icon name="warning" />
      <div class="trouble-text">
        <p role="alert">{sanitizeLine(text, 600)}</p>
        <div class="trouble-buttons">
          {drops.map(({ chip, label }) => (
            <DropButton
              key={chip}
              name={sanitizeLine(label, 60) || words.of('image')}
              onClick={() => store.removeChip(chip)}
            />
          ))}
          {mayCompact && (
            <button type="button" class="secondary" onClick={() => store.compact()}>
              {words.of('compact')}
            </button>
          )}
          {mayBeginNew && (
            <button type="button" class="quiet" onClick={() => store.newChat()}>
              {words.of('newChat')}
            </button>
          )}
        </div>
      </div>
      <DismissButton onClick={() => store.dismissTrouble()} />
    </div>
  )
}

/** Where it is narrow, the name is cut and not the verb, wherever the language has it. */
function DropButton({ name, onClick }: { name: string; onClick: () => void }) {
  const words = useWords()
  const shown = <span class="drop-name">{name}</span>
  return (
    <button type="button" class="secondary" title={words.of('removeNamed', { name })} onClick={onClick}>
      {words
        .around('removeNamed', { name: shown })
        .map(part => (typeof part === 'string' ? <span>{part}</span> : part))}
    </button>
  )
}
