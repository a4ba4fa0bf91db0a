// `ContextCost`: whether what a prompt contains of other places makes its answer come noticeably later.

interface Sample {
  /** What the server had not read before. */
  readonly newChars: number
  readonly firstTextMs: number
}

const SAMPLES = 100
const LEAST_SAMPLES = 40
const MOST_MS = 80
/** So many times its error has the slope to be, because times to the first text differ by chance. */
const SURE = 3

export class ContextCost {
  #samples: readonly Sample[] = []
  #lastPrompt = ''
  #newChars = 0

  sent(prompt: string): void {
    const most = Math.min(prompt.length, this.#lastPrompt.length)
    let shared = 0
    while (shared < most && prompt.charCodeAt(shared) === this.#lastPrompt.charCodeAt(shared)) shared++
    this.#newChars = prompt.length - shared
    this.#lastPrompt = prompt
  }

  /** For the prompt that was sent last. */
  received(firstTextMs: number): void {
    this.#samples = [...this.#samples, { newChars: this.#newChars, firstTextMs }].slice(-SAMPLES)
  }

  /** By a linear fit over the last requests. */
  isTooHigh(contextChars: number): boolean {
    const count = this.#samples.length
    if (count < LEAST_SAMPLES) return false
    const x = meanOf(this.#samples.map(({ newChars }) => newChars))
    const y = meanOf(this.#samples.map(({ firstTextMs }) => firstTextMs))
    const spread = sumOf(this.#samples, ({ newChars }) => (newChars - x) ** 2)
    if (spread === 0) return false
    const slope = sumOf(this.#samples, ({ newChars, firstTextMs }) => (newChars - x) * (firstTextMs - y)) / spread
    const rest = sumOf(this.#samples, ({ newChars, firstTextMs }) => (firstTextMs - y - slope * (newChars - x)) ** 2)
    const error = Math.sqrt(rest / (count - 2) / spread)
    return slope > SURE * error && slope * contextChars > MOST_MS
  }
}

const sumOf = (samples: readonly Sample[], of: (sample: Sample) => number) =>
  samples.reduce((sum, sample) => sum + of(sample), 0)

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
