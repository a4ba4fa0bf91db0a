// `FindBar`: searches the conversation.
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type SearchOptions, searchPattern } from '../../protocol/shownText.ts'
import type { Message } from '../state/messages.ts'
import type { Found, Place, Store } from '../state/store.ts'
import { findHits, type HitPlace, numberOf, placeBeside, placeFrom, totalOf } from './findHits.ts'
import { currentPlace, occurrencesAbove, type Start, useFindMarks, visiblePlace } from './findMarks.ts'
import { Icon } from './icon.tsx'
import { SearchedTexts } from './searchedTexts.ts'
import { useWords } from './wordsContext.ts'

/** So long after the last key the extension is asked, and the count announced. */
const PAUSE_MS = 150

export interface FindBarProps {
  readonly store: Store
  readonly log: RefObject<HTMLDivElement | null>
  readonly messages: readonly Message[]
  readonly drawn: readonly Message[]
  /** The index of the first message in sight. */
  readonly firstVisible: () => number
  readonly reveal: (index: number) => void
  readonly hold: (place: Place) => void
  readonly onClose: () => void
}

export function FindBar(props: FindBarProps) {
  const { store, onClose } = props
  const words = useWords()
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [options, setOptions] = useState<SearchOptions>({})
  const { place, total, move, keepPlace } = useHits(props, text, options)
  const count = total === 0 ? words.of('findNothing') : words.of('findPlace', { number: place, total })
  const shown = text.trim() === '' ? '' : count
  useAnnounced(shown, store)
  useEffect(() => {
    box.current?.focus()
    box.current?.select()
  }, [store.findCount.value])
  useFindKeys(move)
  const setOption = (option: SearchOptions) => {
    keepPlace()
    setOptions({ ...options, ...option })
  }
  const toggles = [
    {
      letters: 'Aa',
      code: 'KeyC',
      name: words.of('findMatchCase'),
      isOn: options.matchCase === true,
      flip: () => setOption({ matchCase: !options.matchCase }),
    },
    {
      letters: 'ab',
      code: 'KeyW',
      name: words.of('findWholeWord'),
      isOn: options.wholeWord === true,
      flip: () => setOption({ wholeWord: !options.wholeWord }),
    },
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const toggle = isToggleKey(event) ? toggles.find(({ code }) => code === event.code) : undefined
    if (toggle) toggle.flip()
    else if (event.key === 'Enter') move(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search
      class="find"
      onKeyDown={event => event.key === 'Escape' && event.target !== box.current && onKeyDown(event)}
    >
      <input
        ref={box}
        type="search"
        aria-label={words.of('find')}
        placeholder={words.of('find')}
        maxLength={1_000}
        value={text}
        onInput={event => {
          keepPlace()
          setText(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
      {toggles.map(({ letters, name, isOn, flip }) => (
        <button
          key={letters}
          type="button"
          class={`icon-button find-toggle${letters === 'ab' ? ' is-word' : ''}`}
          aria-label={name}
          title={name}
          aria-pressed={isOn}
          data-letters={letters}
          onClick={flip}
        />
      ))}
      <span class="find-count" aria-hidden="true">
        {shown}
      </span>
      <FindButton name={words.of('findPrevious')} icon="up" isDisabled={total === 0} onClick={() => move(-1)} />
      <FindButton name={words.of('findNext')} icon="down" isDisabled={total === 0} onClick={() => move(1)} />
      <FindButton name={words.of('findClose')} icon="close" isDisabled={false} onClick={onClose} />
    </search>
  )
}

/** Those of the editor's own bar. */
const isToggleKey = ({ altKey, ctrlKey, shiftKey }: KeyboardEvent) => altKey && !ctrlKey && !shiftKey

interface FindButtonProps {
  readonly name: string
  readonly icon: 'up' | 'down' | 'close'
  readonly isDisabled: boolean
  readonly onClick: () => void
}

const FindButton = ({ name, icon, isDisabled, onClick }: FindButtonProps) => (
  <button type="button" class="icon-button" aria-label={name} title={name} disabled={isDisabled} onClick={onClick}>
    <Icon name={icon} size={14} />
  </button>
)

/** The occurrences of the text, and the current one of them. */
function useHits(
  { store, messages, drawn, log, firstVisible, reveal, hold }: FindBarProps,
  text: string,
  { matchCase = false, wholeWord = false }: SearchOptions,
) {
  const [current, setCurrent] = useState<HitPlace>()
  const direction = useRef<1 | -1>(1)
  /** Where the search began that is going on with more letters. */
  const start = useRef<Start>(undefined)
  const pattern = useMemo(() => searchPattern(text, { matchCase, wholeWord }), [text, matchCase, wholeWord])
  const answer = store.found.value
  const isAnswer =
    answer?.text === text && (answer.matchCase ?? false) === matchCase && (answer.wholeWord ?? false) === wholeWord
  const found = isAnswer ? answer : undefined
  const { texts, step } = useReadTexts(messages, pattern !== undefined)
  const hits = useMemo(
    () => (pattern ? findHits(messages, pattern, { texts, found }) : []),
    [messages, pattern, found, step],
  )
  useContentOfHits(messages, found, store)
  const goTo = (place: HitPlace | undefined) => {
    const hit = hits.find(({ message }) => message === place?.message)
    if (!hit || !place) return setCurrent(undefined)
    reveal(hit.index)
    hold({ message: hit.message, offset: 0 })
    setCurrent({ ...place })
  }
  useEffect(() => {
    setCurrent(undefined)
    direction.current = 1
    store.search(pattern)
    if (!pattern) return
    const timer = setTimeout(() => store.find(text, { matchCase, wholeWord }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, matchCase, wholeWord])
  const sectionsOf = (message: Message) => pattern && texts.sectionsOf(message, pattern)
  /** The first occurrence that is not above what the user looks at. */
  const firstPlace = () => {
    // The messages are scrolled as soon as there is a place.
    start.current ??= visiblePlace(log.current, messages[firstVisible()]?.id)
    const index = messages.findIndex(({ id }) => id === start.current?.message)
    const place = placeFrom(hits, index)
    const message = messages[index]
    const hit = hits.find(one => one.index === index)
    if (!start.current || !pattern || !message || !hit) return place
    const above = occurrencesAbove({ log, pattern, message, sectionsOf }, start.current)
    return above < hit.count ? { message: message.id, at: above } : placeFrom(hits, index + 1)
  }
  const mayChoose = pattern !== undefined && !current && hits.length > 0
  useEffect(() => {
    if (mayChoose) goTo(firstPlace())
  }, [mayChoose])
  useEffect(() => () => store.search(undefined), [])
  // What the extension has counted about may be no occurrence.
  const isGone = current !== undefined && hits.length > 0 && !hits.some(({ message }) => message === current.message)
  useEffect(() => {
    const index = messages.findIndex(({ id }) => id === current?.message)
    if (isGone) goTo(placeFrom(hits, index, direction.current))
  }, [isGone])
  useFindMarks({ log, drawn, pattern, current, hold, sectionsOf, unfold: part => store.unfoldPart(part) })
  const move = (by: 1 | -1) => {
    direction.current = by
    goTo(placeBeside(hits, current, by))
  }
  const keepPlace = () => {
    start.current = currentPlace(log.current) ?? (text.trim() === '' ? undefined : start.current)
  }
  return { place: numberOf(hits, current), total: totalOf(hits), move, keepPlace }
}

/** Reads the messages that the page has, some in each frame; `step` changes as often as others have been read. */
function useReadTexts(messages: readonly Message[], isOn: boolean) {
  const words = useWords()
  const texts = useRef<SearchedTexts>(undefined)
  texts.current ??= new SearchedTexts(words)
  const read = texts.current
  const [step, setStep] = useState(0)
  useEffect(() => {
    if (!isOn) return
    let frame: number | undefined
    const next = () => {
      const isRest = read.read(messages)
      setStep(before => before + 1)
      frame = isRest ? requestAnimationFrame(next) : undefined
    }
    if (read.lacks(messages)) next()
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [messages, isOn])
  return { texts: read, step }
}

/** So many turns are requested for their occurrences to be counted; of others the extension's count is shown. */
const MOST_REQUESTED = 200

/** Requests what the page lacks of the turns in which the extension has found the text. */
function useContentOfHits(messages: readonly Message[], found: Found | undefined, store: Store): void {
  useEffect(() => {
    if (!found || found.turns.length > MOST_REQUESTED) return
    const turns = new Set(found.turns.map(({ turn }) => turn))
    const lacking = messages.flatMap(({ lacks }) => lacks.filter(turn => turns.has(turn)))
    if (lacking.length > 0) store.request([...new Set(lacking)])
  }, [messages, found])
}

/** Announces the count when it rests. */
function useAnnounced(count: string, store: Store): void {
  useEffect(() => {
    if (!count) return
    const timer = setTimeout(() => store.announce(count), 3 * PAUSE_MS)
    return () => clearTimeout(timer)
  }, [count])
}

/** F3 moves on from anywhere in the page. */
function useFindKeys(move: (by: 1 | -1) => void): void {
  const now = useRef(move)
  now.current = move
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F3') return
      keep(event)
      now.current(event.shiftKey ? -1 : 1)
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
}

/** Whether the bar is open. Ctrl+F opens it, or the extension; closing it gives the focus back. */
export function useFindBar(store: Store): { readonly isOpen: boolean; readonly close: () => void } {
  const [isOpen, setOpen] = useState(false)
  const before = useRef<Element | null>(null)
  const asked = store.findCount.value
  const first = useRef(asked)
  useEffect(() => {
    if (asked === first.current) return
    before.current ??= document.activeElement
    setOpen(true)
  }, [asked])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isFindKey(event)) return
      keep(event)
      store.openFind()
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
  const close = () => {
    setOpen(false)
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
    before.current = null
  }
  return { isOpen, close }
}

const isFindKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === 'f' && (ctrlKey || metaKey) && !altKey && !shiftKey

/** The editor around the page does not get the key. */
function keep(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
