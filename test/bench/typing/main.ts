// The typing replay alone: `node test/bench/typing/main.ts [--seeds n] [--all | --parts]` prints its tables. With `--note text`
// it prints the lines of what users have, surprised and never, under this note and nothing else.
import { parseArgs } from 'node:util'
import { fourWindows, planTableOf } from './fourWindows.ts'
import { withoutEachPart } from './removedParts.ts'
import { cost, headLine, legend, lineOf, seen, tableOf } from './report.ts'
import {
  allSettings,
  allWindowSettings,
  fewSettings,
  fewWindowSettings,
  partSettings,
  type Setting,
  usersSettings,
} from './settings.ts'
import { readSources } from './source.ts'
import { type Summary, summarize } from './summary.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    all: { type: 'boolean' },
    parts: { type: 'boolean' },
    note: { type: 'string' },
  },
})
/** Of all settings each is to have 40,000 keys. */
const count = Number(values.seeds ?? (values.all ? 3 : 1))
const seeds = Array.from({ length: count }, (_, at) => at + 1)
const sources = readSources()
const summaries: Summary[] = []
if (values.note === undefined) await printTables()
else await printLines(usersSettings(values.note))

async function printTables(): Promise<void> {
  process.stdout.write(headLine(seen))
  for (const setting of chosenSettings()) {
    const summary = await summarize(setting, sources, seeds)
    summaries.push(summary)
    process.stdout.write(lineOf(seen, summary))
  }
  const costs: string[] = []
  if (values.parts || values.all) {
    for await (const lines of withoutEachPart(count)) {
      const half = lines.length / 2
      process.stdout.write(`${lines.slice(0, half).join('\n')}\n`)
      costs.push(...lines.slice(half))
    }
  }
  process.stdout.write(`\n${[tableOf(cost, summaries).trimEnd(), ...costs].join('\n')}\n\n`)
  if (!values.parts) {
    const plans = []
    for (const setting of values.all ? allWindowSettings : fewWindowSettings)
      plans.push(await fourWindows(setting, sources, seeds))
    process.stdout.write(`${planTableOf(plans)}\n`)
  }
  process.stdout.write(legend)
}

/** What a user sees, for each, and then what it costs. */
async function printLines(settings: readonly Setting[]): Promise<void> {
  for (const setting of settings) summaries.push(await summarize(setting, sources, seeds))
  for (const columns of [seen, cost]) process.stdout.write(summaries.map(one => lineOf(columns, one)).join(''))
}

function chosenSettings(): readonly Setting[] {
  if (values.parts) return partSettings
  return values.all ? allSettings : fewSettings
}
