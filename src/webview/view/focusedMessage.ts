// `focusedMessage`: the message that has the keyboard focus in it; `useFocusedMessage` and `useQuestionSteps`: give it to one.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { MessagePlace } from '../../protocol/panel.ts'
import type { Message } from '../state/messages.ts'
import type { Store } from '../state/store.ts'
import { scrollWithin } from './scrollWithin.ts'

export function focusedMessage(focused: Element | undefined, messages: readonly Message[]): MessagePlace | undefined {
  const id = focused?.closest<HTMLElement>('article')?.dataset['id']
  const message = messages.find(message => message.id === id)
  return message && { turn: message.turn, role: message.role }
}

export function useFocusedMessage(
  store: Store,
  log: RefObject<HTMLDivElement | null>,
  messages: readonly Message[],
  reveal: (index: number) => void,
): void {
  const asked = store.messageToFocus.value
  useEffect(() => {
    const index = messages.findIndex(({ turn, role }) => turn === asked?.turn && role === asked.role)
    const message = messages[index]
    if (!message) return undefined
    reveal(index)
    const frame = requestAnimationFrame(() => focus(log.current, message.id))
    return () => cancelAnimationFrame(frame)
  }, [asked])
}

/** Focuses the question before or after the message that has the focus, else the first one in view. */
export function useQuestionSteps(
  store: Store,
  log: RefObject<HTMLDivElement | null>,
  messages: readonly Message[],
  firstVisible: () => number,
): void {
  const step = store.questionStep.value
  const known = useRef(step)
  useEffect(() => {
    if (!step || step === known.current) return
    known.current = step
    const { activeElement } = document
    const focused = log.current?.contains(activeElement)
      ? focusedMessage(activeElement ?? undefined, messages)
      : undefined
    const at = focused
      ? messages.findIndex(one => one.turn === focused.turn && one.role === focused.role)
      : firstVisible()
    const question = questionBeside(messages, at, step.by)
    if (question) store.focusMessage({ turn: question.turn, role: 'user' })
  }, [step])
}

function questionBeside(messages: readonly Message[], at: number, by: 1 | -1): Message | undefined {
  if (by > 0) return messages.slice(at + 1).find(({ role }) => role === 'user')
  return messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'user')
}

function focus(log: HTMLElement | null, id: string): void {
  const article = [...(log?.querySelectorAll<HTMLElement>('article') ?? [])].find(({ dataset }) => dataset['id'] === id)
  if (!log || !article) return
  article.tabIndex = -1
  article.focus({ preventScroll: true })
  scrollWithin(log, article, 'nearest')
}
