// The typing replay alone: `node test/bench/typing/main.ts [--seeds n] [--all | --parts]` prints its tables.
import { parseArgs } from 'node:util'
import { fourWindows, planTableOf } from './fourWindows.ts'
import { cost, headLine, legend, lineOf, seen, tableOf } from './report.ts'
import {
  allSettings,
  allWindowSettings,
  fewSettings,
  fewWindowSettings,
  partSettings,
  type Setting,
} from './settings.ts'
import { readSources } from './source.ts'
import { type Summary, summarize } from './summary.ts'

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, all: { type: 'boolean' }, parts: { type: 'boolean' } },
})
/** Of all settings each is to have 40,000 keys. */
const count = Number(values.seeds ?? (values.all ? 3 : 1))
const seeds = Array.from({ length: count }, (_, at) => at + 1)
const sources = readSources()
const summaries: Summary[] = []
process.stdout.write(headLine(seen))
for (const setting of chosenSettings()) {
  const summary = await summarize(setting, sources, seeds)
  summaries.push(summary)
  process.stdout.write(lineOf(seen, summary))
}
process.stdout.write(`\n${tableOf(cost, summaries)}\n`)
if (!values.parts) {
  const plans = []
  for (const setting of values.all ? allWindowSettings : fewWindowSettings)
    plans.push(await fourWindows(setting, sources, seeds))
  process.stdout.write(`${planTableOf(plans)}\n`)
}
process.stdout.write(legend)

function chosenSettings(): readonly Setting[] {
  if (values.parts) return partSettings
  return values.all ? allSettings : fewSettings
}
