// `ContextMeter`: how much of the model's window the next request takes, and on request what takes it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { PageContextUse, UsePart } from '../../protocol/contextUse.ts'
import type { Store } from '../state/store.ts'
import type { Words } from '../words.ts'
import { longCount, shortCount } from './shortCount.ts'
import { useWords } from './wordsContext.ts'

/** Less is nothing to think about. */
const shownFrom = 0.1
/** From here on there is a button that summarizes the conversation. */
const offeredFrom = 0.8
const POPOVER_ID = 'context-used'

export function ContextMeter({ use, store }: { use: PageContextUse | undefined; store: Store }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useOutside(place, isOpen, () => setOpen(false))
  if (!use || use.limit === 0) return null
  const part = use.tokens / use.limit
  const text = usedText(use, words)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  return (
    <span ref={place} class="context-meter">
      <span class="meter-place">
        {/* biome-ignore lint/a11y/useSemanticElements: the element has no ring */}
        <span
          class={`meter ${levelOf(part)}`}
          role="meter"
          aria-label={words.of('contextUsed')}
          aria-valuemin={0}
          aria-valuemax={use.limit}
          aria-valuenow={Math.min(use.tokens, use.limit)}
          aria-valuetext={text}
        >
          <Ring part={part} />
          {part >= shownFrom && <span class="meter-percent">{words.of('percent', { count: percentOf(part) })}</span>}
        </span>
        <button
          ref={opener}
          type="button"
          class="meter-open"
          aria-label={words.of('showContextUsed')}
          aria-expanded={isOpen}
          aria-controls={isOpen ? POPOVER_ID : undefined}
          title={text}
          onClick={() => setOpen(!isOpen)}
        />
      </span>
      {isOpen && <Popover use={use} store={store} onClose={close} />}
    </span>
  )
}

const percentOf = (part: number) => Math.round(100 * part)

function usedText({ tokens, limit }: PageContextUse, words: Words): string {
  const percent = percentOf(tokens / limit)
  return words.of('contextUsedOf', { tokens: longCount(tokens), limit: longCount(limit), percent })
}

function levelOf(part: number): string {
  if (part > 1) return 'over'
  return part >= offeredFrom ? 'high' : 'low'
}

/** The circumference is 100, so a dash is a percentage. */
function Ring({ part }: { part: number }) {
  const filled = Math.min(100, percentOf(part))
  return (
    <svg class="ring" width="16" height="16" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <circle class="ring-whole" cx="20" cy="20" r="15.915" />
      <circle class="ring-part" cx="20" cy="20" r="15.915" stroke-dasharray={`${filled} 100`} />
    </svg>
  )
}

interface PopoverProps {
  readonly use: PageContextUse
  readonly store: Store
  readonly onClose: () => void
}

function Popover({ use, store, onClose }: PopoverProps) {
  const words = useWords()
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // It would stop the answer as well.
    event.stopPropagation()
    onClose()
  }
  const run = (act: () => void) => {
    act()
    onClose()
  }
  return (
    <div
      ref={box}
      id={POPOVER_ID}
      class="meter-popover"
      role="dialog"
      aria-label={words.of('contextUsed')}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <p>{usedText(use, words)}</p>
      <ul aria-label={words.of('contextParts')}>
        {use.parts.map(part => (
          <PartRow key={`${part.kind} ${part.chip ?? part.label}`} part={part} use={use} store={store} run={run} />
        ))}
      </ul>
      <div class="meter-buttons">
        {use.mayCompact && !use.isCompacting && use.tokens >= offeredFrom * use.limit && (
          <button type="button" class="secondary" onClick={() => run(() => store.compact())}>
            {words.of('compact')}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => run(() => store.previewRequest())}>
          {words.of('previewRequest')}
        </button>
      </div>
    </div>
  )
}

interface RowProps {
  readonly part: UsePart
  readonly use: PageContextUse
  readonly store: Store
  readonly run: (act: () => void) => void
}

function PartRow({ part, use, store, run }: RowProps) {
  const words = useWords()
  const name = partName(part, words)
  return (
    <li class="meter-row">
      <span class="meter-name" title={name}>
        {name}
      </span>
      <span class="meter-count">{shortCount(part.tokens)}</span>
      <span class="meter-remedy">
        <PartRemedy part={part} name={name} use={use} store={store} run={run} />
      </span>
    </li>
  )
}

function PartRemedy({ part: { kind, chip }, name, use, store, run }: RowProps & { name: string }) {
  const words = useWords()
  if (chip !== undefined) {
    return (
      <button
        type="button"
        class="quiet"
        aria-label={words.of('removeNamed', { name })}
        onClick={() => store.removeChip(chip)}
      >
        {words.of('remove')}
      </button>
    )
  }
  if (!rowsWithRemedy.has(kind)) return null
  if (use.mayCompact && !use.isCompacting && kind !== 'summary') {
    return (
      <button
        type="button"
        class="quiet"
        aria-label={words.of('compactNamed', { name })}
        onClick={() => run(() => store.compact())}
      >
        {words.of('compact')}
      </button>
    )
  }
  return kind === 'conversation' || kind === 'summary' ? (
    <button type="button" class="quiet" onClick={() => run(() => store.newChat())}>
      {words.of('newChat')}
    </button>
  ) : null
}

/** Those that a summary replaces, or that another chat does not have. */
const rowsWithRemedy: ReadonlySet<UsePart['kind']> = new Set(['conversation', 'surroundings', 'attached', 'summary'])

const names = {
  system: 'useSystem',
  tools: 'useTools',
  summary: 'useSummary',
  conversation: 'useConversation',
  surroundings: 'useSurroundings',
  queued: 'queuedMessages',
  text: 'useText',
} as const

function partName({ kind, label = '' }: UsePart, words: Words): string {
  const name = sanitizeLine(label, 120) || words.of('image')
  if (kind === 'chip') return name
  return kind === 'attached' ? words.of('useAttached', { name }) : words.of(names[kind])
}

/** Calls `onOutside` when the user presses or focuses something else. */
function useOutside(place: { readonly current: HTMLElement | null }, isOn: boolean, onOutside: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined
    const check = ({ target }: Event) => {
      if (target instanceof Node && !place.current?.contains(target)) onOutside()
    }
    document.addEventListener('pointerdown', check)
    document.addEventListener('focusin', check)
    return () => {
      document.removeEventListener('pointerdown', check)
      document.removeEventListener('focusin', check)
    }
  }, [isOn])
}
