// `SnippetSelector`: the snippets of other documents that share the most names with the code at the cursor.
import { Lru } from '../../base/lru.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { contextBudget } from './contextBudget.ts'

export interface Snippet {
  readonly path: string
  readonly text: string
}

const WINDOW_LINES = 50
const STEP_LINES = 25
const MOST_FILES = 20
const MOST_WINDOWS = 60
/** Cutting takes time, which the next key needs: 0.1 ms for each 2,000 characters. */
const CUT_AT_ONCE_CHARS = 40_000
const BEST_SNIPPETS = 3
/** Below this Jaccard similarity shared names are taken for coincidence. */
const MIN_SIMILARITY = 0.08

interface Window extends Snippet {
  readonly id: string
  readonly names: ReadonlySet<string>
}

/**
 * Snippets once selected stay, in the order of their selection, until they exceed the budget by half: selecting anew with
 * each key would change the prompt early and defeat a server's prefix cache.
 */
export class SnippetSelector {
  #windows = new Lru<string, { readonly version: number; readonly windows: readonly Window[] }>(MOST_FILES * 2)
  #documentId = ''
  #chosen: readonly Window[] = []

  /** `takenChars`: of their budget, by what is worth more. */
  select(snapshot: DocumentSnapshot, neighbours: readonly DocumentSnapshot[], takenChars = 0): readonly Snippet[] {
    const room = contextBudget.lasting - takenChars
    const others = neighbours
      .filter(other => other.id !== snapshot.id && isRelated(other, snapshot))
      .slice(0, MOST_FILES)
    const windows = this.#windowsOf(others)
    const best = bestOf(windows, namesIn(linesAbove(snapshot)), room)
    const kept = snapshot.id === this.#documentId ? this.#chosen.filter(window => windows.includes(window)) : []
    const all = [...kept, ...best.filter(window => !kept.includes(window))]
    this.#documentId = snapshot.id
    this.#chosen = sizeOf(all) <= room + contextBudget.surplus ? all : best
    return this.#chosen
  }

  /** Those of an older version, or none, where too many documents are new at once. */
  #windowsOf(documents: readonly DocumentSnapshot[]): readonly Window[] {
    let room = CUT_AT_ONCE_CHARS
    return documents.flatMap(document => {
      const known = this.#windows.get(document.id)
      if (known?.version === document.version || room <= 0) return known?.windows ?? []
      room -= document.text.length
      const windows = cutWindows(document)
      this.#windows.set(document.id, { version: document.version, windows })
      return windows
    })
  }
}

const languageFamilies: readonly (readonly string[])[] = [
  ['typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'vue', 'svelte'],
  ['c', 'cpp', 'objective-c', 'objective-cpp', 'cuda-cpp'],
  ['css', 'scss', 'less', 'sass', 'html'],
  ['java', 'kotlin', 'scala', 'groovy'],
  ['json', 'jsonc'],
]

function isRelated(a: DocumentSnapshot, b: DocumentSnapshot): boolean {
  return (
    a.language === b.language || languageFamilies.some(some => some.includes(a.language) && some.includes(b.language))
  )
}

/** The lines above the cursor's. The line being typed is left out, so that a key does not change the selection. */
function linesAbove({ text, offset }: DocumentSnapshot): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  return text
    .slice(Math.max(0, lineStart - 10_000), lineStart)
    .split('\n')
    .slice(-WINDOW_LINES)
    .join('\n')
}

function cutWindows({ id, path, text }: DocumentSnapshot): Window[] {
  const lines = text.slice(0, 200_000).split('\n')
  const starts = Array.from({ length: Math.ceil(lines.length / STEP_LINES) }, (_, at) => at * STEP_LINES)
  return starts.slice(0, MOST_WINDOWS).flatMap(start => {
    const windowText = lines
      .slice(start, start + WINDOW_LINES)
      .join('\n')
      .trimEnd()
    return windowText.trim() && windowText.length <= contextBudget.lasting
      ? [{ id, path, text: windowText, names: namesIn(windowText) }]
      : []
  })
}

function namesIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu)?.filter(name => !keywords.has(name)))
}

/** Left out because they occur in any file. */
const keywords = new Set(
  `abstract and async await bool boolean break case catch char class const continue def default del delete elif else
  end enum export extends false final finally float fmt fn for from func function goto impl implements import include
  instanceof int interface lambda let long match mod module mut namespace new nil none None not null number object
  package pass private protected pub public raise readonly require return self static str string struct super switch
  then this throw throws trait true True False try type typeof undefined use using val var void while with yield`.split(
    /\s+/,
  ),
)

/** Jaccard similarity. */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let shared = 0
  for (const name of small) if (large.has(name)) shared++
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

/** At most one window of each file, because its windows overlap. */
function bestOf(windows: readonly Window[], names: ReadonlySet<string>, room: number): Window[] {
  const ranked = windows
    .map(window => ({ window, score: similarity(window.names, names) }))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score)
    .map(({ window }) => window)
  const best = ranked.filter((window, at) => ranked.findIndex(({ id }) => id === window.id) === at)
  return best.slice(0, BEST_SNIPPETS).filter((_, at) => sizeOf(best.slice(0, at + 1)) <= room)
}

export const sizeOf = (snippets: readonly Snippet[]) => snippets.reduce((sum, { text }) => sum + text.length, 0)
