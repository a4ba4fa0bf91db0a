// `PanelMeter`: how much of the model's window the next request of one panel takes, what does not fit, and the compaction of its conversation.
import { isAbort, type LinkedAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore, onEnd } from '../../base/disposable.ts'
import {
  type CompactionNeeds,
  type CompactionOutcome,
  compact,
  mayCompact,
  wouldShorten,
} from '../../core/agent/compaction.ts'
import type { Session } from '../../core/agent/session.ts'
import { declarations } from '../../core/agent/turnRequest.ts'
import { type ContextUse, contextUse, partsTokens } from '../../core/conversation/contextUse.ts'
import { chatPrompt } from '../../core/conversation/prompt.ts'
import { slashCommandOf } from '../../core/conversation/slashCommands.ts'
import { usedTokens } from '../../core/conversation/usedTokens.ts'
import type { Counted } from '../../core/model/tokenCounter.ts'
import type { PageContextUse, UsePart, UseTrouble } from '../../protocol/contextUse.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { pathOf } from '../../protocol/conversationPath.ts'
import { type ConversationState, emptyConversation, isDelta, type Summary } from '../../protocol/conversationState.ts'
import type { Chip } from '../../protocol/draft.ts'
import type { FromPage, ToPage } from '../../protocol/panel.ts'
import { runCommand } from '../ui/commands.ts'
import { faultNotice } from '../ui/faultNotice.ts'
import type { Names } from '../ui/faultSentence.ts'
import type { DraftMemory } from './draftMemory.ts'
import { compactionText, tooLongText } from './meterText.ts'
import type { EditedQuestion } from './panelContext.ts'

export interface PanelMeterOptions {
  readonly model: () => string | undefined
  /** What writes the summaries. */
  readonly compaction: () => Promise<CompactionNeeds>
  readonly names: () => Names
  readonly drafts: DraftMemory
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

/** The messages of the page that are about the size of the conversation. */
export type MeterMessage = Extract<
  FromPage,
  { kind: 'compact' | 'stop-compaction' | 'dismiss-trouble' | 'change-summary' | 'restore-summary' | 'preview-request' }
>

export const meterKinds: Readonly<Record<MeterMessage['kind'], true>> = {
  compact: true,
  'stop-compaction': true,
  'dismiss-trouble': true,
  'change-summary': true,
  'restore-summary': true,
  'preview-request': true,
}

interface ConversationTrouble {
  readonly conversation: string
  /** It ends when the unsent message fits. */
  readonly isOfDraft: boolean
  readonly is: UseTrouble
}

interface MeterPanel {
  readonly send: (message: ToPage) => void
  readonly session: () => Session
  readonly chips: () => readonly Chip[]
  /** The questions that are being changed. */
  readonly edits: () => readonly EditedQuestion[]
}

/** `isOfDraft`: a message that comes from the composer. */
export interface Attached {
  readonly chips: readonly Chip[]
  readonly isOfDraft: boolean
}

/** What is written and not sent, and the conversation before it. */
interface Unsent {
  readonly session: Session
  readonly state: ConversationState
  readonly chips: readonly Chip[]
  readonly text: string
}

/** How long after a change it is counted again: more changes may follow. */
const COUNT_AFTER_MS = 250
/** Smaller attachments are not named as what to remove. */
const LEAST_DROPPED = 500
const MOST_DROPPED = 3
/** Of earlier attachments; the rest is shown as one. */
const MOST_ATTACHED = 12

export class PanelMeter implements Disposable {
  readonly #options: PanelMeterOptions
  readonly #panel: MeterPanel
  #cancelTimer: (() => void) | undefined
  #counting: AbortController | undefined
  #compaction: { readonly conversation: string; readonly abort: LinkedAbort } | undefined
  #trouble: ConversationTrouble | undefined
  #shown: PageContextUse | undefined

  constructor(options: PanelMeterOptions, panel: MeterPanel) {
    this.#options = options
    this.#panel = panel
  }

  /** Counts again after each event that changes what the model is sent; `onChange` as well. */
  follow(session: Session, onChange: () => void): Disposable {
    const disposables = new DisposableStore()
    const update = (event: ConversationEvent) => {
      if (isDelta(event)) return
      this.updateSoon()
      onChange()
    }
    disposables.add(session.onDidAppend(update))
    disposables.add(onEnd(() => this.#counting?.abort()))
    this.#shown = undefined
    this.updateSoon()
    onChange()
    return disposables
  }

  updateSoon(): void {
    if (this.#cancelTimer) return
    this.#cancelTimer = this.#options.clock.later(COUNT_AFTER_MS, () => {
      this.#cancelTimer = undefined
      this.#update().catch(fault => isAbort(fault) || this.#options.report(fault))
    })
  }

  receive(message: MeterMessage): void {
    const { report } = this.#options
    switch (message.kind) {
      case 'compact':
        return void this.compact()
      case 'stop-compaction':
        return this.#compaction?.abort.stop()
      case 'dismiss-trouble':
        return this.#setTrouble(undefined)
      case 'change-summary':
        return void this.#panel.session().changeSummary(message.summary, message.text).catch(report)
      case 'restore-summary':
        // as: the schema infers an optional member that may be undefined.
        return void this.#panel
          .session()
          .restoreSummary(message.summary as Summary)
          .catch(report)
      case 'preview-request':
        return runCommand('kourier.previewRequest')
    }
  }

  /**
   * Whether a question fits, with which the conversation would be `next`. If it does not, the page shows why and what
   * helps. Where that cannot be computed, the question is asked, and the service decides. `chips`: what is attached to it.
   */
  async fits(
    session: Session,
    next: ConversationState,
    { chips, isOfDraft }: Attached,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.#setTrouble(undefined)
    try {
      const is = await this.#tooLong(session, next, chips, signal)
      if (is) this.#setTrouble({ conversation: session.id, isOfDraft, is })
      return is === undefined
    } catch (fault) {
      signal.throwIfAborted()
      this.#options.report(fault)
      return true
    }
  }

  async #tooLong(
    session: Session,
    next: ConversationState,
    chips: readonly Chip[],
    signal: AbortSignal,
  ): Promise<UseTrouble | undefined> {
    const { counter, limitsOf } = await this.#options.compaction()
    const model = this.#options.model() ?? ''
    const use = await this.#use(session, next, signal)
    const correct = usedTokens(use, model, counter)
    const { tokens, least } = correct(use.total + (await this.#queuedPart(next, signal)))
    const limit = limitsOf(model).input
    if (least <= limit) return undefined
    const drops = largest(chips, tokens - limit)
    const alone = use.system + use.tools + (await this.#questionPart(next, signal))
    const fitsAlone = correct(alone).least <= limit
    const isCompactable = fitsAlone && wouldShorten(session.conversation, next)
    const names = drops.map(({ label }) => label)
    const helpsNewChat = fitsAlone && session.length > 0
    return {
      text: tooLongText({ tokens, limit, names, isCompactable, helpsNewChat, model }),
      drops,
      helps: [...(isCompactable ? ['compact' as const] : []), ...(helpsNewChat ? ['new-chat' as const] : [])],
    }
  }

  /** Has a model summarize all but the last turns. What prevents it is shown in the page. */
  async compact(): Promise<void> {
    if (this.#compaction) return
    const session = this.#panel.session()
    const abort = linkedAbort()
    const { id: conversation } = session
    this.#compaction = { conversation, abort }
    this.#setTrouble(undefined)
    const text = await this.#compactionTrouble(session, abort.signal)
    this.#compaction = undefined
    this.#setTrouble(text === undefined ? undefined : { conversation, isOfDraft: false, is: onlyText(text) })
    this.updateSoon()
  }

  /** Sends what was counted last again, for a page that is new. */
  sendState(): void {
    if (this.#shown) this.#send(this.#shown)
    else this.updateSoon()
  }

  async #compactionTrouble(session: Session, signal: AbortSignal): Promise<string | undefined> {
    try {
      const outcome: CompactionOutcome = await compact(session, await this.#options.compaction(), signal)
      return compactionText(outcome)
    } catch (fault) {
      return isAbort(fault) ? undefined : faultNotice(fault, this.#options.names()).text
    }
  }

  async #update(): Promise<void> {
    this.#counting?.abort()
    const counting = new AbortController()
    this.#counting = counting
    const { signal } = counting
    const session = this.#panel.session()
    const { text = '', edits = {} } = this.#options.drafts.saved(session.id) ?? {}
    const { conversation: state } = session
    const use = await this.#counted({ session, state, chips: this.#panel.chips(), text }, signal)
    if (this.#trouble?.isOfDraft && use.tokens <= use.limit) this.#trouble = undefined
    this.#shown = use
    this.#send(use)
    for (const { turn, automatic, chips } of this.#panel.edits()) {
      const edited = { session, state: session.withEdit(turn, '', automatic), chips, text: edits[turn] ?? '' }
      this.#send(await this.#counted(edited, signal), turn)
    }
  }

  /** What the next request takes once the text is sent in the conversation, with what is attached to it. */
  async #counted({ session, state, chips, text }: Unsent, signal: AbortSignal): Promise<PageContextUse> {
    const { counter, limitsOf } = await this.#options.compaction()
    const model = this.#options.model() ?? ''
    const use = await this.#use(session, state, signal)
    const correct = usedTokens(use, model, counter)
    const queued = await this.#queuedPart(state, signal)
    const written = await this.#textPart(text, signal)
    signal.throwIfAborted()
    const parts = [
      ...conversationParts(use, correct),
      ...sized('queued', queued, correct),
      ...chipParts(chips),
      ...sized('text', written, correct),
    ]
    return {
      tokens: parts.reduce((sum, one) => sum + one.tokens, 0),
      limit: limitsOf(model).input,
      parts: parts.toSorted((a, b) => b.tokens - a.tokens),
      mayCompact: mayCompact(session.conversation),
      isCompacting: false,
    }
  }

  async #use(session: Session, state: ConversationState, signal: AbortSignal): Promise<ContextUse> {
    const { clock, model } = this.#options
    const tools = await session.tools()
    const { system } = chatPrompt(emptyConversation(session.id), tools)
    return contextUse(state, { system, tools: declarations(tools), model: model() ?? '', clock }, signal)
  }

  /** Messages that wait are sent before the next one. */
  async #queuedPart({ queued }: ConversationState, signal: AbortSignal): Promise<number> {
    const parts = queued.flatMap(message => message.parts)
    return parts.length === 0 ? 0 : partsTokens(parts, this.#options.clock, signal)
  }

  /** The last question with all that is attached to it. */
  async #questionPart(state: ConversationState, signal: AbortSignal): Promise<number> {
    const prompt = pathOf(state).at(-1)?.prompt ?? []
    return partsTokens(prompt, this.#options.clock, signal)
  }

  async #textPart(text: string, signal: AbortSignal): Promise<number> {
    const { clock } = this.#options
    if (text.trim() === '' || slashCommandOf(text)?.command.acts) return 0
    return partsTokens([{ kind: 'text', id: 'text', text }], clock, signal)
  }

  #setTrouble(trouble: ConversationTrouble | undefined): void {
    this.#trouble = trouble
    this.#send(this.#shown ?? { tokens: 0, limit: 0, parts: [], mayCompact: false, isCompacting: false })
  }

  /** `edited`: it is about the changed question of this turn. */
  #send(use: PageContextUse, edited?: string): void {
    const { id: conversation } = this.#panel.session()
    const isCompacting = this.#compaction?.conversation === conversation
    const trouble = this.#trouble?.conversation === conversation ? this.#trouble.is : undefined
    const now = { ...use, isCompacting, ...(trouble && { trouble }) }
    // as: the schema infers mutable arrays, and no reader changes them.
    this.#panel.send({ kind: 'context-use', conversation, ...(edited && { edited }), use: now } as ToPage)
  }

  dispose(): void {
    this.#cancelTimer?.()
    this.#counting?.abort()
    this.#compaction?.abort.stop()
  }
}

const onlyText = (text: string): UseTrouble => ({ text, drops: [], helps: [] })

type Correct = (estimate: number) => Counted

function conversationParts(use: ContextUse, correct: Correct): UsePart[] {
  const attached = [...use.attached].sort(([, a], [, b]) => b - a)
  const rest = attached.slice(MOST_ATTACHED).reduce((sum, [, tokens]) => sum + tokens, 0)
  return [
    ...sized('system', use.system, correct),
    ...sized('tools', use.tools, correct),
    ...sized('summary', use.summary, correct),
    ...sized('conversation', use.conversation + rest, correct),
    ...sized('surroundings', use.surroundings, correct),
    ...attached
      .slice(0, MOST_ATTACHED)
      .flatMap(([label, tokens]) => sized('attached', tokens, correct).map(part => ({ ...part, label }))),
  ]
}

function sized(kind: UsePart['kind'], estimate: number, correct: Correct): UsePart[] {
  const { tokens } = correct(estimate)
  return tokens > 0 ? [{ kind, tokens }] : []
}

/** Chips have their tokens from when they were read. */
function chipParts(chips: readonly Chip[]): UsePart[] {
  return chips.flatMap(({ id: chip, label, state, tokens }) =>
    state === 'ready' && tokens !== undefined ? [{ kind: 'chip', chip, label, tokens }] : [],
  )
}

/** The largest attachments, as many as are needed for the rest to fit. */
function largest(chips: readonly Chip[], over: number): { chip: string; label: string }[] {
  const bySize = chips
    .filter(({ tokens = 0 }) => tokens >= LEAST_DROPPED)
    .toSorted((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0))
    .slice(0, MOST_DROPPED)
  let left = over
  return bySize.flatMap(({ id: chip, label, tokens = 0 }) => {
    const isNeeded = left > 0
    left -= tokens
    return isNeeded ? [{ chip, label }] : []
  })
}
