// `IgnoredFiles`: which files git ignores, asked in batches and remembered for a while.
import type { Clock } from '../../base/clock.ts'
import { Lru } from '../../base/lru.ts'

export interface IgnoreCheck {
  /** Those of the files that git ignores; none where there is no git or no repository. Rejects where git fails. */
  ignoredOf(uris: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>
}

interface Known {
  readonly isIgnored: boolean
  readonly until: number
}

const REMEMBERED_MS = 30_000
const MOST_REMEMBERED = 20_000

export class IgnoredFiles {
  readonly #check: IgnoreCheck
  readonly #clock: Clock
  readonly #known = new Lru<string, Known>(MOST_REMEMBERED)

  constructor(check: IgnoreCheck, clock: Clock) {
    this.#check = check
    this.#clock = clock
  }

  /** Those of the files that are ignored. Where git fails, each file that is not known counts as ignored. */
  async of(uris: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const now = this.#clock.elapsed()
    const unknown = [...new Set(uris)].filter(uri => this.#fresh(uri, now) === undefined)
    const found = unknown.length > 0 ? await this.#ask(unknown, signal) : new Set<string>()
    return new Set(uris.filter(uri => found.has(uri) || this.#fresh(uri, now)))
  }

  /** For a change of an ignore file. */
  forget(): void {
    this.#known.clear()
  }

  #fresh(uri: string, now: number): boolean | undefined {
    const known = this.#known.get(uri)
    return known && known.until > now ? known.isIgnored : undefined
  }

  async #ask(uris: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    try {
      const ignored = await this.#check.ignoredOf(uris, signal)
      const until = this.#clock.elapsed() + REMEMBERED_MS
      for (const uri of uris) this.#known.set(uri, { isIgnored: ignored.has(uri), until })
      return ignored
    } catch {
      signal.throwIfAborted()
      return new Set(uris)
    }
  }
}
