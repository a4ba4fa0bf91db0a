// `npm run completion-quality -- --upstream URL`: how right a model completes, by mode and without each source.
import { parseArgs } from 'node:util'
import { systemClock } from '../../../src/base/clock.ts'
import { startService } from '../../localService/server.ts'
import { holeKinds, holes } from './holes.ts'
import { formFaults } from './judge.ts'
import { modelOf } from './modelOf.ts'
import { type QualityRow, runQuality, ways } from './qualityRun.ts'

const { values } = parseArgs({
  options: {
    upstream: { type: 'string' },
    model: { type: 'string' },
    seed: { type: 'string', default: '1' },
    per: { type: 'string', default: '4' },
  },
})
const key = process.env['UPSTREAM_API_KEY']
const upstream = values.upstream && {
  url: values.upstream,
  ...(values.model && { model: values.model }),
  ...(key && { key }),
}
await using service = await startService({ plan: 'pro', ...(upstream && { upstream }) })
using models = modelOf(service)
const all = holes(Number(values.seed), Number(values.per))
const languages = new Set(all.map(({ snapshot }) => snapshot.language))
print(`${all.length} holes in ${languages.size} languages, model ${service.model}`)
for (const way of ways) {
  const options = { models, model: service.model, clock: systemClock }
  printRow(await runQuality(way, all, options))
}

function printRow(row: QualityRow): void {
  const { way, isRefused, exact, prefix, rightChars, firstTextMs, tokens, faults, exactByKind } = row
  const percent = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(1, whole))} %`
  print(`\n${way.mode}${way.without ? ` without ${way.without}` : ''}${isRefused ? ': refused by the service' : ''}`)
  if (row.holes === 0) return
  print(
    `  exact ${percent(exact, row.holes)}, prefix ${percent(prefix, row.holes)}, right ${rightChars.toFixed(1)} characters`,
  )
  print(`  first text ${Math.round(firstTextMs)} ms, ${tokens.toFixed(1)} tokens`)
  print(`  ${formFaults.map(fault => `${fault} ${percent(faults[fault], row.holes)}`).join(', ')}`)
  const kinds = holeKinds.flatMap(kind => {
    const [right, of] = exactByKind.get(kind) ?? [0, 0]
    return of === 0 ? [] : [`${kind} ${percent(right, of)}`]
  })
  print(`  exact by kind: ${kinds.join(', ')}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
