// The typing replay alone: `node test/bench/typing/main.ts [--seeds n] [--all]` prints its table.
import { parseArgs } from 'node:util'
import { headLine, legend, lineOf } from './report.ts'
import { allSettings, fewSettings } from './settings.ts'
import { readSources } from './source.ts'
import { summarize } from './summary.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '1' }, all: { type: 'boolean' } } })
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => at + 1)
const sources = readSources()
process.stdout.write(headLine())
for (const setting of values.all ? allSettings : fewSettings) {
  process.stdout.write(lineOf(await summarize(setting, sources, seeds)))
}
process.stdout.write(`\n${legend}`)
