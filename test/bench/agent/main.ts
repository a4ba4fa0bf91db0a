// Measures the agent and prints a table: `node test/bench/agent/main.ts [part…] [--count N] [--before DIST]`; without a part, all of them.
import { readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Part } from './part.ts'
import { type Row, tableOf } from './rows.ts'

const notParts = ['main.ts', 'part.ts', 'rows.ts']
const parts = readdirSync(import.meta.dirname)
  .filter(name => name.endsWith('.ts') && !notParts.includes(name))
  .map(name => name.replace(/\.ts$/, ''))
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, before: { type: 'string' } },
})
const { count, before } = values
const options = { ...(count !== undefined && { count: Number(count) }), ...(before !== undefined && { before }) }
const unknown = asked.filter(name => !parts.includes(name))
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}. The parts are: ${parts.join(', ')}`)

const load = () => loadavg()[0]?.toFixed(1)
const rows: Row[] = []
for (const name of asked.length > 0 ? asked : parts) {
  const [start, loadBefore] = [performance.now(), load()]
  const { run } = (await import(`./${name}.ts`)) as Part // as: each file that is a part has it
  rows.push(...(await run(options)))
  const seconds = Math.round((performance.now() - start) / 1_000)
  process.stderr.write(`${name}: ${seconds} s; load of the machine ${loadBefore} before, ${load()} after\n`)
}
process.stdout.write(`${tableOf(rows)}\n`)
process.exit(rows.every(row => row.isMet) ? 0 : 1)
