// `QueuedMessages`: the messages that are sent next, above the composer.
import { sanitizeLine } from '../../base/text.ts'
import { promptText } from '../../protocol/conversationPath.ts'
import type { QueuedMessage } from '../../protocol/conversationState.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function QueuedMessages({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const { queued } = state.conversation
  const pending = store.pending.value.filter(({ place }) => place === 'queue')
  if (queued.length === 0 && pending.length === 0) return null
  return (
    <ul class="queued" aria-label={words.of('queuedMessages')}>
      {queued.map(message => (
        <Queued key={message.id} message={message} store={store} />
      ))}
      {pending.map(({ number, text, chips }) => (
        <li key={number} class="queued-message" aria-label={words.of('beingSent')} aria-busy="true">
          <span class="queued-text">
            {sanitizeLine(text || chips.map(({ label }) => label).join(', '), 200) || words.of('image')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Queued({ message: { id, parts }, store }: { message: QueuedMessage; store: Store }) {
  const words = useWords()
  return (
    <li class="queued-message">
      <span class="queued-text">{sanitizeLine(promptText(parts) || namesOf(parts), 200) || words.of('image')}</span>
      <button type="button" class="quiet queued-send" title={words.of('sendNowHint')} onClick={() => store.steer(id)}>
        {words.of('sendNow')}
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={words.of('edit')}
        title={words.of('edit')}
        onClick={() => store.editQueued(id)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={words.of('remove')}
        title={words.of('remove')}
        onClick={() => store.removeQueued(id)}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}

const namesOf = (parts: QueuedMessage['parts']) =>
  parts.flatMap(part => ('name' in part && part.name ? [part.name] : [])).join(', ')
