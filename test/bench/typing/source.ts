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
  { path: 'answerCache.ts', language: 'typescript', indent: '  ', from: '  /** Those that have' },
  {
    path: 'parcelRoutes.ts',
    language: 'typescript',
    indent: '  ',
    from: "  router.get('/:id', async",
    to: '  return router',
  },
  { path: 'glossary.ts', language: 'typescript', indent: '  ', from: '  /** The first mention', to: '  #regExp()' },
  { path: 'ReservationForm.tsx', language: 'typescriptreact', indent: '  ', from: '  return (' },
  { path: 'TideChart.tsx', language: 'typescriptreact', indent: '  ', from: '  useEffect(', to: '  return (' },
  { path: 'inventory.py', language: 'python', indent: '    ', from: '    def sold_since(' },
  { path: 'seed_catalog.py', language: 'python', indent: '    ', from: 'def by_month(', to: '    if options.json' },
  { path: 'test_booking.py', language: 'python', indent: '    ', from: '@pytest.mark.parametrize("buffer"' },
  { path: 'ratelimit.go', language: 'go', indent: '\t', from: '// New returns', to: '// Prune forgets' },
  { path: 'webhook.go', language: 'go', indent: '\t', from: '// Send posts', to: 'func (s *Sender) post' },
  { path: 'recipe.rs', language: 'rust', indent: '    ', from: 'fn parse_line(', to: '/// Adds up' },
  { path: 'lru_pool.rs', language: 'rust', indent: '    ', from: '    /// Takes an idle', to: '    fn give_back' },
  { path: 'Timetable.java', language: 'java', indent: '    ', from: '    /** The first departure' },
  { path: 'InvoiceService.java', language: 'java', indent: '    ', from: '    /** One line for each' },
  { path: 'ringlog.c', language: 'c', indent: '\t', from: 'int ring_log(', to: 'void ring_print(' },
  { path: 'LibraryQueries.cs', language: 'csharp', indent: '    ', from: '    public IReadOnlyList<string> Reminders' },
  { path: 'BoilerController.cs', language: 'csharp', indent: '    ', from: '    [HttpPut' },
  { path: 'observatory.html', language: 'html', indent: '  ', from: '        <ul class', to: '        <button' },
  { path: 'panel.css', language: 'css', indent: '  ', from: '.panel-header h2 {' },
  { path: 'orders.sql', language: 'sql', indent: '  ', from: 'create view order_totals' },
  { path: 'pipeline.json', language: 'json', indent: '  ', from: '      "name": "build"' },
  { path: 'compose.yaml', language: 'yaml', indent: '  ', from: '  web:', to: '  mail:' },
  { path: 'README.md', language: 'markdown', indent: '  ', from: 'Record an hour', to: '## How it works' },
  { path: 'backup.sh', language: 'shellscript', indent: '  ', from: 'check_space() {' },
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
