// `Approvals`: the questions of the running turn in one card, at the foot of the conversation.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { CallConcern, PartOf } from '../../protocol/conversation.ts'
import { answerParts } from '../../protocol/conversationPath.ts'
import type { PanelQuestion } from '../../protocol/panel.ts'
import type { PageState, Store } from '../state/store.ts'
import type { Words } from '../words.ts'
import { CallPreview } from './callPreview.tsx'
import { Icon } from './icon.tsx'
import { toolSentence } from './toolCall.tsx'
import { useDeliberateKeys } from './useDeliberateKeys.ts'
import { useSteadyPresses } from './useSteadyPresses.ts'
import { VisibleText } from './visibleText.tsx'
import { useWords } from './wordsContext.ts'

type Call = PartOf<'tool-call'>
type Asked =
  | { readonly id: string; readonly is: 'call'; readonly call: Call }
  | { readonly id: string; readonly is: 'continue'; readonly text: string }

export type Decision = 'allow' | 'allow-for-conversation' | 'deny'

/** So near to the end of the list counts as its end. */
const END_PX = 4

/** A turn that reads first is asked about its reads first. */
const READS: readonly string[] = ['read_file', 'list_files', 'search_text', 'find_symbol', 'problems']

export function Approvals({ state, store }: { state: PageState; store: Store }) {
  const asked = askedOf(state)
  const card = useRef<HTMLDivElement>(null)
  const keys = useDeliberateKeys(card)
  if (asked.length === 0) return null
  return <Card key={asked[0]?.id} asked={asked} store={store} card={card} keys={keys} />
}

function askedOf({ agent, conversation }: PageState): readonly Asked[] {
  const parts = conversation.current ? answerParts(conversation.current) : []
  const asked = agent.questions.flatMap(question => askedAbout(question, parts))
  const isRead = (one: Asked) => one.is === 'call' && READS.includes(one.call.name)
  return [...asked.filter(isRead), ...asked.filter(one => !isRead(one))]
}

function askedAbout(question: PanelQuestion, parts: ReturnType<typeof answerParts>): Asked[] {
  if (question.is === 'continue') return [question]
  const call = parts.find((part): part is Call => part.kind === 'tool-call' && part.id === question.part)
  return call ? [{ id: question.id, is: 'call', call }] : []
}

interface CardProps {
  readonly asked: readonly Asked[]
  readonly store: Store
  readonly card: RefObject<HTMLDivElement | null>
  readonly keys: ReturnType<typeof useDeliberateKeys>
}

function Card({ asked, store, card, keys }: CardProps) {
  const words = useWords()
  const [reason, setReason] = useState<string>()
  const presses = useSteadyPresses(card, asked.map(({ id }) => id).join(' '))
  const seen = useSeen(card, asked)
  const [opened, setOpened] = useState<ReadonlySet<string>>(none)
  const isSeen = asked.every(({ id }) => seen.has(id))
  const mayAllow = (one: Asked) => seen.has(one.id) && (!isLonger(one) || opened.has(one.id))
  const mayAllowAll = asked.every(mayAllow)
  const [first] = asked
  useFocus(card, store, first !== undefined && mayAllow(first))
  const openDiff = (one: Asked | undefined) => {
    if (one?.is !== 'call' || one.call.approval?.preview?.kind !== 'change') return false
    store.showProposed(one.call.id)
    setOpened(before => new Set([...before, one.id]))
    return true
  }
  const answer = (questions: readonly Asked[], is: Decision) => {
    const why = is === 'deny' && reason?.trim() ? { reason: reason.trim() } : {}
    store.answerQuestions(questions.map(({ id }) => ({ question: id, is, ...why })))
    setReason(undefined)
    if (questions.length === asked.length) store.focusComposer()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const isInReason = event.target instanceof HTMLTextAreaElement
    if (event.key === 'Escape') {
      event.stopPropagation()
      event.preventDefault()
      if (isInReason && reason?.trim()) setReason(undefined)
      else answer(asked, 'deny')
    } else if (event.key === 'Enter' && event.shiftKey && !isInReason) {
      event.preventDefault()
      if (mayAllowAll) answer(asked, 'allow')
    } else if (event.key === 'Enter' && isInReason && !event.shiftKey) {
      event.preventDefault()
      answer(asked, 'deny')
    } else if (isInReason) return
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(card.current, event)
    else if (event.key === 'd') {
      if (openDiff(focusedOf(asked, event))) event.preventDefault()
    } else if (/^\p{L}$/u.test(event.key)) {
      event.preventDefault()
      setReason(event.key)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the same
    <div ref={card} class="approvals" onKeyDown={onKeyDown} {...keys} {...presses}>
      <p class="unseen" role="alert">
        {announced(asked, words)}
      </p>
      <div class="approvals-list" tabIndex={mayAllowAll ? undefined : 0}>
        {asked.map(one => (
          <Question
            key={one.id}
            asked={one}
            mayAllow={mayAllow(one)}
            onDiff={() => openDiff(one)}
            onAnswer={is => answer([one], is)}
          />
        ))}
      </div>
      {reason !== undefined && <Reason text={reason} onInput={setReason} onSend={() => answer(asked, 'deny')} />}
      {!isSeen && <p class="muted small">{words.of('scrollToAllow')}</p>}
      {asked.length > 1 && (
        <div class="approvals-all">
          <button type="button" class="primary" disabled={!mayAllowAll} onClick={() => answer(asked, 'allow')}>
            {words.of('allowAll', { count: asked.length })}
          </button>
          <button type="button" class="secondary" onClick={() => answer(asked, 'deny')}>
            {words.of('denyAll')}
          </button>
        </div>
      )}
    </div>
  )
}

/** The card does not show all of the change. */
const isLonger = (one: Asked) =>
  one.is === 'call' &&
  one.call.approval?.preview?.kind === 'change' &&
  one.call.approval.preview.files.some(({ isCut }) => isCut)

function announced(asked: readonly Asked[], words: Words): string {
  const [first] = asked
  if (first === undefined) return ''
  if (asked.length > 1) return words.of('askedAboutCount', { count: asked.length })
  return first.is === 'continue' ? first.text : words.of('askedAbout', { what: toolSentence(first.call, words) })
}

interface QuestionProps {
  asked: Asked
  mayAllow: boolean
  onDiff: () => void
  onAnswer: (is: Decision) => void
}

function Question({ asked, mayAllow, onDiff, onAnswer }: QuestionProps) {
  const words = useWords()
  if (asked.is === 'continue')
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
      <div role="group" class="approval" data-question={asked.id} aria-label={words.of('goOnQuestion')}>
        <p>{asked.text}</p>
        <div class="approval-end" />
        <div class="approval-actions">
          <button type="button" class="primary" data-decides onClick={() => onAnswer('allow')}>
            {words.of('goOn')}
          </button>
          <button type="button" class="secondary" onClick={() => onAnswer('deny')}>
            {words.of('stopHere')}
          </button>
        </div>
      </div>
    )
  const { call } = asked
  const { concerns = [], preview, mayRemember = false } = call.approval ?? {}
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      class="approval"
      data-question={asked.id}
      aria-label={words.of('tool', { name: sanitizeLine(call.name, 80) })}
    >
      <p class="approval-title">{preview?.kind === 'command' ? words.of('mayRun') : toolSentence(call, words)}</p>
      {/* The buttons, which stay in sight, never cover what is asked. */}
      <div>
        {concerns.map((concern, at) => (
          <p key={at} class="approval-concern">
            <Icon name="warning" size={14} /> <span>{concernText(concern, words)}</span>
          </p>
        ))}
        {preview ? <CallPreview preview={preview} onDiff={onDiff} /> : <Input call={call} />}
        <div class="approval-end" />
        <div class="approval-actions">
          <button type="button" class="primary" data-decides disabled={!mayAllow} onClick={() => onAnswer('allow')}>
            {words.of('allow')}
          </button>
          {mayRemember && (
            <button
              type="button"
              class="secondary"
              disabled={!mayAllow}
              onClick={() => onAnswer('allow-for-conversation')}
            >
              {words.of('allowForChat')}
            </button>
          )}
          <button type="button" class="secondary" onClick={() => onAnswer('deny')}>
            {words.of('deny')}
          </button>
        </div>
      </div>
    </div>
  )
}

function Input({ call: { input } }: { call: Call }) {
  return (
    <pre class="approval-input">
      <VisibleText text={JSON.stringify(input, undefined, 2)} />
    </pre>
  )
}

function concernText(concern: CallConcern, words: Words): string {
  switch (concern.is) {
    case 'outside':
      return words.of('concernOutside', { target: sanitizeLine(concern.target) })
    case 'protected':
      return words.of('concernProtected', { target: sanitizeLine(concern.target) })
    case 'link':
      return words.of('concernLink', { target: sanitizeLine(concern.target) })
    case 'secret':
      return words.of('concernSecret', { target: sanitizeLine(concern.target) })
    case 'sends':
      return words.of('concernSends', { target: sanitizeLine(concern.target) })
    case 'hard-link':
      return words.of('concernHardLink')
    case 'ignored':
      return words.of('concernIgnored')
    case 'network':
      return words.of('concernNetwork')
    case 'secret-values':
      return words.of('concernSecretValues')
    case 'no-sandbox':
      return words.of('concernNoSandbox')
    case 'remote-schema':
      return words.of('concernSchema', { hosts: concern.hosts.map(host => sanitizeLine(host)).join(', ') })
  }
}

function Reason({ text, onInput, onSend }: { text: string; onInput: (text: string) => void; onSend: () => void }) {
  const words = useWords()
  const box = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  return (
    <div class="approval-reason">
      <textarea
        ref={box}
        rows={2}
        aria-label={words.of('denyReason')}
        placeholder={words.of('denyReason')}
        value={text}
        onInput={event => onInput(event.currentTarget.value)}
      />
      <button type="button" class="secondary" onClick={onSend}>
        {words.of('deny')}
      </button>
    </div>
  )
}

/** The ids of the questions that were visible to their end: only these can be allowed. */
function useSeen(card: { readonly current: HTMLDivElement | null }, asked: readonly Asked[]): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(none)
  useLayoutEffect(() => {
    const list = card.current?.querySelector('.approvals-list')
    if (!list) return
    const look = () => {
      const end = list.getBoundingClientRect().bottom + END_PX
      const visible = [...list.querySelectorAll('.approval')].flatMap(group => {
        const [text, actions] = [group.querySelector('.approval-end'), group.querySelector('.approval-actions')]
        const id = group.getAttribute('data-question')
        if (id === null || !text || !actions) return []
        // The actions cover the end of the list.
        const { height } = actions.getBoundingClientRect()
        return text.getBoundingClientRect().top + height <= end ? [id] : []
      })
      setSeen(before => (visible.every(id => before.has(id)) ? before : new Set([...before, ...visible])))
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(list)
    list.addEventListener('scroll', look)
    return () => {
      sizes.disconnect()
      list.removeEventListener('scroll', look)
    }
  }, [asked.map(({ id }) => id).join(' ')])
  return seen
}

const none: ReadonlySet<string> = new Set()

/** The card takes the focus from an empty composer, and from nothing else. */
function useFocus(card: { readonly current: HTMLDivElement | null }, store: Store, isSeen: boolean): void {
  const wasTaken = useRef(false)
  useEffect(() => {
    const list = card.current?.querySelector<HTMLElement>('.approvals-list')
    const button = card.current?.querySelector<HTMLElement>('[data-decides]')
    const { activeElement } = document
    const isComposer = activeElement instanceof HTMLTextAreaElement && store.draft.value === ''
    if (isSeen && (activeElement === list || (isComposer && !wasTaken.current))) button?.focus()
    // What must be scrolled first is focused itself.
    else if (!isSeen && isComposer && list && list.scrollHeight > list.clientHeight + END_PX) list.focus()
    else return
    wasTaken.current = true
  }, [isSeen])
}

function move(card: HTMLDivElement | null, event: KeyboardEvent): void {
  const buttons = [...(card?.querySelectorAll<HTMLElement>('[data-decides]') ?? [])]
  if (buttons.length < 2) return
  event.preventDefault()
  const group = (event.target as Element | null)?.closest('.approval')
  const at = buttons.findIndex(button => button.closest('.approval') === group)
  const next = at + (event.key === 'ArrowDown' ? 1 : -1)
  buttons[(next + buttons.length) % buttons.length]?.focus()
}

/** The question that has the focus, or the first one. */
function focusedOf(asked: readonly Asked[], { target }: KeyboardEvent): Asked | undefined {
  const groups = [...document.querySelectorAll('.approvals .approval')]
  return asked[
    Math.max(
      0,
      groups.findIndex(group => target instanceof Node && group.contains(target)),
    )
  ]
}
