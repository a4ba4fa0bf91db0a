// `usePastPrompts`: the messages that the user has sent, in this and in earlier chats, brought back by the arrow keys.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { PastPrompt } from '../../protocol/panel.ts'
import type { Message } from '../state/messages.ts'
import type { PageState, PastPrompts, Store } from '../state/store.ts'
import { replaceText } from './replaceText.ts'

interface Recall {
  /** The number of the prompt, from 0 for the newest; -1 for what was written before. */
  readonly at: number
  readonly draft: string
}

/** So many before the last one that is known, more are asked for. */
const READ_AHEAD = 3

/**
 * Up at the beginning of the text shows the message before, with what was attached to it; Down at its end the one after,
 * and at last the draft.
 */
export function usePastPrompts(state: PageState, store: Store, box: RefObject<HTMLTextAreaElement | null>) {
  const recall = useRef<Recall>(undefined)
  const isRecalling = useRef(false)
  /** Up was pressed, and the message has not come yet. */
  const isWaiting = useRef(false)
  /** The message that was shown last had something attached. */
  const hasAttached = useRef(false)
  const past = store.pastPrompts.value
  const show = (next: Recall, prompt: PastPrompt | undefined) => {
    const element = box.current
    if (!element) return
    const text = prompt?.text ?? next.draft
    const isAttached = prompt?.hasAttached === true
    if (isAttached || hasAttached.current) store.recall(isAttached ? prompt : undefined)
    hasAttached.current = isAttached
    isRecalling.current = true
    replaceText(element, 0, element.value.length, text)
    isRecalling.current = false
    recall.current = next.at < 0 ? undefined : next
  }
  /** False where there is none, and none can come. */
  const showBefore = (): boolean => {
    const { prompts, first, isComplete } = promptsOf(state, past)
    const { at, draft } = recall.current ?? { at: -1, draft: store.draft.value }
    const prompt = prompts[at + 1]
    isWaiting.current = prompt === undefined && !isComplete
    if (!isComplete && at + 1 + READ_AHEAD >= prompts.length) store.askPastPrompts(first)
    if (prompt === undefined) return isWaiting.current
    show({ at: at + 1, draft }, prompt)
    // Up again goes on to the message before.
    box.current?.setSelectionRange(0, 0)
    return true
  }
  const showAfter = (): boolean => {
    if (!recall.current) return false
    const { at, draft } = recall.current
    show({ at: at - 1, draft }, promptsOf(state, past).prompts[at - 1])
    return true
  }
  useEffect(() => {
    if (isWaiting.current) showBefore()
  }, [past])
  const onKeyDown = (event: KeyboardEvent): boolean => {
    isWaiting.current = false
    if (event.isComposing || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false
    const element = box.current
    if (!element || element.selectionStart !== element.selectionEnd) return false
    const isUp = event.key === 'ArrowUp' && element.selectionStart === 0
    const isDown = event.key === 'ArrowDown' && element.selectionStart === element.value.length
    if (!(isUp && showBefore()) && !(isDown && showAfter())) return false
    event.preventDefault()
    return true
  }
  const forget = () => {
    if (isRecalling.current) return
    if (hasAttached.current) store.keepRecalled()
    hasAttached.current = false
    recall.current = undefined
    isWaiting.current = false
  }
  return { onKeyDown, forget }
}

/** Newest first, those of the page and before them those of the extension. `first`: the turn of the page's first one. */
function promptsOf({ messages, conversation }: PageState, past: PastPrompts | undefined) {
  const isKnown = past?.conversation === conversation.conversation
  const own = ownQuestions(messages, isKnown ? past.before : undefined)
  const prompts = [
    ...own.map(message => pastPrompt(message, conversation.conversation)),
    ...(isKnown ? past.prompts : []),
  ]
  return {
    prompts: prompts.filter(({ text }, at) => text.trim() !== '' && text !== prompts[at - 1]?.text),
    first: own.at(-1)?.turn,
    isComplete: isKnown && past.isComplete,
  }
}

const pastPrompt = ({ text, turn, parts }: Message, conversation: string): PastPrompt => {
  const hasAttached = parts.some(({ kind }) => kind !== 'text')
  return { text, conversation, turn, hasAttached }
}

/** Newest first, down to the turn, or to the first one that the page has without a gap. */
function ownQuestions(messages: readonly Message[], first: string | undefined): readonly Message[] {
  const gap = messages.findLastIndex(({ lacks }) => lacks.length > 0)
  const own = messages.slice(gap + 1).filter(({ role }) => role === 'user')
  const from = first === undefined ? 0 : own.findIndex(({ turn }) => turn === first)
  return own.slice(Math.max(0, from)).toReversed()
}
