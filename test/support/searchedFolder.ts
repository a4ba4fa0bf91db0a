// The searches of a workspace in real folders, in threads or in slices, for tests of what they find.
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { readPattern, type SearchPattern } from '../../src/core/workspace/searchPattern.ts'
import type { TreeRoot } from '../../src/core/workspace/treeSearch.ts'
import { ThreadSearch } from '../../src/node/search/threadSearch.ts'
import { TreeThreads } from '../../src/node/search/treeThreads.ts'

const script = join(import.meta.dirname, '../../src/node/search/searchWorker.ts')

export const pathOf = (uri: string) => (uri.startsWith('file:') ? fileURLToPath(uri) : undefined)

export function treeRoot(path: string, more: Partial<TreeRoot> = {}): TreeRoot {
  return { uri: pathToFileURL(path).href, path, name: '', excluded: [], unsent: [], ...more }
}

/** The threads end with the tests of the file. */
export function searchIn(how: 'threads' | 'slices', clock: Clock = systemClock) {
  const threads = new TreeThreads({ script: how === 'threads' ? script : undefined, clock })
  after(() => threads.dispose())
  return { threads, search: new ThreadSearch({ threads, clock, pathOf }) }
}

export function patternOf(written: string, isLiteral = false): SearchPattern {
  const read = readPattern(written, isLiteral)
  if (read.is === 'invalid') throw new Error(read.problem)
  return read.pattern
}
