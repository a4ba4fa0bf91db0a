// Pieces of other files worth showing the model.
import { Lru } from '../../base/lru.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'

export interface Snippet {
  readonly path: string
  readonly text: string
}

const WINDOW_LINES = 50
const STEP_LINES = 25
const MOST_FILES = 20
const MOST_WINDOWS = 60
const BEST_PIECES = 3
/** Fewer shared names than this share of all is chance. */
const LEAST_LIKENESS = 0.08
const BUDGET_CHARS = 4_500

interface Window extends Snippet {
  readonly id: string
  readonly names: ReadonlySet<string>
}

/**
 * Pieces chosen once stay, in the order of their choice, until there are too many: the server remembers how a prompt
 * began, and re-ranking them with each key would make it read all of them again.
 */
export class Context {
  #windows = new Lru<string, { readonly version: number; readonly windows: readonly Window[] }>(MOST_FILES * 2)
  #documentId = ''
  #chosen: readonly Window[] = []

  piecesFor(snapshot: DocumentSnapshot, neighbours: readonly DocumentSnapshot[]): readonly Snippet[] {
    const others = neighbours
      .filter(other => other.id !== snapshot.id && isRelated(other, snapshot))
      .slice(0, MOST_FILES)
    const windows = others.flatMap(other => this.#windowsOf(other))
    const best = bestOf(windows, namesIn(near(snapshot)))
    const kept = snapshot.id === this.#documentId ? this.#chosen.filter(piece => windows.includes(piece)) : []
    const all = [...kept, ...best.filter(piece => !kept.includes(piece))]
    this.#documentId = snapshot.id
    this.#chosen = sizeOf(all) <= BUDGET_CHARS * 1.5 ? all : within(best)
    return this.#chosen
  }

  #windowsOf(document: DocumentSnapshot): readonly Window[] {
    const known = this.#windows.get(document.id)
    if (known?.version === document.version) return known.windows
    const windows = cutWindows(document)
    this.#windows.set(document.id, { version: document.version, windows })
    return windows
  }
}

const families: readonly (readonly string[])[] = [
  ['typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'vue', 'svelte'],
  ['c', 'cpp', 'objective-c', 'objective-cpp', 'cuda-cpp'],
  ['css', 'scss', 'less', 'sass', 'html'],
  ['java', 'kotlin', 'scala', 'groovy'],
  ['json', 'jsonc'],
]

function isRelated(a: DocumentSnapshot, b: DocumentSnapshot): boolean {
  return a.language === b.language || families.some(some => some.includes(a.language) && some.includes(b.language))
}

/** What the cursor's surroundings talk about. The line being typed is left out, so that a key changes nothing. */
function near({ text, offset }: DocumentSnapshot): string {
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
    const piece = lines
      .slice(start, start + WINDOW_LINES)
      .join('\n')
      .trimEnd()
    return piece.trim() && piece.length <= BUDGET_CHARS ? [{ id, path, text: piece, names: namesIn(piece) }] : []
  })
}

function namesIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu)?.filter(name => !keywords.has(name)))
}

/** Words that every file has say nothing. */
const keywords = new Set(
  `abstract and async await bool boolean break case catch char class const continue def default del delete elif else
  end enum export extends false final finally float fmt fn for from func function goto impl implements import include
  instanceof int interface lambda let long match mod module mut namespace new nil none None not null number object
  package pass private protected pub public raise readonly require return self static str string struct super switch
  then this throw throws trait true True False try type typeof undefined use using val var void while with yield`.split(
    /\s+/,
  ),
)

export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let shared = 0
  for (const name of small) if (large.has(name)) shared++
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

/** At most one window of each file: two of them overlap. */
function bestOf(windows: readonly Window[], names: ReadonlySet<string>): Window[] {
  const ranked = windows
    .map(window => ({ window, score: likeness(window.names, names) }))
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .sort((a, b) => b.score - a.score)
    .map(({ window }) => window)
  return within(
    ranked.filter((window, at) => ranked.findIndex(({ id }) => id === window.id) === at).slice(0, BEST_PIECES),
  )
}

function within(pieces: readonly Window[]): Window[] {
  return pieces.filter((_, at) => sizeOf(pieces.slice(0, at + 1)) <= BUDGET_CHARS)
}

const sizeOf = (pieces: readonly Snippet[]) => pieces.reduce((sum, { text }) => sum + text.length, 0)
