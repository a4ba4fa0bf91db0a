// `Declarations`: what the language knows of the imported names that are used near the cursor.
import type { Clock } from '../../base/clock.ts'
import { Lru } from '../../base/lru.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { contextBudget } from './contextBudget.ts'
import type { Snippet } from './snippetSelector.ts'

export interface Definition {
  readonly path: string
  readonly text: string
  /** Where the name is declared in it, counted from 0. */
  readonly line: number
}

export interface DeclarationsOptions {
  readonly clock: Clock
  /** Undefined where the language does not know it, and where the file may not be read. */
  readonly definitionOf: (documentId: string, offset: number, signal: AbortSignal) => Promise<Definition | undefined>
}

const NEAR_LINES = 30
const MOST_NAMES = 6
const MOST_LINES = 14
const MOST_REMEMBERED = 100
const MOST_IMPORT_LINES = 200
/** A declaration may have changed. */
const AGAIN_MS = 60_000

interface Known extends Snippet {
  readonly at: number
}

export class Declarations {
  readonly #options: DeclarationsOptions
  /** By the import that brings the name; an empty text where nothing is known. */
  readonly #known = new Lru<string, Known>(MOST_REMEMBERED)
  /** Those of the document in front, in the order of their first use, so that the beginning of the prompt stays. */
  #chosen: readonly string[] = []
  #documentId = ''

  constructor(options: DeclarationsOptions) {
    this.#options = options
  }

  /** What is known by now. */
  for(snapshot: DocumentSnapshot): readonly Snippet[] {
    const names = importedNames(snapshot).map(name => keyOf(snapshot, name))
    const kept = this.#documentId === snapshot.id ? this.#chosen : []
    const all = [...kept, ...names.filter(key => !kept.includes(key))].filter(key => this.#textOf(key) !== '')
    this.#documentId = snapshot.id
    this.#chosen = isTooLong(all.map(key => this.#textOf(key))) ? names : all
    const found = this.#chosen.flatMap(key => this.#known.get(key) ?? []).filter(({ text }) => text !== '')
    const snippets = found.map(({ path, text }) => ({ path, text }))
    return snippets.filter((_, at) => !isTooLong(snippets.slice(0, at + 1).map(({ text }) => text)))
  }

  /** Asks the language for what is not known yet, one name after the other. */
  async gather(snapshot: DocumentSnapshot, signal: AbortSignal): Promise<void> {
    for (const name of importedNames(snapshot)) {
      const key = keyOf(snapshot, name)
      const now = this.#options.clock.elapsed()
      if (now - (this.#known.get(key)?.at ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) continue
      const definition = await this.#options.definitionOf(snapshot.id, name.offset, signal)
      const isElsewhere = definition && definition.path !== snapshot.path
      const text = isElsewhere ? outlineOf(definition.text, definition.line) : ''
      this.#known.set(key, { path: definition?.path ?? '', text, at: now })
    }
  }

  #textOf(key: string): string {
    return this.#known.get(key)?.text ?? ''
  }
}

export interface ImportedName {
  readonly text: string
  /** In the import. */
  readonly offset: number
}

const importStart = /^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub\s+)?use\s|using\s|.*\brequire\s*\()/
const name = /[\p{L}_$][\p{L}\p{N}_$]*/gu
const notNames = /^(?:import|from|as|type|use|using|pub|crate|self|super|mod|const|let|var|require|default|static)$/

/** Those that are used in the lines above the cursor, the nearest first. */
export function importedNames({ text, offset }: DocumentSnapshot): readonly ImportedName[] {
  const { imported, end } = importsOf(text)
  const near = text.slice(Math.min(end, offset), offset).split('\n').slice(-NEAR_LINES).join('\n')
  const used = [...near.matchAll(name)].map(([word]) => word).reverse()
  return [...new Set(used)]
    .filter(word => imported.has(word) && !notNames.test(word) && word.length > 1)
    .slice(0, MOST_NAMES)
    .map(word => ({ text: word, offset: imported.get(word) ?? 0 }))
}

/** The names by their places, and where the last import ends. */
function importsOf(text: string): { readonly imported: ReadonlyMap<string, number>; readonly end: number } {
  const imported = new Map<string, number>()
  let [start, end, open] = [0, 0, 0]
  for (const line of text.split('\n', MOST_IMPORT_LINES)) {
    if (open > 0 || importStart.test(line)) {
      const code = line.replace(/(['"])[^'"]*\1|^\s*from\s+\S+(?=\s+import)/g, part => ' '.repeat(part.length))
      for (const match of code.matchAll(name)) imported.set(match[0], start + match.index)
      open = Math.max(0, open + code.split(/[({]/).length - code.split(/[)}]/).length)
      end = start + line.length
    }
    start += line.length + 1
  }
  return { imported, end }
}

/** The declaration that begins in this line: its signature, and of a type the first lines of its members. */
export function outlineOf(text: string, line: number): string {
  const lines = text.split('\n').slice(line, line + 200)
  const [first = '', ...rest] = lines
  const indent = widthOf(first)
  const isType = /\b(?:class|interface|struct|enum|trait|type|object|record|protocol|impl)\b/.test(first)
  const end = rest.findIndex(one => one.trim() !== '' && widthOf(one) <= indent)
  const body = rest.slice(0, end < 0 ? rest.length : end)
  const closing = end >= 0 && /^\s*[)\]}]/.test(rest[end] ?? '') ? [rest[end] ?? ''] : []
  const memberIndent = Math.min(...body.filter(one => one.trim() !== '').map(widthOf))
  const members = body.filter(one => one.trim() !== '' && widthOf(one) === memberIndent && !/^\s*[)\]}]/.test(one))
  const isSignature = /[({,<]\s*$/.test(first) && /^\s*[)\]}]/.test(closing[0] ?? '') && !isType
  const kept = isType || isSignature ? [first, ...members, ...closing] : [first]
  const outline = kept.slice(0, MOST_LINES).map(one => one.slice(indent).trimEnd())
  return outline.join('\n').slice(0, contextBudget.declarations / 2)
}

const widthOf = (line: string) => /^\s*/.exec(line)?.[0].length ?? 0

const keyOf = ({ id, text }: DocumentSnapshot, { text: word, offset }: ImportedName) => {
  const from = text.lastIndexOf('\n', offset) + 1
  return `${id} ${word} ${text.slice(from, text.indexOf('\n', offset))}`
}

const isTooLong = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + text.length, 0) > contextBudget.declarations
