// `CombinedSources`: all sources of context as one.
import type { Event } from '../../base/event.ts'
import type { ContextReference, ContextSourceName } from '../../protocol/contextReference.ts'
import type {
  ContextQuery,
  ContextSource,
  ContextSources,
  Description,
  Offers,
  Resolved,
  ResolveOptions,
  Suggestion,
} from './contextSources.ts'
import { merged } from './mergedSuggestions.ts'

/** What can be offered now, and an event when that changes. */
export interface OfferSource {
  readonly current: Offers
  readonly onDidChange: Event<Offers>
}

export type SourceTable = { readonly [S in ContextSourceName]: ContextSource<S> }

/** The sources that suggest something, in the order in which their suggestions are shown. */
const suggestedTogether: readonly ContextSourceName[] = [
  'selection',
  'file',
  'folder',
  'symbol',
  'open-editors',
  'problems',
  'terminal',
  'git-change',
  'repository',
  'commit',
]

export class CombinedSources implements ContextSources {
  readonly #table: SourceTable
  readonly #offers: OfferSource

  constructor(table: SourceTable, offers: OfferSource) {
    this.#table = table
    this.#offers = offers
  }

  get offers(): Offers {
    return this.#offers.current
  }

  get onDidChangeOffers(): Event<Offers> {
    return this.#offers.onDidChange
  }

  suggest(query: ContextQuery, signal: AbortSignal): AsyncIterable<readonly Suggestion[]> {
    const sources = suggestedTogether.map(name => (inner: AbortSignal) => this.#table[name].suggest(query, inner))
    return merged(sources, query, signal)
  }

  describe(reference: ContextReference): Description {
    return this.#sourceOf(reference).describe(reference)
  }

  resolve(reference: ContextReference, options: ResolveOptions, signal: AbortSignal): Promise<Resolved> {
    return this.#sourceOf(reference).resolve(reference, options, signal)
  }

  #sourceOf(reference: ContextReference): ContextSource {
    // as: the compiler does not connect the member of the table with the kind of the reference.
    return this.#table[reference.source] as ContextSource
  }
}
