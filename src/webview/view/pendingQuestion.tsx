// `PendingQuestion`: a message that was sent and is not in the conversation yet, as the question that it becomes.
import { sanitizeLine } from '../../base/text.ts'
import type { PendingQuestion as Pending, Store } from '../state/store.ts'
import { ChipIcon } from './chips.tsx'
import { OwnText } from './ownText.tsx'
import { useWords } from './wordsContext.ts'

/** Is no live region, because the question is announced when the conversation has it. */
export function PendingQuestion({ question: { text, chips }, store }: { question: Pending; store: Store }) {
  const words = useWords()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" class="message mine" aria-label={words.of('beingSent')} aria-live="off" aria-busy="true">
      <div class="bubble">
        {text !== '' && <OwnText text={text} store={store} />}
        {chips.map(({ id, kind, label }) => (
          <p key={id} class="attachment">
            <ChipIcon kind={kind} />
            <span>{sanitizeLine(label, 120) || words.of('image')}</span>
          </p>
        ))}
      </div>
    </div>
  )
}
