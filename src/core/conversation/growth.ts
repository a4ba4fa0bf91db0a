// What a conversation that grows is sent without: `resultsToOmit`, and `cutOf` with `messagesBefore` for a summary.
import type { PartOf } from '../../protocol/conversation.ts'
import type { ConversationState, Step, Turn } from '../../protocol/conversationState.ts'
import type { ModelMessage } from '../model/modelClient.ts'
import { textTokens } from '../model/tokenEstimate.ts'
import { omittedResult } from './omittedResult.ts'
import { stepMessages, summaryMessage, turnMessages, userMessage } from './promptMessages.ts'
import { sentTurns } from './sentTurns.ts'
import { promptTokens, resultTokens, stepTokens } from './stepTokens.ts'

/** The model has hardly worked with their results yet. */
const WHOLE_STEPS = 2

/**
 * The calls whose results may be left out: those older than the newest `keep` tokens of results. None if that frees fewer
 * than `least`, because services cache requests by their beginning.
 */
export function resultsToOmit(
  state: ConversationState,
  { keep, least }: { readonly keep: number; readonly least: number },
): readonly string[] {
  const { rest, turns } = sentTurns(state)
  const steps = [...rest, ...turns.flatMap(turn => turn.steps)]
  const omitted: string[] = []
  let [kept, freed] = [0, 0]
  for (const [age, step] of steps.toReversed().entries()) {
    for (const part of step.parts.toReversed()) {
      if (part.kind !== 'tool-call' || !part.result || state.omitted.has(part.id)) continue
      const tokens = resultTokens(part.result)
      kept += tokens
      const saved = tokens - textTokens(omittedResult(part))
      if (kept <= keep || age < WHOLE_STEPS || saved <= 0) continue
      omitted.push(part.id)
      freed += saved
    }
  }
  return freed >= least ? omitted.toReversed() : []
}

/** Everything before it can be summarized: the beginning of the path up to the end of `turn`, or of its first steps. */
export interface Cut {
  readonly turn: string
  readonly steps?: number
}

interface Unit {
  /** Counted when it is asked for: most of a long conversation need not be. */
  readonly tokens: () => number
  /** Undefined at the beginning of the path. */
  readonly before: Cut | undefined
}

/**
 * The earliest place after which there are at most `keep` tokens; the last message or step stays in any case. Undefined
 * where fewer than `least` tokens are before it that no summary covers yet.
 */
export function cutOf(
  state: ConversationState,
  { keep, least }: { readonly keep: number; readonly least: number },
): Cut | undefined {
  const units = unitsOf(state)
  const tokensOf = (place: number) => units[place]?.tokens() ?? 0
  let at = units.length - 1
  for (let kept = tokensOf(at); at > 0 && kept + tokensOf(at - 1) <= keep; ) kept += tokensOf(--at)
  let covered = 0
  for (let place = at - 1; place >= 0 && covered < least; place--) covered += tokensOf(place)
  return at > 0 && covered >= least ? units[at]?.before : undefined
}

function unitsOf(state: ConversationState): readonly Unit[] {
  const { summary, covered, rest, turns } = sentTurns(state)
  const last = covered.at(-1)
  const stepUnits = (turn: Turn, steps: readonly Step[], from: number) =>
    steps.map((step, at) => ({
      tokens: () => stepTokens(step, turn, state),
      before: { turn: turn.id, steps: from + at },
    }))
  return [
    ...(last ? stepUnits(last, rest, summary?.steps ?? 0) : []),
    ...turns.flatMap((turn, at) => {
      const before = at === 0 ? last : turns[at - 1]
      const prompt = { tokens: () => promptTokens(turn.prompt), before: before && { turn: before.id } }
      return [prompt, ...stepUnits(turn, turn.steps, 0)]
    }),
  ]
}

/** What is sent up to the cut; `reduced`: a turn with less in it. */
export function messagesBefore(
  state: ConversationState,
  cut: Cut,
  reduced: (turn: Turn) => Turn = turn => turn,
): ModelMessage[] {
  const { summary, covered, rest, turns } = sentTurns(state)
  const last = covered.at(-1)
  const head = summary && last ? [summaryMessage(covered, summary)] : []
  if (last && last.id === cut.turn) {
    const end = cut.steps === undefined ? rest.length : cut.steps - (summary?.steps ?? 0)
    return [...head, ...stepMessages(rest.slice(0, end), last, state)]
  }
  const at = turns.findIndex(({ id }) => id === cut.turn)
  const whole = turns.slice(0, at).flatMap(turn => turnMessages(reduced(turn), state))
  const turn = turns[at]
  const part = turn
    ? [userMessage(reduced(turn).prompt), ...stepMessages(turn.steps.slice(0, cut.steps), turn, state)]
    : []
  return [...head, ...(last ? stepMessages(rest, last, state) : []), ...whole, ...part]
}

/** The calls on the path, in their order. */
export function callsOf(turns: readonly Turn[]): readonly PartOf<'tool-call'>[] {
  return turns.flatMap(turn => turn.steps.flatMap(({ parts }) => parts.filter(part => part.kind === 'tool-call')))
}
