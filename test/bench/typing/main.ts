// The typing replay alone: `node test/bench/typing/main.ts [--seeds n] [--all]` prints its table.
import { parseArgs } from 'node:util'
import { legend, tableOf } from './report.ts'
import { allSettings, fewSettings } from './settings.ts'
import { readSources } from './source.ts'
import { type Summary, summarize } from './summary.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '1' }, all: { type: 'boolean' } } })
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => at + 1)
const summaries: Summary[] = []
for (const setting of values.all ? allSettings : fewSettings) {
  summaries.push(await summarize(setting, readSources(), seeds))
  process.stderr.write(`${setting.name}\n`)
}
process.stdout.write(`${tableOf(summaries)}\n${legend}`)
