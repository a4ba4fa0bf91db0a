// `KeylessSources`: sources of context whose texts hold no API key, because what is attached is kept in the conversation.
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import type { ContextQuery, ContextSources, Resolved, ResolveOptions } from './contextSources.ts'

/** Removes API keys from every text in a value; the same object where there was none. */
export interface KeyRemover {
  withoutIn<T>(value: T): T
}

export class KeylessSources implements ContextSources {
  readonly #sources: ContextSources
  readonly #keys: KeyRemover

  constructor(sources: ContextSources, keys: KeyRemover) {
    this.#sources = sources
    this.#keys = keys
  }

  get offers() {
    return this.#sources.offers
  }

  get onDidChangeOffers() {
    return this.#sources.onDidChangeOffers
  }

  suggest(query: ContextQuery, signal: AbortSignal) {
    return this.#sources.suggest(query, signal)
  }

  describe(reference: ContextReference) {
    return this.#sources.describe(reference)
  }

  async resolve(reference: ContextReference, options: ResolveOptions, signal: AbortSignal): Promise<Resolved> {
    const resolved = await this.#sources.resolve(reference, options, signal)
    if (resolved.is !== 'ready') return resolved
    const parts = resolved.parts.map(part => withoutKeys(part, this.#keys))
    return parts.some((part, at) => part !== resolved.parts[at]) ? { ...resolved, parts, lacksKey: true } : resolved
  }
}

/** The same object where no key was in it. */
export function withoutKeys<P extends PartOf<'attachment'> | PartOf<'image'>>(part: P, keys: KeyRemover): P {
  const kept = keys.withoutIn(part)
  return kept === part || kept.kind === 'image' ? kept : { ...kept, sizeChars: kept.text?.length ?? kept.sizeChars }
}
