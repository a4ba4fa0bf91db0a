// `symbolSource`: functions, classes and the like, of the files that are open and of the whole workspace.
import type { LineRange } from '../../protocol/conversation.ts'
import { FuzzyQuery } from '../workspace/fuzzyPath.ts'
import type { ContextQuery, ContextSource, Resolved, Suggestion } from './contextSources.ts'
import { type FileAccess, textMembers } from './fileAccess.ts'
import { matching, type Unmatched } from './matching.ts'

export interface FoundSymbol {
  readonly name: string
  readonly uri: string
  readonly range: LineRange
}

export interface Symbols {
  /** Of the active file first. */
  ofOpenFiles(signal: AbortSignal): Promise<readonly FoundSymbol[]>
  /** What the editor's languages find; none if they take too long. */
  ofWorkspace(text: string, signal: AbortSignal): Promise<readonly FoundSymbol[]>
  /** The whole symbol, of which `range` may be only the name. */
  wholeRange(symbol: FoundSymbol, signal: AbortSignal): Promise<LineRange>
}

export function symbolSource(access: FileAccess, symbols: Symbols): ContextSource<'symbol'> {
  const { files } = access
  return {
    suggest: (query, signal) => suggestSymbols(symbols, uri => files.pathOf(uri), query, signal),
    describe: ({ uri, name }) => ({ label: name, detail: files.pathOf(uri), icon: 'symbol' }),
    async resolve({ uri, name, range }, { isConfirmed }, signal): Promise<Resolved> {
      // Before a language looks for the symbol: it would open the file.
      const first = await access.open(uri, { isConfirmed, range }, signal)
      if (first.is !== 'read') return first
      const whole = await symbols.wholeRange({ uri, name, range }, signal)
      const opened = await access.open(uri, { isConfirmed, range: whole }, signal)
      if (opened.is !== 'read') return opened
      const { file, read } = opened
      if (read.text === '') return { is: 'unavailable', why: 'empty', name: file.path }
      const values = { source: 'symbol', name: `${file.path}#${name}`, uri: file.uri, range: whole } as const
      return { is: 'ready', parts: [access.part({ ...values, ...textMembers(read) })], omitted: [] }
    },
  }
}

/** Without a query only those of open files, because a workspace has too many. */
async function* suggestSymbols(
  symbols: Symbols,
  pathOf: (uri: string) => string,
  query: ContextQuery,
  signal: AbortSignal,
): AsyncIterable<readonly Suggestion[]> {
  const suggest = (found: readonly FoundSymbol[]) =>
    matching(
      distinct(found).map(one => unmatched(one, pathOf)),
      query,
    )
  const open = await symbols.ofOpenFiles(signal)
  yield suggest(open)
  if (new FuzzyQuery(query.text).isEmpty) return
  const more = await symbols.ofWorkspace(query.text.trim(), signal)
  if (more.length > 0) yield suggest([...open, ...more])
}

function unmatched({ name, uri, range }: FoundSymbol, pathOf: (uri: string) => string): Unmatched {
  // A file may have several of one name.
  const detail = `${pathOf(uri)}:${range.startLine + 1}`
  return { reference: { source: 'symbol', uri, range, name }, label: name, detail, icon: 'symbol' }
}

/** The same symbol is found in its open file and in the workspace, there perhaps only its name. */
function distinct(found: readonly FoundSymbol[]): readonly FoundSymbol[] {
  const known = new Map<string, FoundSymbol>()
  for (const one of found) {
    const key = JSON.stringify([one.uri, one.name, one.range.startLine])
    if (!known.has(key)) known.set(key, one)
  }
  return [...known.values()]
}
