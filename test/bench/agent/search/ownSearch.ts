// `ownSearch`: the search of the agent on one folder, and all lines that it finds.
import { systemClock } from '../../../../src/base/clock.ts'
import { LONGEST_LINE_CHARS } from '../../../../src/core/workspace/matchingLines.ts'
import { readPattern } from '../../../../src/core/workspace/searchPattern.ts'
import type { FoundText, TreeRoot } from '../../../../src/core/workspace/treeSearch.ts'
import { ThreadSearch } from '../../../../src/node/search/threadSearch.ts'
import { TreeThreads } from '../../../../src/node/search/treeThreads.ts'
import type { BenchPattern } from './patterns.ts'
import { searchScript } from './searchScript.ts'

const { signal } = new AbortController()

/** `script`: of its threads. */
export function ownSearch(folder: string, script = searchScript) {
  const threads = new TreeThreads({ script, clock: systemClock })
  const search = new ThreadSearch({ threads, clock: systemClock, pathOf: uri => uri, longestMs: 600_000 })
  const root: TreeRoot = { uri: 'folder:', path: folder, name: '', excluded: [], unsent: ['!**'] }
  /** `path`: a folder below it. */
  const find = async (
    { pattern, isLiteral }: BenchPattern,
    mostCounted = Number.POSITIVE_INFINITY,
    path = '',
  ): Promise<FoundText> => {
    const read = readPattern(pattern, isLiteral)
    if (read.is === 'invalid') throw new Error(`${pattern}: ${read.problem}`)
    const places = [{ root, path }]
    const limits = { context: 0, mostInFile: 1e6, mostCounted }
    const found = await search.search(
      { places, glob: undefined, pattern: read.pattern, ...limits, unsaved: [] },
      signal,
    )
    if ('is' in found) throw new Error(found.is)
    return found
  }
  return { find, dispose: () => threads.dispose() }
}

export const linesOf = ({ files }: FoundText) =>
  files.flatMap(({ path, lines }) => lines.map(({ line, text }) => `${path}:${line}:${text}`))

/** The lines that are not left out for their length; a text that is cut where it is shown is compared as it is cut. */
export function comparable(lines: readonly string[]): string[] {
  return lines
    .filter(line => textOf(line).length <= LONGEST_LINE_CHARS)
    .map(line => (textOf(line).length > 300 ? headOf(line) : line))
}

const headOf = (line: string) => /^[^:]*:\d+:/.exec(line)?.[0] ?? line
const textOf = (line: string) => line.slice(headOf(line).length)
