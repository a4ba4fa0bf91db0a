// `focusedMessage`: the message that has the keyboard focus in it; `useFocusedMessage`: gives it to one.
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { MessagePlace } from '../../protocol/panel.ts'
import type { Message } from '../state/messages.ts'
import type { Store } from '../state/store.ts'

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
    const frame = requestAnimationFrame(() => focus(articleOf(log.current, message.id)))
    return () => cancelAnimationFrame(frame)
  }, [asked])
}

const articleOf = (log: HTMLElement | null, id: string) =>
  [...(log?.querySelectorAll<HTMLElement>('article') ?? [])].find(({ dataset }) => dataset['id'] === id)

function focus(article: HTMLElement | undefined): void {
  if (!article) return
  article.tabIndex = -1
  article.focus({ preventScroll: true })
  article.scrollIntoView({ block: 'nearest' })
}
