// Scenarios: what the demo model does in a turn with tools, from a file; CONTRIBUTING.md has the format.
import { readFileSync } from 'node:fs'
import { attachedTexts } from './attachedText.ts'
import { isObject, isString, isStrings } from './json.ts'
import type { Message, ModelRequest } from './modelRequest.ts'
import { type Reply, readReply } from './replies.ts'
import fixPostage from './scenarios/fixPostage.json' with { type: 'json' }
import { withoutSurroundings } from './surroundings.ts'

export interface Scenario {
  /** What the question has to match, in any letter case. */
  readonly ask: RegExp
  /** The scenario needs all of these tools. */
  readonly tools: readonly string[]
  /** The answers to the question and to the results after it; of each the first whose conditions hold. */
  readonly answers: readonly (readonly ScenarioAnswer[])[]
}

export interface ScenarioAnswer {
  readonly reply: Reply
  /** What the newest results have to match. */
  readonly result: RegExp | undefined
  /** The mode that the question was asked in. */
  readonly mode: string | undefined
  /** Texts that the request must have. */
  readonly expect: readonly string[]
}

/** A file that is no scenario; the message is one sentence for its author. */
export class ScenarioError extends Error {}

export function readScenario(file: string): Scenario {
  return scenarioOf(file, parsed(file))
}

/** `file`: its name, for what is wrong with it. */
export function scenarioOf(file: string, value: unknown): Scenario {
  if (!isObject(value)) throw new ScenarioError(`${file}: a scenario is an object with \`ask\` and \`answers\`.`)
  const { ask, tools = [], answers, ...rest } = value
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw new ScenarioError(`${file}: a scenario has no field '${unknown}'.`)
  if (!isString(ask)) throw new ScenarioError(`${file}: \`ask\` is a regular expression.`)
  if (!isStrings(tools)) throw new ScenarioError(`${file}: \`tools\` is a list of names.`)
  if (!Array.isArray(answers) || answers.length === 0) throw new ScenarioError(`${file}: \`answers\` is a list.`)
  return {
    ask: expression(file, ask),
    tools,
    answers: answers.map(one => (Array.isArray(one) ? one : [one]).map(answer => readAnswer(file, answer))),
  }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (fault) {
    throw new ScenarioError(`${file}: ${fault instanceof Error ? fault.message : 'it cannot be read.'}`)
  }
}

function readAnswer(file: string, value: unknown): ScenarioAnswer {
  if (!isObject(value)) throw new ScenarioError(`${file}: an answer is an object.`)
  const { when = {}, expect = [], ...rest } = value
  if (!isObject(when)) throw new ScenarioError(`${file}: \`when\` is an object with \`result\` or \`mode\`.`)
  if (!isStrings(expect)) throw new ScenarioError(`${file}: \`expect\` is a list of texts.`)
  const reply = readReply(rest)
  if (typeof reply === 'string') throw new ScenarioError(`${file}: ${reply}`)
  const { result, mode } = when
  return {
    reply,
    result: isString(result) ? expression(file, result) : undefined,
    mode: isString(mode) ? mode : undefined,
    expect,
  }
}

function expression(file: string, source: string): RegExp {
  try {
    return new RegExp(source, 'is')
  } catch {
    throw new ScenarioError(`${file}: '${source}' is no regular expression.`)
  }
}

/** A question is short; what comes with it may be very long. */
const MOST_QUESTION_CHARS = 100_000

/** The answer of the first scenario that is about the question; undefined where none is, or it has come to its end. */
export function scenarioReply(
  scenarios: readonly Scenario[],
  { messages, tools, json }: ModelRequest,
): Reply | undefined {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const { text = '' } = messages[asked] ?? {}
  const question = attachedTexts(withoutSurroundings(text.slice(0, MOST_QUESTION_CHARS))).rest
  const names = new Set(tools.map(({ name }) => name))
  const scenario = scenarios.find(one => one.ask.test(question) && one.tools.every(name => names.has(name)))
  if (!scenario) return undefined
  const after = messages.slice(asked + 1)
  const given = scenario.answers[after.filter(({ role }) => role === 'assistant').length] ?? []
  const results = newestResults(after)
  const mode = modeOf(messages)
  const answer = given.find(one => (one.result?.test(results) ?? true) && (one.mode === undefined || one.mode === mode))
  if (!answer) return undefined
  const body = JSON.stringify(json)
  const missing = answer.expect.find(wanted => !body.includes(JSON.stringify(wanted).slice(1, -1)))
  if (missing !== undefined) return { text: `The scenario expected ${JSON.stringify(missing)} in this request.` }
  return answer.reply
}

function newestResults(after: readonly Message[]): string {
  const last = after.findLastIndex(({ role }) => role === 'assistant')
  return after
    .slice(last + 1)
    .map(({ text }) => text)
    .join('\n')
}

/** As the assistant writes it with a question, the newest last. */
function modeOf(messages: readonly Message[]): string | undefined {
  const texts = messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  return [...texts.join('\n').matchAll(/^Mode: (\w+)\./gm)].at(-1)?.[1]
}

/** Those of the demo model. */
export const demoScenarios: readonly Scenario[] = [scenarioOf('fixPostage.json', fixPostage)]
