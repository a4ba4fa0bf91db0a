// A process that lists and searches a folder: `node searchingProcess.ts <folder> <pattern>` prints what it finds, and whether it can start a program.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { systemClock } from '../../src/base/clock.ts'
import { ThreadSearch } from '../../src/node/search/threadSearch.ts'
import { TreeThreads } from '../../src/node/search/treeThreads.ts'
import { pathOf, patternOf, treeRoot } from './searchedFolder.ts'

const script = join(import.meta.dirname, '../../src/node/search/searchWorker.ts')
const { signal: never } = new AbortController()
const [folder = '.', pattern = ''] = process.argv.slice(2)
const found = await Promise.all((['threads', 'slices'] as const).map(findIn))
process.stdout.write(JSON.stringify({ found, canStartPrograms: canStartPrograms() }))

async function findIn(how: 'threads' | 'slices') {
  const threads = new TreeThreads({ script: how === 'threads' ? script : undefined, clock: systemClock })
  const search = new ThreadSearch({ threads, clock: systemClock, pathOf })
  const places = [{ root: treeRoot(folder), path: '' }]
  const listed = await search.list({ places, glob: undefined, most: 100 }, never)
  const limits = { context: 0, mostInFile: 20, mostCounted: 2_000, unsaved: [] }
  const searched = await search.search({ places, glob: undefined, pattern: patternOf(pattern), ...limits }, never)
  threads.dispose()
  return {
    files: 'is' in listed ? listed.is : listed.entries.map(({ path }) => path),
    lines: 'is' in searched ? searched.is : searched.files.map(({ path, lines }) => `${path}:${lines[0]?.text}`),
  }
}

function canStartPrograms(): boolean {
  try {
    return spawnSync(process.execPath, ['--version']).status === 0
  } catch {
    return false
  }
}
