// Sources of context whose files are in memory.

import { Emitter } from '../../src/base/event.ts'
import type { ContextSources, Offers } from '../../src/core/context/contextSources.ts'

/** Knows files alone; other references are not there. */
export function memorySources() {
  const texts = new Map<string, string>()
  const secret = new Set<string>()
  const changed = new Emitter<Offers>()
  let offers: Offers = {}
  const sources: ContextSources = {
    async *suggest() {},
    describe: reference => {
      const path = 'uri' in reference && reference.uri ? new URL(reference.uri).pathname : reference.source
      const at = path.lastIndexOf('/')
      return { label: path.slice(at + 1), detail: path.slice(0, Math.max(0, at)), icon: reference.source }
    },
    async resolve(reference, { isConfirmed }) {
      const { label: name } = sources.describe(reference)
      const uri = 'uri' in reference ? (reference.uri ?? '') : ''
      const text = texts.get(uri)
      if (text === undefined) return { is: 'unavailable', why: 'missing', name }
      if (uri.endsWith('.png'))
        return { is: 'image', part: { kind: 'image', id: 'x', mediaType: 'image/png', base64: text, name } }
      if (secret.has(uri) && !isConfirmed) return { is: 'ask', why: 'secret', name }
      const source = reference.source === 'instructions' ? 'instructions' : 'file'
      const part = { kind: 'attachment', id: 'x', source, name, uri, text, sizeChars: text.length } as const
      return { is: 'ready', parts: [part], omitted: [] }
    },
    get offers() {
      return offers
    },
    onDidChangeOffers: changed.event,
  }
  const offer = (next: Offers) => {
    offers = next
    changed.fire(next)
  }
  return Object.assign(sources, { texts, secret, offer })
}
