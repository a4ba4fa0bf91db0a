// Long conversations through mask and compaction: X1 to X3 and L6.
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { type GrowthReport, growHistory } from '../../support/grownHistory.ts'
import { longTurn, type TurnBytes } from '../../support/growthTurn.ts'
import type { Row } from './rows.ts'

const USUAL = 262_144
const runs = [
  ...Array.from({ length: 3 }, (_, seed) => ({ seed, limit: USUAL, turns: 6, steps: 100 })),
  ...Array.from({ length: 20 }, (_, seed) => ({ seed: 100 + seed, limit: 20_000, turns: 5, steps: 60 })),
]

export async function run(): Promise<readonly Row[]> {
  const reports: GrowthReport[] = []
  for (const one of runs) reports.push(await growHistory(one))
  const turns: TurnBytes[] = []
  for (const surface of surfaceIds) turns.push(await longTurn(surface))
  const sum = (of: (report: GrowthReport) => number) => reports.reduce((all, one) => all + of(one), 0)
  // The first request of a conversation comes before any count of the service.
  const errors = reports.flatMap(({ errors }) => errors.slice(1)).sort((a, b) => a - b)
  const p95 = errors[Math.floor(errors.length * 0.95)] ?? 1
  const refused = sum(one => one.refused)
  const ended = sum(one => one.ended)
  const tooSoon = sum(one => one.tooSoon)
  const missing = sum(one => one.missing.length)
  const broken = sum(one => one.unpaired + one.notShorter)
  const [requests, omissions, summaries] = [
    sum(one => one.requests),
    sum(one => one.omissions),
    sum(one => one.summaries),
  ]
  const about = `${requests} requests, ${omissions} masks, ${summaries} summaries`
  const changed = sum(one => one.changedChars) + turns.reduce((all, one) => all + one.changedChars, 0)
  const trims = turns.reduce((all, one) => all + one.omissions + one.summaries, 0)
  const bodies = turns.reduce((all, one) => all + one.requests, 0)
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`
  return [
    row('X1', 'our count against the service’s, p95', 'within 5 %', `${percent(p95)} (${about})`, p95 <= 0.05),
    row('X2', 'requests refused for length; turns without room', '0; 0', `${refused}; ${ended}`, refused + ended === 0),
    row(
      'X2',
      'summaries sooner than 40 k new tokens',
      '0',
      `${tooSoon} of ${summaries}`,
      tooSoon === 0 && summaries > 0,
    ),
    row('X3', 'sentences, plan, files, instructions missing', '0', `${missing}`, missing === 0),
    row('X3', 'calls without their result; trims that shorten nothing', '0', `${broken}`, broken === 0),
    row(
      'L6',
      'characters sent before and changed, outside trims',
      '0',
      `${changed} (${bodies} bodies on ${surfaceIds.length} surfaces, ${trims} trims)`,
      changed === 0 && trims > 0,
    ),
  ]
}

const row = (id: string, metric: string, target: string, measured: string, isMet: boolean): Row => ({
  ...{ id, metric, target, measured, isMet },
})
