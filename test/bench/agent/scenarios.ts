// Turns that a scenario plays with the agent's real tools: L1, and the questions of the standard task: Q1.
import process from 'node:process'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { type Mode, modes } from '../../../src/core/tools/modes.ts'
import type { Row } from './rows.ts'
import { playScenario, type Way } from './turns/playScenario.ts'
import { scenarioCases } from './turns/scenarioCases.ts'
import { standardTask } from './turns/standardTask.ts'

const ways: readonly Way[] = [...surfaceIds, 'core']

export async function run(): Promise<readonly Row[]> {
  return [await green(), ...(await questions())]
}

async function green(): Promise<Row> {
  const all = scenarioCases.flatMap(one => ways.map(way => ({ one, way })))
  let failed = 0
  for (const { one, way } of all) {
    const { problems } = await playScenario(one, way)
    if (problems.length === 0) continue
    failed++
    process.stderr.write(`${one.name}, ${way}: ${problems.join('; ')}\n`)
  }
  return {
    id: 'L1',
    metric: `scenarios green on ${surfaceIds.length} surfaces and in the core (${scenarioCases.length} scenarios)`,
    target: 'all',
    measured: `${all.length - failed} of ${all.length}`,
    isMet: failed === 0,
  }
}

const limits: readonly (readonly [mode: Mode, most: number])[] = [
  [modes.ask, 4],
  [modes.edit, 1],
  [modes.sandbox, 0],
]

async function questions(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [mode, most] of limits) {
    const { problems, questions: asked } = await playScenario(standardTask(mode), 'chat-completions')
    for (const problem of problems) process.stderr.write(`standard task, ${mode.id}: ${problem}\n`)
    rows.push({
      id: 'Q1',
      metric: `questions of the standard task (five files, three test runs), ${mode.id}`,
      target: most === 0 ? '0' : `≤ ${most}`,
      measured: `${asked}${problems.length > 0 ? ', not completed' : ''}`,
      isMet: asked <= most && problems.length === 0,
    })
  }
  return rows
}
