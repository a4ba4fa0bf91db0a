// `ContextTrouble`: why a message was not sent because of its size, with what helps; and that a summary is being written.
import { sanitizeLine } from '../../base/text.ts'
import type { PageContextUse, UseTrouble } from '../../protocol/contextUse.ts'
import type { Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function ContextTrouble({ use, store }: { use: PageContextUse | undefined; store: Store }) {
  const words = useWords()
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
      {use?.trouble && <Trouble trouble={use.trouble} store={store} />}
    </>
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
            <button key={chip} type="button" class="secondary" onClick={() => store.removeChip(chip)}>
              {words.of('removeNamed', { name: sanitizeLine(label, 60) || words.of('image') })}
            </button>
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
      <button
        type="button"
        class="icon-button"
        aria-label={words.of('dismiss')}
        title={words.of('dismiss')}
        onClick={() => store.dismissTrouble()}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  )
}
