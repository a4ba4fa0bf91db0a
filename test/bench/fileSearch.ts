// The search for files in a workspace of 100,000: until the first results, until all, and the longest work without a pause.
import { systemClock } from '../../src/base/clock.ts'
import { FileIndex } from '../../src/core/workspace/fileIndex.ts'
import type { ListedFile } from '../../src/core/workspace/textFiles.ts'
import { median } from './numbers.ts'
import type { Row } from './row.ts'

const FILES = 100_000
const ROUNDS = 5
/** As they are typed, character by character: a frequent letter, a word of folders, a name, a path. */
const typed = ['e', 'src', 'service', 'useUserStore', 'packages/core/index']
const words = 'app api auth base cache chart client config core data event file form grid hook index input item'.split(
  ' ',
)
const more = 'layout list menu model page panel queue route server service state store table test user util view'.split(
  ' ',
)
const { signal } = new AbortController()

export async function fileSearch(): Promise<Row[]> {
  const index = new FileIndex(systemClock, () => [])
  const files = Array.from({ length: FILES }, (_, at) => listedFile(at))
  const filling = await paced(() => index.fill(files, signal))
  const searches: Measured[] = []
  for (let round = 0; round < ROUNDS; round++)
    for (const text of typed)
      for (let end = 1; end <= text.length; end++) searches.push(await search(index, text.slice(0, end)))
  const firsts = searches.map(({ firstMs }) => firstMs)
  return [
    { what: `${FILES} files, index`, value: filling.totalMs, unit: 'ms' },
    { what: '  longest work at once', value: filling.longestMs, unit: 'ms' },
    { what: 'file search, first results', value: median(firsts), unit: 'ms' },
    { what: '  slowest', value: Math.max(...firsts), unit: 'ms' },
    { what: 'file search, complete', value: median(searches.map(({ totalMs }) => totalMs)), unit: 'ms' },
    { what: '  slowest', value: Math.max(...searches.map(({ totalMs }) => totalMs)), unit: 'ms' },
    { what: '  longest work at once', value: Math.max(...searches.map(({ longestMs }) => longestMs)), unit: 'ms' },
  ]
}

interface Measured {
  readonly firstMs: number
  readonly totalMs: number
  readonly longestMs: number
}

async function search(index: FileIndex, text: string): Promise<Measured> {
  const start = performance.now()
  let firstMs = 0
  const { totalMs, longestMs } = await paced(async () => {
    for await (const _ of index.search(text, { of: 'file', limit: 50 }, signal)) firstMs ||= performance.now() - start
  })
  return { firstMs, totalMs, longestMs }
}

/** The longest time in which no other task was run. */
async function paced(work: () => Promise<void>): Promise<Omit<Measured, 'firstMs'>> {
  const start = performance.now()
  let last = start
  let longestMs = 0
  const look = () => {
    longestMs = Math.max(longestMs, performance.now() - last)
    last = performance.now()
  }
  let isOver = false
  const ticking = (async () => {
    while (!isOver) {
      look()
      await new Promise(resolve => setImmediate(resolve))
    }
  })()
  await work()
  look()
  isOver = true
  await ticking
  return { totalMs: performance.now() - start, longestMs }
}

/** `packages/core/src/service/store/userService42.ts`, always the same for a number. */
function listedFile(at: number): ListedFile {
  const word = (list: readonly string[], step: number) => list[Math.floor(at / step) % list.length] ?? ''
  const name = `${word(more, 1)}${word(words, 3).replace(/^./, first => first.toUpperCase())}${at}`
  const path = `packages/${word(words, 5_000)}/src/${word(more, 300)}/${word(words, 17)}/${name}.ts`
  return { uri: `file:///work/${path}`, path }
}
