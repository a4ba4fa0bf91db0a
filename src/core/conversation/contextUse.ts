// `contextUse`: how many tokens each part of a conversation takes in what the model is sent.
import { sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import type { ConversationState, Step, Turn } from '../../protocol/conversationState.ts'
import type { AnswerPart, ModelMessage, ToolDeclaration, UserPart } from '../model/modelClient.ts'
import { MESSAGE_TOKENS, partTokens, textTokens } from '../model/tokenEstimate.ts'
import { stepMessages, summaryMessage, userMessage } from './promptMessages.ts'
import { sentTurns } from './sentTurns.ts'

/** In estimated tokens, before any correction. */
export interface ContextUse {
  readonly system: number
  readonly tools: number
  /** The summary, with the user's messages that it keeps. */
  readonly summary: number
  /** Questions and answers, without what was attached. */
  readonly conversation: number
  /** What went along of the workspace by itself, which has no name of the user's. */
  readonly surroundings: number
  /** What was attached to earlier messages, by name. */
  readonly attached: ReadonlyMap<string, number>
  readonly total: number
  /** The last request that the service counted and that is still the beginning of the next. */
  readonly counted: { readonly estimate: number; readonly tokens: number } | undefined
}

export interface UseNeeds {
  readonly system: string
  readonly tools: readonly ToolDeclaration[]
  /** Only the counts of this model hold. */
  readonly model: string
  readonly clock: Clock
}

/** Each turn is counted once, as long as it does not change; the count pauses often enough not to block the window. */
export async function contextUse(
  state: ConversationState,
  { system, tools, model, clock }: UseNeeds,
  signal: AbortSignal,
): Promise<ContextUse> {
  const slices = new Slices(clock, signal)
  const { summary, covered, rest, turns } = sentTurns(state)
  const sum = new Sum(model, state.rewrittenAt ?? Number.NEGATIVE_INFINITY)
  sum.system = system === '' ? 0 : MESSAGE_TOKENS + textTokens(system)
  sum.tools = tools.length === 0 ? 0 : await toolTokens(tools)
  const last = covered.at(-1)
  if (summary && last) {
    const { parts } = summaryMessage(covered, summary)
    sum.summary = await remembered(summary, parts.length, () => slices.count(parts))
    for (const step of rest) sum.addStep(last, step, await stepTokens(step, last, state, slices))
  }
  for (const turn of turns) {
    sum.addPrompt(await promptTokens(turn.prompt, slices))
    for (const step of turn.steps) sum.addStep(turn, step, await stepTokens(step, turn, state, slices))
  }
  return sum.use
}

/** The estimate for parts that are not in the conversation yet. */
export function partsTokens(parts: readonly PromptPart[], clock: Clock, signal: AbortSignal): Promise<number> {
  return new Slices(clock, signal).count(userMessage(parts).parts)
}

class Sum {
  system = 0
  tools = 0
  summary = 0
  #conversation = 0
  #surroundings = 0
  #counted: ContextUse['counted']
  readonly #attached = new Map<string, number>()
  readonly #model: string
  readonly #since: number

  constructor(model: string, since: number) {
    this.#model = model
    this.#since = since
  }

  addPrompt({ text, surroundings, attached }: PromptTokens): void {
    this.#conversation += text
    this.#surroundings += surroundings
    for (const { name, tokens } of attached) this.#attached.set(name, (this.#attached.get(name) ?? 0) + tokens)
  }

  addStep({ startedAt }: Turn, { model, usage }: Step, { asked, answered }: StepTokens): void {
    this.#conversation += asked
    if (usage && model === this.#model && startedAt > this.#since)
      this.#counted = { estimate: this.#total, tokens: usage.input }
    this.#conversation += answered
  }

  get #total(): number {
    const attached = [...this.#attached.values()].reduce((all, one) => all + one, 0)
    return this.system + this.tools + this.summary + this.#conversation + this.#surroundings + attached
  }

  get use(): ContextUse {
    const { system, tools, summary } = this
    const conversation = this.#conversation
    const rest = { surroundings: this.#surroundings, attached: this.#attached, counted: this.#counted }
    return { system, tools, summary, conversation, ...rest, total: this.#total }
  }
}

interface PromptTokens {
  readonly text: number
  readonly surroundings: number
  readonly attached: readonly { readonly name: string; readonly tokens: number }[]
}

interface StepTokens {
  /** The messages that were sent during the step before. */
  readonly asked: number
  readonly answered: number
}

const prompts = new WeakMap<readonly PromptPart[], PromptTokens>()
const steps = new WeakMap<Step, { readonly omitted: ReadonlySet<string>; readonly tokens: StepTokens }>()
/** By the object that is counted; `size` is whatever else the count depends on. */
const others = new WeakMap<object, { readonly size: number; readonly tokens: number }>()

async function promptTokens(prompt: readonly PromptPart[], slices: Slices): Promise<PromptTokens> {
  const known = prompts.get(prompt)
  if (known) return known
  const attached: { name: string; tokens: number }[] = []
  let text = MESSAGE_TOKENS
  let surroundings = 0
  for (const part of prompt) {
    const tokens = await slices.count(userMessage([part]).parts)
    if (part.kind === 'text') text += tokens
    else if (part.kind === 'attachment' && part.source === 'environment') surroundings += tokens
    else attached.push({ name: part.name ?? '', tokens })
  }
  const counted = { text, surroundings, attached }
  prompts.set(prompt, counted)
  return counted
}

async function stepTokens(step: Step, turn: Turn, state: ConversationState, slices: Slices): Promise<StepTokens> {
  const { omitted } = state
  const known = steps.get(step)
  if (known?.omitted === omitted) return known.tokens
  const messages = stepMessages([step], turn, state)
  const count = step.messages.length
  const tokens = {
    asked: await messageTokens(messages.slice(0, count), slices),
    answered: await messageTokens(messages.slice(count), slices),
  }
  // Whether a broken answer is sent depends on the steps after it.
  if (step.why !== 'broken') steps.set(step, { omitted, tokens })
  return tokens
}

async function messageTokens(messages: readonly ModelMessage[], slices: Slices): Promise<number> {
  let tokens = 0
  for (const { parts } of messages) tokens += MESSAGE_TOKENS + (await slices.count(parts))
  return tokens
}

const toolTokens = (tools: readonly ToolDeclaration[]) =>
  remembered(tools, 0, async () => textTokens(JSON.stringify(tools)))

async function remembered(of: object, size: number, count: () => Promise<number>): Promise<number> {
  const known = others.get(of)
  if (known?.size === size) return known.tokens
  const tokens = await count()
  others.set(of, { size, tokens })
  return tokens
}

/** How long the window may be blocked at once. */
const SLICE_MS = 8
/** Of a text that is counted in one go. */
const SLICE_CHARS = 16_384

class Slices {
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #since: number

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock
    this.#signal = signal
    this.#since = clock.elapsed()
  }

  async count(parts: readonly (UserPart | AnswerPart)[]): Promise<number> {
    let tokens = 0
    for (const part of parts) {
      if (part.kind === 'text') tokens += await this.#countText(part.text)
      else tokens += partTokens(part)
    }
    return tokens
  }

  async #countText(text: string): Promise<number> {
    let tokens = 0
    for (let at = 0; at < text.length; at += SLICE_CHARS) {
      tokens += textTokens(text.slice(at, at + SLICE_CHARS))
      await this.#pause()
    }
    return tokens
  }

  async #pause(): Promise<void> {
    this.#signal.throwIfAborted()
    if (this.#clock.elapsed() - this.#since < SLICE_MS) return
    await sleep(this.#clock, 0, this.#signal)
    this.#since = this.#clock.elapsed()
  }
}
