// `InPlaceEditor`: changes a text of the transcript in its place.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useWords } from './wordsContext.ts'

interface Props {
  text: string
  /** Of the box. */
  label: string
  /** Of the button that ends it with the change. */
  submitLabel: string
  rows: number
  maxChars: number
  /** When it appears. */
  takesFocus: boolean
  /** The text was changed. */
  onInput: (text: string) => void
  onBlur: () => void
  onSubmit: (text: string) => void
  onClose: () => void
}

/** Escape closes it without a change; `onSubmit` closes it too, also by Ctrl+Enter. */
export function InPlaceEditor(props: Props) {
  const { text, label, submitLabel, rows, maxChars, onSubmit, onClose } = props
  const words = useWords()
  const box = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState(text)
  const isEmpty = draft.trim() === ''
  useLayoutEffect(() => {
    if (!props.takesFocus) return
    box.current?.focus()
    box.current?.setSelectionRange(text.length, text.length)
  }, [])
  const submit = () => {
    if (isEmpty) return
    onSubmit(draft)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      submit()
    }
  }
  return (
    <>
      <textarea
        ref={box}
        class="edit-box"
        aria-label={label}
        maxLength={maxChars}
        rows={rows}
        value={draft}
        onInput={({ currentTarget: { value } }) => {
          setDraft(value)
          props.onInput(value)
        }}
        onBlur={props.onBlur}
        onKeyDown={onKeyDown}
      />
      <div class="edit-buttons">
        <button type="button" class="secondary" onClick={onClose}>
          {words.of('cancel')}
        </button>
        <button type="button" class="primary" disabled={isEmpty} onClick={submit}>
          {submitLabel}
        </button>
      </div>
    </>
  )
}
