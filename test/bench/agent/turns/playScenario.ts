// `playScenario`: a scenario with the agent's real tools, over a surface of the service or against the core alone; what was wrong.
import type { SurfaceId } from '../../../../src/core/model/surfaceIds.ts'
import type { PendingCall } from '../../../../src/core/tools/approvals.ts'
import { TurnFixture } from '../../../support/turnFixture.ts'
import type { ScenarioCase } from './scenarioCases.ts'
import { ScenarioModel } from './scenarioModel.ts'
import { WorkingTools } from './workingTools.ts'

/** `core`: without the service and its surfaces. */
export type Way = SurfaceId | 'core'

export interface Played {
  /** None where all was as it must be. */
  readonly problems: readonly string[]
  /** How often the user was asked; what is asked about one answer is one question. */
  readonly questions: number
}

export async function playScenario(one: ScenarioCase, way: Way): Promise<Played> {
  const { mode, scenarios, question, files, answer } = one
  await using working = new WorkingTools({ files, hasSandbox: mode.isSandboxed === true })
  const asked = new Set<string>()
  await using turn = await TurnFixture.start({
    ...(way === 'core' ? { models: new ScenarioModel(scenarios) } : { surface: way, scenarios }),
    ...{ tools: working.tools, mode },
    ask: async (call: PendingCall) => {
      asked.add(call.answer)
      return answer(call)
    },
  })
  const { state } = await turn.ask(`${mode.instruction}\n${question}`)
  const texts = turn.results.map(([, text]) => text)
  const last = (turn.turn.steps.at(-1)?.parts ?? []).map(part => (part.kind === 'text' ? part.text : '')).join('')
  const problems = [
    ...(state === one.state ? [] : [`ended as ${state}`]),
    ...(one.words.test(last) ? [] : [`ended with ${JSON.stringify(last.slice(0, 100))}`]),
    ...(one.results ?? []).flatMap((wanted, at) =>
      wanted.test(texts[at] ?? '') ? [] : [`result ${at} is ${JSON.stringify(texts[at]?.slice(0, 300))}`],
    ),
    ...changedOtherwise(one, working),
  ]
  return { problems, questions: asked.size }
}

function changedOtherwise({ files, after }: ScenarioCase, { folder }: WorkingTools): string[] {
  const paths = new Set([...Object.keys(files), ...Object.keys(after), ...folder.list()])
  return [...paths].flatMap(path => {
    const text = folder.text(path)
    const isRight = path in after ? fits(text, after[path]) : text === files[path]
    return isRight ? [] : [`${path} is ${JSON.stringify(text?.slice(0, 200))}`]
  })
}

const fits = (text: string | undefined, wanted: RegExp | undefined) =>
  wanted === undefined ? text === undefined : text !== undefined && wanted.test(text)
