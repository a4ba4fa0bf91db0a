// `SentAlong`: what goes along with a question by itself, folded, with the text exactly as it was sent.
import { useState } from 'preact/hooks'
import { PlainText } from './plainText.tsx'
import { useWords } from './wordsContext.ts'

export function SentAlong({ texts }: { texts: readonly string[] }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="attachment sent-along">
      <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <span>{words.of('sentAlong')}</span>
        </summary>
        {isOpen && (
          <div class="attachment-text">
            <PlainText text={texts.join('\n\n')} />
          </div>
        )}
      </details>
    </div>
  )
}
