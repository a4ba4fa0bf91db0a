// `SummaryBlock`: the summary that the model reads in place of the conversation above it: folded, and changed in its place.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Summary } from '../../protocol/conversationState.ts'
import type { Store } from '../state/store.ts'
import { Answer } from './answer.tsx'
import { InPlaceEditor } from './inPlaceEditor.tsx'
import { scrollWithin } from './scrollWithin.ts'
import { useWords } from './wordsContext.ts'

const maxChars = 200_000

interface Props {
  summary: Summary
  store: Store
  /** No request is under way, so it may be changed. */
  mayChange: boolean
}

export function SummaryBlock({ summary, store, mayChange }: Props) {
  const words = useWords()
  const { id, text } = summary
  const isEdited = useMemo(() => store.isEdited(id), [store, id]).value
  const [isOpen, setOpen] = useState(isEdited)
  const [editor, setEditor] = useState<'untouched' | 'opened' | 'closed'>('untouched')
  const block = useRef<HTMLDetailsElement>(null)
  // A shorter text takes the place of a long one, and what follows would be in sight.
  useLayoutEffect(() => {
    const log = block.current?.closest<HTMLElement>('.log')
    if (editor === 'closed' && log && block.current) scrollWithin(log, block.current, 'nearest')
  }, [text, isEdited])
  const close = () => {
    setEditor('closed')
    store.keepEdit(id, undefined)
  }
  return (
    <details class="summary" ref={block} open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{words.of('summary')}</summary>
      {isOpen && (
        <div class="summary-body">
          <p class="summary-hint">{words.of('summaryHint')}</p>
          {isEdited ? (
            <InPlaceEditor
              text={store.editText(id) ?? text}
              label={words.of('summary')}
              submitLabel={words.of('save')}
              rows={10}
              maxChars={maxChars}
              takesFocus={editor !== 'untouched'}
              onInput={changed => store.keepEdit(id, changed)}
              onBlur={() => store.saveDraft()}
              onSubmit={changed => {
                if (changed.trim() !== text) store.changeSummary(id, changed.trim())
                close()
              }}
              onClose={close}
            />
          ) : (
            <>
              <Answer text={text} announce={news => store.announce(news)} send={store.send} />
              <SummaryButtons
                wasEdited={editor === 'closed'}
                mayChange={mayChange}
                onEdit={() => {
                  setEditor('opened')
                  store.keepEdit(id, text)
                }}
                onRemove={() => store.removeSummary(summary)}
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
  mayChange: boolean
  onEdit: () => void
  onRemove: () => void
}

function SummaryButtons({ wasEdited, mayChange, onEdit, onRemove }: ButtonsProps) {
  const words = useWords()
  const edit = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (wasEdited) edit.current?.focus()
  }, [])
  return (
    <div class="summary-buttons">
      <button
        ref={edit}
        type="button"
        class="quiet"
        aria-label={words.of('editSummary')}
        disabled={!mayChange}
        onClick={onEdit}
      >
        {words.of('edit')}
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={words.of('removeSummary')}
        disabled={!mayChange}
        onClick={onRemove}
      >
        {words.of('remove')}
      </button>
    </div>
  )
}
