// `QuestionEditor`: changes a question in its place, with what is attached to it, as the composer writes a new one.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Attachments } from '../state/attachments.ts'
import type { Store } from '../state/store.ts'
import { AddButtons } from './addButtons.tsx'
import { holdsDrop, onPaste, takeDrop } from './attach.ts'
import { Chips } from './chips.tsx'
import { ContextMeter } from './contextMeter.tsx'
import { isSendKey } from './isSendKey.ts'
import { SuggestionList } from './suggestionList.tsx'
import { useAttachTarget } from './useAttachTarget.ts'
import { SUGGESTIONS_ID, useSuggestions } from './useSuggestions.ts'
import { useWords } from './wordsContext.ts'

const maxChars = 2_000_000

interface Props {
  turn: string
  text: string
  /** When it appears. */
  takesFocus: boolean
  store: Store
  onSubmit: (text: string) => void
  onClose: () => void
}

/** Escape closes it without a change; `onSubmit` closes it too. */
export function QuestionEditor({ turn, text, takesFocus, store, onSubmit, onClose }: Props) {
  const words = useWords()
  const box = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState(text)
  const attachments = useMemo(() => new Attachments(store, turn), [store, turn])
  const { chips, offers, use } = useMemo(() => store.edited(turn), [store, turn]).value
  const target = useAttachTarget(store, attachments)
  const submit = () => {
    if (draft.trim() !== '' || chips.length > 0) onSubmit(draft)
  }
  const suggestions = useSuggestions(store, attachments, box, submit)
  useEffect(() => store.beginEdit(turn), [store, turn])
  useLayoutEffect(() => {
    if (!takesFocus) return
    box.current?.focus()
    box.current?.setSelectionRange(text.length, text.length)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (suggestions.onKeyDown(event) || event.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (isSendKey(event, store.sendOnEnter.value)) {
      event.preventDefault()
      submit()
    }
  }
  const onDrop = (event: DragEvent) => {
    if (!box.current || !event.dataTransfer || !holdsDrop(event.dataTransfer)) return
    event.preventDefault()
    takeDrop(event.dataTransfer, box.current, target)
    box.current.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be attached by a mention as well
    <div class="composer in-place" onDrop={onDrop}>
      <Chips chips={chips} offers={offers} store={store} attachments={attachments} />
      <textarea
        ref={box}
        aria-label={words.of('editMessage')}
        aria-autocomplete="list"
        aria-controls={suggestions.isOpen ? SUGGESTIONS_ID : undefined}
        aria-activedescendant={suggestions.activeId}
        rows={1}
        maxLength={maxChars}
        value={draft}
        onInput={({ currentTarget: { value } }) => {
          setDraft(value)
          store.keepEdit(turn, value)
          suggestions.update()
        }}
        onSelect={suggestions.update}
        onBlur={() => {
          suggestions.close()
          store.saveDraft()
        }}
        onPaste={event => onPaste(event, target)}
        onKeyDown={onKeyDown}
      />
      <SuggestionList suggestions={suggestions} />
      <div class="composer-bar">
        <AddButtons onMention={suggestions.begin} target={target} />
        <span class="composer-space" />
        <ContextMeter use={use} store={store} />
        <span class="in-place-buttons">
          <button type="button" class="secondary" onClick={onClose}>
            {words.of('cancel')}
          </button>
          <button type="button" class="primary" disabled={draft.trim() === '' && chips.length === 0} onClick={submit}>
            {words.of('send')}
          </button>
        </span>
      </div>
    </div>
  )
}
