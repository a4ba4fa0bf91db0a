// `SummaryBlock`: the summary that the model reads in place of the conversation above it: folded, and changed in its place.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Summary } from '../../protocol/conversationState.ts'
import type { Store } from '../state/store.ts'
import { Answer } from './answer.tsx'
import { useWords } from './wordsContext.ts'

const maxChars = 200_000

export function SummaryBlock({ summary, store }: { summary: Summary; store: Store }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const [editing, setEditing] = useState<'never' | 'now' | 'done'>('never')
  const { id, text } = summary
  return (
    <details class="summary" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{words.of('summary')}</summary>
      {isOpen && (
        <div class="summary-body">
          <p class="summary-hint">{words.of('summaryHint')}</p>
          {editing === 'now' ? (
            <SummaryEditor
              text={text}
              onSave={changed => store.changeSummary(id, changed)}
              onClose={() => setEditing('done')}
            />
          ) : (
            <>
              <Answer text={text} announce={news => store.announce(news)} send={store.send} />
              <SummaryButtons
                wasEdited={editing === 'done'}
                onEdit={() => setEditing('now')}
                onRemove={() => store.changeSummary(id, undefined)}
              />
            </>
          )}
        </div>
      )}
    </details>
  )
}

interface ButtonsProps {
  /** The focus returns to the button. */
  wasEdited: boolean
  onEdit: () => void
  onRemove: () => void
}

function SummaryButtons({ wasEdited, onEdit, onRemove }: ButtonsProps) {
  const words = useWords()
  const edit = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (wasEdited) edit.current?.focus()
  }, [])
  return (
    <div class="summary-buttons">
      <button ref={edit} type="button" class="quiet" aria-label={words.of('editSummary')} onClick={onEdit}>
        {words.of('edit')}
      </button>
      <button type="button" class="quiet" aria-label={words.of('removeSummary')} onClick={onRemove}>
        {words.of('remove')}
      </button>
    </div>
  )
}

interface EditorProps {
  text: string
  onSave: (text: string) => void
  onClose: () => void
}

/** Escape closes it without a change; Ctrl+Enter saves, because Enter is a new line. */
function SummaryEditor({ text, onSave, onClose }: EditorProps) {
  const words = useWords()
  const box = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState(text)
  const isEmpty = draft.trim() === ''
  useLayoutEffect(() => box.current?.focus(), [])
  const save = () => {
    if (isEmpty) return
    if (draft.trim() !== text) onSave(draft.trim())
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      save()
    }
  }
  return (
    <>
      <textarea
        ref={box}
        class="question-box"
        aria-label={words.of('summary')}
        maxLength={maxChars}
        rows={10}
        value={draft}
        onInput={event => setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="question-buttons">
        <button type="button" class="secondary" onClick={onClose}>
          {words.of('cancel')}
        </button>
        <button type="button" class="primary" disabled={isEmpty} onClick={save}>
          {words.of('save')}
        </button>
      </div>
    </>
  )
}
