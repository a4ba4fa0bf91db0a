// The typing replay as part of the benchmarks: its table for people, and its figures as rows for the results file.
import type { Row } from '../row.ts'
import { tableOf } from './report.ts'
import { fewSettings } from './settings.ts'
import { readSources } from './source.ts'
import { type Summary, summarize } from './summary.ts'

export async function typingReplay(): Promise<{ table: string; rows: Row[] }> {
  const sources = readSources()
  const summaries: Summary[] = []
  for (const setting of fewSettings) summaries.push(await summarize(setting, sources, [1]))
  return { table: tableOf(summaries), rows: summaries.flatMap(rowsOf) }
}

function rowsOf({ name, figures, peak, reading }: Summary): Row[] {
  const row = (what: string, value: number, unit: string) => ({ what: `typing, ${name}: ${what}`, value, unit })
  const rows = [
    row('visible', figures.visibleRatio.mean, 'of limit'),
    row('requests', figures.requests.mean, 'per 100 keys'),
    row('tokens', figures.tokenRatio.mean, 'ratio'),
    row('wrong', figures.wrong.mean * 100, '%'),
    row('flicker', figures.flicker.mean, 'per 100 keys'),
    row('peak', peak, 'requests'),
  ]
  return reading ? [...rows, row('saved', reading.acceptedRatio, 'of limit')] : rows
}
