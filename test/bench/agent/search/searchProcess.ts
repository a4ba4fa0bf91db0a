// A process that does nothing but search: `node searchProcess.ts <folder> <pattern> <script of the threads>` prints when the first line was there, and its memory.
import process from 'node:process'
import { ownSearch } from './ownSearch.ts'

const [folder = '.', pattern = '', script] = process.argv.slice(2)
const { find, dispose } = ownSearch(folder, script)
const start = performance.now()
await find({ pattern, isLiteral: true }, 1)
const firstMs = performance.now() - start
const baseMb = process.memoryUsage().rss / 1e6
for (let round = 0; round < 3; round++) await find({ pattern: `${pattern}Nowhere`, isLiteral: true })
await find({ pattern, isLiteral: true }, 2_000)
const memoryMb = process.resourceUsage().maxRSS / 1e3
dispose()
process.stdout.write(JSON.stringify({ firstMs, baseMb, memoryMb }))
