// `QuestionEditor`: changes a question in its place, to ask it again.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useWords } from './wordsContext.ts'

const maxChars = 2_000_000

interface Props {
  text: string
  onSend: (text: string) => void
  onClose: () => void
}

/** Escape closes it without a change; Enter sends, as in the composer. */
export function QuestionEditor({ text, onSend, onClose }: Props) {
  const words = useWords()
  const box = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState(text)
  useLayoutEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(text.length, text.length)
  }, [])
  const send = () => {
    if (draft.trim() === '') return
    onSend(draft)
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
  }
  return (
    <>
      <textarea
        ref={box}
        class="question-box"
        aria-label={words.of('editMessage')}
        maxLength={maxChars}
        value={draft}
        rows={2}
        onInput={event => setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="question-buttons">
        <button type="button" class="secondary" onClick={onClose}>
          {words.of('cancel')}
        </button>
        <button type="button" class="primary" disabled={draft.trim() === ''} onClick={send}>
          {words.of('send')}
        </button>
      </div>
    </>
  )
}
