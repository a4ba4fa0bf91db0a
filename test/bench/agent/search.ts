// The search of the agent against ripgrep and git grep, on a generated tree of 100,000 files and on real code: S1 and S2.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { median } from '../numbers.ts'
import type { PartOptions } from './part.ts'
import type { Row } from './rows.ts'
import { generatedTree } from './search/generatedTree.ts'
import { gitGrep, hasRipgrep, ripgrep } from './search/otherSearches.ts'
import { comparable, linesOf, ownSearch } from './search/ownSearch.ts'
import { type BenchPattern, searchPatterns } from './search/patterns.ts'

/** In a few minutes; `--count 500` for the number of the target. */
const PATTERNS = 150
const ROUNDS = 3
const root = join(import.meta.dirname, '../../..')

export async function run({ count = PATTERNS }: PartOptions): Promise<readonly Row[]> {
  if (!hasRipgrep()) throw new Error('ripgrep is missing: apt-get install ripgrep')
  const tree = generatedTree()
  const patterns = searchPatterns(tree.words, count)
  return [
    ...(await times('S1', 'search of 100,000 files', tree.path, 2, patterns.slice(0, 10))),
    ...(await times('S1', 'search of real code', join(root, 'node_modules'), 4, codePatterns)),
    ...(await differences(tree.path, patterns)),
  ]
}

/** In the packages that are installed. */
const codePatterns: readonly BenchPattern[] = [
  { pattern: 'useImperativeHandle', isLiteral: true },
  { pattern: 'function parse(', isLiteral: true },
  { pattern: '\\bdeprecated\\b', isLiteral: false },
  { pattern: 'class \\w+ extends Error', isLiteral: false },
  { pattern: 'throw new \\w+Error\\(', isLiteral: false },
  { pattern: '(?i)todo', isLiteral: false },
  { pattern: 'import .* from [\'"]node:fs', isLiteral: false },
  { pattern: '0x[0-9a-f]{8}', isLiteral: false },
]

async function times(id: string, what: string, folder: string, target: number, patterns: readonly BenchPattern[]) {
  const { find, dispose } = ownSearch(folder)
  const ratios: number[] = []
  const own: number[] = []
  const other: number[] = []
  for (const pattern of patterns) {
    await find(pattern)
    await ripgrep(folder, pattern)
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      await find(pattern)
      const ownMs = performance.now() - start
      const { ms } = await ripgrep(folder, pattern)
      ratios.push(ownMs / ms)
      own.push(ownMs)
      other.push(ms)
    }
  }
  dispose()
  const ratio = median(ratios)
  const measured = `${ratio.toFixed(2)}× (${Math.round(median(own))} ms, ripgrep ${Math.round(median(other))} ms)`
  return [
    {
      id,
      metric: `${what}, warm: time over ripgrep's, median`,
      target: `≤ ${target}×`,
      measured,
      isMet: ratio <= target,
    },
  ]
}

/** Every tenth pattern in the whole tree, the others in one folder of its top after the other that is not ignored. */
async function differences(folder: string, patterns: readonly BenchPattern[]): Promise<Row[]> {
  const { find, dispose } = ownSearch(folder)
  const tops = readdirSync(folder, { withFileTypes: true }).filter(one => one.isDirectory() && /^f\d/.test(one.name))
  let [same, sameAsGit, git, lines] = [0, 0, 0, 0]
  for (const [at, pattern] of patterns.entries()) {
    const path = at % 10 === 0 ? undefined : tops[at % tops.length]?.name
    const own = comparable(linesOf(await find(pattern, undefined, path))).sort()
    const others = comparable((await ripgrep(folder, pattern, path)).lines).sort()
    lines += others.length
    if (isSame(own, others, pattern, 'ripgrep')) same++
    const asked = path === undefined ? gitGrep(folder, pattern) : undefined
    if (!asked) continue
    git++
    if (isSame(own, comparable((await asked).lines).sort(), pattern, 'git grep')) sameAsGit++
  }
  dispose()
  const found = lines.toLocaleString('en-US')
  const row = (other: string, count: number, of: number): Row => ({
    id: 'S2',
    metric: `same lines as ${other}, ${of} patterns`,
    target: '100 %',
    measured: `${((100 * count) / of).toFixed(1)} % (${found} lines in all)`,
    isMet: count === of,
  })
  return [row('ripgrep', same, patterns.length), row('git grep', sameAsGit, git)]
}

function isSame(own: readonly string[], others: readonly string[], { pattern }: BenchPattern, by: string): boolean {
  const [first, second] = [new Set(own), new Set(others)]
  const more = own.filter(line => !second.has(line))
  const less = others.filter(line => !first.has(line))
  if (more.length + less.length === 0) return true
  process.stderr.write(
    `${pattern}: other lines than ${by}: ${[...more.slice(0, 3).map(one => `+ ${one}`), ...less.slice(0, 3).map(one => `- ${one}`)].join('\n  ')}\n`,
  )
  return false
}
