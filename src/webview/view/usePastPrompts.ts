// `usePastPrompts`: the messages that the user has sent, brought back by the arrow keys.
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { PageState, Store } from '../state/store.ts'
import { replaceText } from './replaceText.ts'

interface Recall {
  readonly at: number
  /** What was written before. */
  readonly draft: string
}

/** Up at the beginning of the text shows the message before; Down at its end the one after, and at last the draft. */
export function usePastPrompts(state: PageState, store: Store, box: RefObject<HTMLTextAreaElement | null>) {
  const recall = useRef<Recall>(undefined)
  const isRecalling = useRef(false)
  const show = (next: Recall, text: string) => {
    const element = box.current
    if (!element) return
    isRecalling.current = true
    replaceText(element, 0, element.value.length, text)
    isRecalling.current = false
    recall.current = next
  }
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.isComposing || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false
    const element = box.current
    if (!element || element.selectionStart !== element.selectionEnd) return false
    const prompts = promptsOf(state)
    const { at, draft } = recall.current ?? { at: prompts.length, draft: store.draft.value }
    if (event.key === 'ArrowUp' && element.selectionStart === 0 && at > 0)
      show({ at: at - 1, draft }, prompts[at - 1] ?? '')
    else if (event.key === 'ArrowDown' && recall.current && element.selectionStart === element.value.length)
      show({ at: at + 1, draft }, prompts[at + 1] ?? draft)
    else return false
    if (recall.current && recall.current.at >= prompts.length) recall.current = undefined
    // Up again goes on to the message before.
    if (event.key === 'ArrowUp') element.setSelectionRange(0, 0)
    event.preventDefault()
    return true
  }
  const forget = () => {
    if (!isRecalling.current) recall.current = undefined
  }
  return { onKeyDown, forget }
}

function promptsOf({ messages }: PageState): string[] {
  const texts = messages.flatMap(message => (message.role === 'user' && message.text.trim() ? [message.text] : []))
  return texts.filter((text, at) => text !== texts[at + 1])
}
