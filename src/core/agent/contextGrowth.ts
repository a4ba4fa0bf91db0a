// `ContextGrowth`: keeps the requests of a conversation within the model's window: leaves out old results, then has a summary written.
import { isAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { PartOf, PromptPart, SummaryExtras } from '../../protocol/conversation.ts'
import { type ConversationState, reduce } from '../../protocol/conversationState.ts'
import { type ContextUse, contextUse, partsTokens } from '../conversation/contextUse.ts'
import { type Cut, cutOf, resultsToOmit } from '../conversation/growth.ts'
import { callName } from '../conversation/omittedResult.ts'
import { sentParts, sentTurns } from '../conversation/sentTurns.ts'
import { resultTokens } from '../conversation/stepTokens.ts'
import { usedTokens } from '../conversation/usedTokens.ts'
import { TooLongError } from '../http/errors.ts'
import type { ModelClient } from '../model/modelClient.ts'
import type { QueuedRequest } from '../model/queuedClient.ts'
import type { Limits } from '../model/tokenBudgetClient.ts'
import type { Counted, TokenCounter } from '../model/tokenCounter.ts'
import { KEPT_TOKENS, summaryText } from './compaction.ts'
import { type FactSources, knownFacts } from './knownFacts.ts'
import type { Growth, TurnLog } from './turnPorts.ts'

export interface GrowthSources extends FactSources {
  readonly counter: TokenCounter
  readonly limitsOf: (model: string) => Limits
  /** The instruction files as they are now; one that cannot be read any more is left out. */
  readonly instructions: (uris: readonly string[], signal: AbortSignal) => Promise<readonly PromptPart[]>
}

export interface GrowthOptions {
  readonly log: TurnLog
  readonly sources: GrowthSources
  readonly models: ModelClient
  /** What goes along with the first question of a conversation by itself. */
  readonly surroundings: (signal: AbortSignal) => Promise<readonly PromptPart[]>
  readonly newId: () => string
  readonly clock: Clock
}

/** Parts of the window. */
const OMIT_ABOVE = 0.7
const SUMMARIZE_ABOVE = 0.88
/** Right after a summary: the work would soon need the next one. */
const FULL_ABOVE = 0.6

/** The numbers below are for a window of this size; in a smaller one they are the same part of it. */
const USUAL_LIMIT = 262_144
const KEPT_RESULTS = 40_000
const LEAST_FREED = 40_000
/** Between two summaries. */
const LEAST_NEW = 40_000
/** A summary of less would hardly be shorter. */
const LEAST_COVERED = 10_000
/** Of the user's words. */
const WORDS = 8_000

/** Of one turn. */
export class ContextGrowth implements Growth {
  readonly #options: GrowthOptions
  /** The size at which no summary could be written. */
  #failedAt: number | undefined

  constructor(options: GrowthOptions) {
    this.#options = options
  }

  /** Rejects with `TooLongError` if the request does not fit whatever is left out. */
  async makeRoom(request: Omit<QueuedRequest, 'messages'>, signal: AbortSignal): Promise<number | undefined> {
    const limit = this.#options.sources.limitsOf(request.model).input
    const usual = { keep: scaled(KEPT_RESULTS, limit), least: scaled(LEAST_FREED, limit) }
    let size = await this.#size(request, signal)
    const omit = async (range: OmittedRange) => {
      if (await this.#omitResults(size, range)) size = await this.#size(request, signal)
    }
    if (size.tokens > OMIT_ABOVE * limit) await omit(usual)
    const isCompacted = size.tokens > SUMMARIZE_ABOVE * limit && (await this.#summarize(request, size, limit, signal))
    if (isCompacted) size = await this.#size(request, signal)
    // Better without more of the results than not at all.
    if (isTooLong(size, limit)) await omit({ keep: 0, least: 1 })
    if (isTooLong(size, limit)) throw tooLong(size, limit, this.#options.log.state)
    return isCompacted && size.tokens > FULL_ABOVE * limit ? Math.round((100 * size.tokens) / limit) : undefined
  }

  async #omitResults({ factor }: Size, { keep, least }: OmittedRange): Promise<boolean> {
    const { log } = this.#options
    const parts = resultsToOmit(log.state, { keep: keep / factor, least: least / factor })
    if (parts.length > 0) await log.append({ kind: 'results-omitted', parts: [...parts] })
    return parts.length > 0
  }

  /** False, and nothing has changed, if it would be the second within few tokens, or would not shorten the request. */
  async #summarize(
    request: Omit<QueuedRequest, 'messages'>,
    size: Size,
    limit: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { log, models, sources } = this.#options
    const { factor } = size
    const cut = this.#isTooSoon(size, limit)
      ? undefined
      : cutOf(log.state, { keep: scaled(KEPT_TOKENS, limit) / factor, least: scaled(LEAST_COVERED, limit) / factor })
    if (!cut) return false
    try {
      const text = await summaryText(log.state, cut, { ...sources, models, request }, signal)
      const summary = text === undefined ? undefined : await this.#shorter(cut, text, request, size, signal)
      if (summary) await log.append(summary)
      else this.#failedAt = size.tokens
      return summary !== undefined
    } catch (fault) {
      if (signal.aborted || isAbort(fault)) throw fault
      // The request itself may still fit; if it fails as well, its fault is shown.
      this.#failedAt = size.tokens
      return false
    }
  }

  /** Where no summary could be written, the next one is tried at once only if the request does not fit without it. */
  #isTooSoon({ tokens, most }: Size, limit: number): boolean {
    const least = scaled(LEAST_NEW, limit)
    const { extras } = sentTurns(this.#options.log.state).summary ?? {}
    if (extras && extras.limit === limit && tokens - extras.tokens < least) return true
    return this.#failedAt !== undefined && most <= limit && tokens - this.#failedAt < least
  }

  async #shorter(cut: Cut, text: string, request: Omit<QueuedRequest, 'messages'>, before: Size, signal: AbortSignal) {
    const { log, newId, clock } = this.#options
    const limit = this.#options.sources.limitsOf(request.model).input
    const extras = await this.extras(limit, signal)
    const summary = { kind: 'summary', ...cut, summary: newId(), text } as const
    const { conversation, n } = log.state
    const event = { ...summary, extras, conversation, n: n + 1, time: clock.now() }
    const after = await this.#size(request, signal, reduce(log.state, event))
    if (after.estimate >= before.estimate) return undefined
    return { ...summary, extras: { ...extras, tokens: Math.round(after.estimate * before.factor) } }
  }

  /** What goes with a summary that is written now. `limit`: the model's window; unknown where no turn needs the summary. */
  async extras(limit: number | undefined, signal: AbortSignal): Promise<SummaryExtras> {
    const { log, sources, surroundings } = this.#options
    const { state } = log
    return {
      surroundings: [...(await surroundings(signal)), ...(await this.#instructions(state, signal))],
      facts: knownFacts(state, sources),
      words: limit === undefined ? WORDS : scaled(WORDS, limit),
      tokens: 0,
      limit: limit ?? 0,
    }
  }

  /** Those that were sent before, as they are now. */
  async #instructions(state: ConversationState, signal: AbortSignal): Promise<readonly PromptPart[]> {
    const sent = sentParts(state).filter(isInstructions)
    const uris = [...new Set(sent.flatMap(({ uri }) => uri ?? []))]
    return uris.length > 0 ? this.#options.sources.instructions(uris, signal) : []
  }

  async #size(
    { model, system = '', tools = [] }: Omit<QueuedRequest, 'messages'>,
    signal: AbortSignal,
    state = this.#options.log.state,
  ): Promise<Size> {
    const { clock, sources } = this.#options
    const use = await contextUse(state, { system, tools, model, clock }, signal)
    const waiting = state.queued.flatMap(({ parts }) => parts)
    const estimate = use.total + (waiting.length > 0 ? await partsTokens(waiting, clock, signal) : 0)
    const counted = usedTokens(use, model, sources.counter)(estimate)
    const factor = estimate > 0 ? counted.tokens / estimate : 1
    return { ...counted, estimate, factor, use }
  }
}

interface Size extends Counted {
  readonly estimate: number
  /** From the estimate to the tokens of the model. */
  readonly factor: number
  readonly use: ContextUse
}

/** The newest `keep` tokens of results stay, and nothing happens for fewer than `least`. */
interface OmittedRange {
  readonly keep: number
  readonly least: number
}

/** A count that may be wrong by more than this leaves the decision to the service. */
const SURE = 1.13

const isTooLong = ({ tokens, least, most }: Size, limit: number) => (most <= tokens * SURE ? most : least) > limit

const MOST_NAMED = 3
/** Smaller parts are not named as what takes the room. */
const LEAST_NAMED = 1 / 20

/** Names the largest attachments and results. */
function tooLong({ tokens, use }: Size, limit: number, state: ConversationState): TooLongError {
  const { rest, turns } = sentTurns(state)
  const steps = [...rest, ...turns.flatMap(turn => turn.steps)]
  const results = steps
    .flatMap(({ parts }) => parts)
    .flatMap(part =>
      part.kind === 'tool-call' && part.result && !state.omitted.has(part.id)
        ? [[callName(part), resultTokens(part.result)] as const]
        : [],
    )
  const largest = [...use.attached, ...results]
    .filter(([, size]) => size >= limit * LEAST_NAMED)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_NAMED)
  const names = largest.map(([name]) => name)
  return new TooLongError(tokens, limit, undefined, [...new Set(names)])
}

const scaled = (tokens: number, limit: number) => Math.round(tokens * Math.min(1, limit / USUAL_LIMIT))

const isInstructions = (part: PromptPart): part is PartOf<'attachment'> =>
  part.kind === 'attachment' && part.source === 'instructions'
