// `linkCandidates`: the parts of a text that may name a file; `isSymbolLike`: code that may name a symbol.
import { fileReference } from '../../base/fileReference.ts'

export interface Candidate {
  readonly text: string
  /** Undefined for the text between. */
  readonly kind?: 'file' | 'symbol'
}

const separators = /([\s,;"'()<>[\]{}|`“”‘’«»…]+)/
/** In prose a short ending is rather that of a sentence or of an abbreviation. */
const proseEnding = /\.(?:[A-Za-z][\w-]+|[ch])(?::|#|$)/

export function linkCandidates(text: string): readonly Candidate[] {
  if (!/[./\\]\w/.test(text)) return [{ text }]
  const found: Candidate[] = []
  for (const part of text.split(separators)) {
    const [name = ''] = /^.*[^.:!?*_—–-]/.exec(part) ?? []
    const isFile = name !== '' && isProseReference(name)
    if (isFile) found.push({ text: name, kind: 'file' })
    found.push({ text: isFile ? part.slice(name.length) : part })
  }
  return joined(found)
}

function isProseReference(text: string): boolean {
  return fileReference(text) !== undefined && (/[\\/]/.test(text) || proseEnding.test(text))
}

/** Neighbours without a kind are one text. */
function joined(parts: readonly Candidate[]): readonly Candidate[] {
  const found: Candidate[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (last && !last.kind && !part.kind) found[found.length - 1] = { text: last.text + part.text }
    else if (part.text !== '') found.push(part)
  }
  return found
}

/** What inline code may name. */
export function codeCandidate(text: string): Candidate {
  if (fileReference(text)) return { text, kind: 'file' }
  return isSymbolLike(text) ? { text, kind: 'symbol' } : { text }
}

/** `fooBar`, `FooBar`, `foo_bar()`: a single word such as `string` is too often no symbol. */
export function isSymbolLike(text: string): boolean {
  const isName = /^[\p{L}_$][\p{L}\p{N}_$]{2,79}(?:\(\))?$/u.test(text)
  return isName && (text.endsWith('()') || /\p{Ll}\p{N}*\p{Lu}/u.test(text))
}
