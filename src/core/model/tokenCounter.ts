// `TokenCounter`: estimates the tokens of a request, and corrects the estimates by the counts of the service.
import type { ModelRequest } from './modelClient.ts'
import { requestTokens } from './tokenEstimate.ts'

export interface Counted {
  readonly tokens: number
  /** The likely lower and upper bound. */
  readonly least: number
  readonly most: number
}

/** The number of answers that are kept for each model. */
const SAMPLES = 15
/** Shorter requests are ignored, because most of their tokens are added by the service. */
const SHORTEST_SAMPLE = 300
const LOWEST_FACTOR = 0.4
const HIGHEST_FACTOR = 2.5
const FIRST_MARGIN = 0.25
const LOWEST_MARGIN = 0.03

/**
 * The correction factor of a model is the median of the ratios of its last answers, so that one outlier has little
 * effect. It is bounded, in case the service's counts are wrong.
 */
export class TokenCounter {
  readonly #ratios = new Map<string, readonly number[]>()

  count(request: ModelRequest): Counted {
    return this.correct(request.model, requestTokens(request))
  }

  /** An estimate of `requestTokens`, in the tokens of the model. */
  correct(model: string, estimate: number): Counted {
    const { factor, margin } = this.#correctionOf(model)
    const tokens = estimate * factor
    return {
      tokens: Math.round(tokens),
      least: Math.floor(tokens * (1 - margin)),
      most: Math.ceil(tokens * (1 + margin)),
    }
  }

  /** The service counted `tokens` in `request`. */
  learn(request: ModelRequest, tokens: number): void {
    const estimate = requestTokens(request)
    if (estimate < SHORTEST_SAMPLE || !(tokens > 0)) return
    const ratio = Math.min(Math.max(tokens / estimate, LOWEST_FACTOR), HIGHEST_FACTOR)
    this.#ratios.set(request.model, [...(this.#ratios.get(request.model) ?? []), ratio].slice(-SAMPLES))
  }

  #correctionOf(model: string): { readonly factor: number; readonly margin: number } {
    const ratios = this.#ratios.get(model)
    if (!ratios) return { factor: 1, margin: FIRST_MARGIN }
    const factor = median(ratios)
    const spread = median(ratios.map(ratio => Math.abs(ratio / factor - 1)))
    // With few samples the spread is not reliable.
    const doubt = FIRST_MARGIN / (ratios.length + 1)
    return { factor, margin: Math.min(Math.max(3 * spread, LOWEST_MARGIN, doubt), FIRST_MARGIN) }
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2
}
