// The typing replay as part of the benchmarks: its tables for people, and its figures as rows for the results file.
import type { Row } from '../row.ts'
import { fourWindows, type PlanSummary, planTableOf } from './fourWindows.ts'
import { cost, seen, tableOf } from './report.ts'
import { fewSettings, fewWindowSettings } from './settings.ts'
import { readSources } from './source.ts'
import { type Summary, summarize } from './summary.ts'

const SEEDS = [1]

export async function typingReplay(): Promise<{ table: string; rows: Row[] }> {
  const sources = readSources()
  const summaries: Summary[] = []
  for (const setting of fewSettings) summaries.push(await summarize(setting, sources, SEEDS))
  const plans: PlanSummary[] = []
  for (const setting of fewWindowSettings) plans.push(await fourWindows(setting, sources, SEEDS))
  return {
    table: [tableOf(seen, summaries), tableOf(cost, summaries), planTableOf(plans)].join('\n'),
    rows: [...summaries.flatMap(rowsOf), ...plans.flatMap(planRowsOf)],
  }
}

const row = (name: string, what: string, value: number, unit: string) => ({
  what: `typing, ${name}: ${what}`,
  value,
  unit,
})

function rowsOf({ name, figures, peak, reading }: Summary): Row[] {
  const rows = [
    row(name, 'visible', figures.visibleRatio.mean, 'of limit'),
    row(name, 'wrong', figures.wrong.mean * 100, '%'),
    row(name, 'requests', figures.requests.mean, 'per 100 keys'),
    row(name, 'tokens', figures.tokenRatio.mean, 'ratio'),
    row(name, 'uncached prompt', figures.uncachedTokens.mean, 'tokens'),
    row(name, 'flicker', figures.flicker.mean, 'per 100 keys'),
    row(name, 'peak', peak, 'requests'),
  ]
  return reading ? [...rows, row(name, 'saved', reading.acceptedRatio, 'of limit')] : rows
}

function planRowsOf({ name, visibleRatio, wrong, refused, addedP95 }: PlanSummary): Row[] {
  return [
    row(name, 'visible', visibleRatio, 'of limit'),
    row(name, 'wrong', wrong * 100, '%'),
    row(name, 'refused', refused, 'per 100 keys'),
    row(name, 'a chat waits longer, p95', addedP95, 'ms'),
  ]
}
