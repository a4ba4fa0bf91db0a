// `SafeSources`: sources of context whose texts hold no API key, because what is attached is kept in the conversation, and nothing that nobody sees.
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { modelText } from '../workspace/modelText.ts'
import type { ContextQuery, ContextSources, Differences, Resolved, ResolveOptions } from './contextSources.ts'

/** Removes API keys from every text in a value; the same object where there was none. */
export interface KeyRemover {
  withoutIn<T>(value: T): T
}

export class SafeSources implements ContextSources {
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
    const safe = resolved.parts.map(part => safePart(part, this.#keys))
    const differences = [resolved, ...safe.map(({ differences }) => differences)].reduce(both)
    return { ...resolved, parts: safe.map(({ part }) => part), ...differences }
  }
}

/** The same part where nothing had to be changed. */
export function safePart<P extends PartOf<'attachment'> | PartOf<'image'>>(
  given: P,
  keys: KeyRemover,
): { readonly part: P; readonly differences: Differences } {
  const part = keys.withoutIn(given)
  const lacksKey = part !== given && { lacksKey: true }
  if (part.kind === 'image' || part.text === undefined) return { part, differences: { ...lacksKey } }
  const { text, marked, hidden } = modelText(part.text)
  const unseen = text !== part.text && { unseen: [{ name: part.name, count: marked + hidden }] }
  const hasChanged = part !== given || text !== part.text
  return {
    part: hasChanged ? { ...part, text, sizeChars: text.length } : part,
    differences: { ...lacksKey, ...unseen },
  }
}

function both(a: Differences, b: Differences): Differences {
  const unseen = [...(a.unseen ?? []), ...(b.unseen ?? [])]
  return { ...((a.lacksKey || b.lacksKey) && { lacksKey: true }), ...(unseen.length > 0 && { unseen }) }
}
