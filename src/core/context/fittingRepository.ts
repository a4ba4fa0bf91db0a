// `FittingRepository`: the whole repository as context where it fits into the model's window, else what takes the room.
import type { ContextSource, Resolved, ResolveOptions } from './contextSources.ts'
import type { RepositoryEstimate, RepositorySource } from './repositorySource.ts'

export interface ModelWindow {
  /** The most tokens of a request. */
  readonly limit: () => number
  readonly tokensOf: (text: string) => Promise<number>
}

/** Fewer characters for a token are rare in code, more are rare in any text. */
const USUAL_CHARS = 3.6
const MOST_CHARS = 5
const FOLDERS = 3

export class FittingRepository implements ContextSource<'repository'> {
  readonly #repository: RepositorySource
  readonly #window: ModelWindow

  constructor(repository: RepositorySource, window: ModelWindow) {
    this.#repository = repository
    this.#window = window
  }

  suggest(query: Parameters<ContextSource['suggest']>[0]) {
    return this.#repository.suggest(query)
  }

  describe() {
    return this.#repository.describe()
  }

  /** What is certain not to fit is not read. */
  async resolve(reference: unknown, options: ResolveOptions, signal: AbortSignal): Promise<Resolved> {
    const limit = this.#window.limit()
    const estimate = await this.#repository.estimate(signal)
    if (estimate.chars / MOST_CHARS > limit) return this.#noRoom(estimate, estimate.chars / USUAL_CHARS)
    const resolved = await this.#repository.resolve(reference, options, signal)
    if (resolved.is !== 'ready') return resolved
    const tokens = await this.#window.tokensOf(resolved.parts.map(({ text = '' }) => text).join(''))
    return tokens > limit ? this.#noRoom(estimate, tokens) : resolved
  }

  #noRoom({ chars, folders }: RepositoryEstimate, tokens: number): Resolved {
    const { label: name } = this.describe()
    const perChar = tokens / Math.max(chars, 1)
    const largest = folders.slice(0, FOLDERS).map(({ path, chars }) => ({ path, tokens: Math.round(chars * perChar) }))
    const room = { tokens: Math.round(tokens), limit: this.#window.limit(), folders: largest }
    return { is: 'unavailable', why: 'no-room', name, room }
  }
}
