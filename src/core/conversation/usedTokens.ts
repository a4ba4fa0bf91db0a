// `usedTokens`: corrects the estimates for a conversation by what the service has counted of it.
import type { Counted, TokenCounter } from '../model/tokenCounter.ts'
import type { ContextUse } from './contextUse.ts'

/** Of shorter requests the service counts mostly what it adds itself. */
const SHORTEST = 300
/** A count beyond these belongs to another request. */
const LOWEST_FACTOR = 0.4
const HIGHEST_FACTOR = 2.5
/** What is new since the count is only estimated. */
const MARGIN = 0.03

/** The count of the conversation's own last request is used before the average of the model's requests. */
export function usedTokens(
  { counted }: Pick<ContextUse, 'counted'>,
  model: string,
  counter: TokenCounter,
): (estimate: number) => Counted {
  const factor = counted && counted.estimate >= SHORTEST ? counted.tokens / counted.estimate : undefined
  if (factor === undefined || factor < LOWEST_FACTOR || factor > HIGHEST_FACTOR)
    return estimate => counter.correct(model, estimate)
  return estimate => {
    const tokens = estimate * factor
    return {
      tokens: Math.round(tokens),
      least: Math.floor(tokens * (1 - MARGIN)),
      most: Math.ceil(tokens * (1 + MARGIN)),
    }
  }
}
