// The files that the typing replay types: which part of each is typed, and the indentation it uses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of which the text before `start` and from `end` on is there already. The rest is typed key by key. */
export interface Source {
  /** Name of the file, as the model sees it. */
  readonly path: string
  /** Identifier of the language as the editor knows it. */
  readonly language: string
  readonly indent: string
  readonly text: string
  /** Offsets in `text`. */
  readonly start: number
  readonly end: number
}

interface Excerpt {
  readonly path: string
  readonly language: string
  readonly indent: string
  /** The first line that is typed; the line is found by how it begins. */
  readonly from: string
  /** The first line below the typed part; without it the file is typed to its end. */
  readonly to?: string
}

/** In the order of the table. The text lies in `sources`; the suffix keeps compiler and lint away from it. */
const excerpts: readonly Excerpt[] = [
  { path: 'answerCache.ts', language: 'typescript', indent: '  ', from: '/** Kept in memory' },
  { path: 'inventory.py', language: 'python', indent: '    ', from: '    def record(' },
  { path: 'ratelimit.go', language: 'go', indent: '\t', from: '// New returns', to: '// Prune forgets' },
  { path: 'orders.sql', language: 'sql', indent: '  ', from: 'create table order_lines' },
  { path: 'panel.css', language: 'css', indent: '  ', from: '.panel-header h2 {' },
  { path: 'backup.sh', language: 'shellscript', indent: '  ', from: 'check_space() {' },
  { path: 'Timetable.java', language: 'java', indent: '    ', from: '    public void add(' },
  { path: 'pipeline.json', language: 'json', indent: '  ', from: '      "name": "build"' },
]

export function readSources(): Source[] {
  return excerpts.map(readSource)
}

function readSource({ path, language, indent, from, to }: Excerpt): Source {
  const text = readFileSync(join(import.meta.dirname, 'sources', `${path}.txt`), 'utf8')
  const start = lineStartingWith(text, from, path)
  const below = to === undefined ? text.length : lineStartingWith(text, to, path)
  const end = text.slice(0, below).trimEnd().length
  return { path, language, indent, text, start, end }
}

function lineStartingWith(text: string, beginning: string, path: string): number {
  const at = text.indexOf(`\n${beginning}`)
  if (at < 0) throw new Error(`${path} has no line that starts with '${beginning}'`)
  return at + 1
}
