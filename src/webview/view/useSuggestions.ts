// `useSuggestions`: completes a slash command or a mention at the cursor of the composer, or of the editor of a question.
import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { SuggestionItem } from '../../protocol/draft.ts'
import type { Attachments } from '../state/attachments.ts'
import type { Store } from '../state/store.ts'
import { replaceText } from './replaceText.ts'

export const SUGGESTIONS_ID = 'suggestions'
export const optionId = (index: number) => `suggestion-${index}`

interface Query {
  readonly request: number
  readonly trigger: '/' | '@' | '#'
  readonly text: string
  /** Where the trigger is. */
  readonly at: number
}

export interface ShownSuggestions {
  readonly isOpen: boolean
  readonly items: readonly SuggestionItem[]
  readonly isComplete: boolean
  readonly active: number
  readonly activeId: string | undefined
  /** Shows the suggestions for what is before the cursor now. */
  update(): void
  /** Types the trigger of a mention. */
  begin(): void
  close(): void
  take(index: number): void
  /** True if the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean
}

/** A slash command is the beginning of the message; a mention follows white space, so that an address is none. */
const patterns = [
  /^(?<trigger>\/)(?<text>[\p{L}\p{N}_-]*)$/u,
  /(?:^|\s)(?<trigger>[@#])(?<text>(?:[^\s@#]\S*)?)$/u,
] as const
/** A name may have spaces; only what follows the name shows where a mention ends. */
const spacedMention = /(?:^|\s)(?<trigger>[@#])(?<text>[^\s@#](?:(?!\s[@#])[^\n])*)$/u

/** `run`: carries out the command in the text box. */
export function useSuggestions(
  store: Store,
  attachments: Attachments,
  box: RefObject<HTMLTextAreaElement | null>,
  run: () => void,
): ShownSuggestions {
  const [query, setQuery] = useState<Query>()
  const [active, setActive] = useState(0)
  /** Several events of one key ask, before anything is rendered again. */
  const last = useRef<Query>(undefined)
  const { request, items, isComplete } = store.suggestions.value
  // Until the answer to the last key has come, the list before it stays.
  const isAnswered = query !== undefined && request === query.request
  const shown = query && request >= 0 ? items : []
  const isOpen = shown.length > 0
  const at = Math.min(active, shown.length - 1)

  const show = (next: Query | undefined) => {
    last.current = next
    setQuery(next)
  }
  const ask = (found: Omit<Query, 'request'>) => {
    const { trigger, text, at: where } = last.current ?? {}
    if (trigger === found.trigger && text === found.text && where === found.at) return
    const next = { ...found, request: store.nextSuggestions() }
    show(next)
    setActive(0)
    attachments.suggest(next.request, next.trigger, next.text)
  }
  const update = () => {
    const { request: asked = -1, text = '' } = last.current ?? {}
    const fitsNothing = /\s/.test(text) && asked === request && isComplete && items.length === 0
    const found = queryAt(box.current, fitsNothing ? undefined : last.current)
    if (found) ask(found)
    else show(undefined)
  }
  const close = () => show(undefined)
  const take = (index: number) => {
    const item = shown[index]
    const element = box.current
    if (!item || !element || !query || !isAnswered) return
    show(undefined)
    if (isWritten(item, element)) return run()
    // Typing asks for suggestions anew, after which the extension no longer knows these. One that acts is only completed.
    if (!item.acts) attachments.takeSuggestion(query.request, index)
    replaceText(element, query.at, element.selectionStart, item.insert)
  }
  const begin = () => {
    const element = box.current
    if (!element) return
    element.focus()
    const { selectionStart, selectionEnd, value } = element
    const before = value.slice(0, selectionStart)
    replaceText(element, selectionStart, selectionEnd, before === '' || /\s$/.test(before) ? '@' : ' @')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.isComposing) return false
    const move = moves[event.key]
    if (move) setActive((at + move + shown.length) % shown.length)
    else if (event.key === 'Escape') close()
    else if (!isTakeKey(event) || !isAnswered) return false
    else if (event.key === 'Tab' && isWritten(shown[at], box.current)) close()
    else take(at)
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return {
    isOpen,
    items: shown,
    isComplete: isComplete && isAnswered,
    active: at,
    activeId: isOpen ? optionId(at) : undefined,
    update,
    begin,
    close,
    take,
    onKeyDown,
  }
}

const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

const isTakeKey = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  (key === 'Enter' || key === 'Tab') && !shiftKey && !ctrlKey && !metaKey && !altKey

/** It is a command that acts, and the whole text. */
const isWritten = (item: SuggestionItem | undefined, box: HTMLTextAreaElement | null) =>
  item?.acts === true && box?.value.trim() === item.insert

/** `begun`: the mention that spaces may belong to. */
function queryAt(box: HTMLTextAreaElement | null, begun: Query | undefined): Omit<Query, 'request'> | undefined {
  if (!box || box.selectionStart !== box.selectionEnd) return undefined
  const before = box.value.slice(0, box.selectionStart)
  for (const pattern of patterns) {
    const { trigger, text = '' } = pattern.exec(before.slice(-200))?.groups ?? {}
    if (trigger === '/' && before.length > 200) return undefined
    if (trigger === '/' || trigger === '@' || trigger === '#')
      return { trigger, text, at: before.length - text.length - 1 }
  }
  const { text = '' } = spacedMention.exec(before.slice(-200))?.groups ?? {}
  const at = before.length - text.length - 1
  return text !== '' && begun?.at === at && begun.trigger === before[at]
    ? { trigger: begun.trigger, text, at }
    : undefined
}
