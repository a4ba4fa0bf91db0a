// `checkCommandTool`: shows more of what a command has written, waits for its end, or stops it.
import { withCommandChanges } from './commandChangesText.ts'
import { commandReport, detailsOf, outputPart, type Report, stateText } from './commandReport.ts'
import type { CommandRun, CommandRuns } from './commandRuns.ts'
import type { SecretTrace } from './secretTrace.ts'
import type { SecretValues } from './secretValues.ts'
import type { Tool, ToolOutput } from './tool.ts'
import { errorOutput, textOutput } from './toolOutput.ts'
import { count } from './toolPaths.ts'

export interface CheckCommandPorts {
  readonly runs: CommandRuns
  readonly secrets: SecretValues
  readonly trace: SecretTrace
}

const MAX_WAIT_SECONDS = 60
const PAGE_CHARS = 16_000
const MAX_LINES = 100
const MAX_LINE_CHARS = 300
/** How much of the output is searched at once. */
const SEARCH_CHARS = 200_000

export function checkCommandTool({ runs, secrets, trace }: CheckCommandPorts): Tool {
  return {
    name: 'check_command',
    description: `Shows what a command of run_command has written since you last saw it, and whether it has ended. With \`from\` it returns up to ${PAGE_CHARS.toLocaleString('en')} characters of the output from there on, with \`pattern\` the lines that contain a text, at most ${MAX_LINES}.`,
    parameters: {
      properties: {
        id: { type: 'integer', minimum: 1, description: 'The id that run_command returned.' },
        wait_seconds: {
          type: 'integer',
          minimum: 0,
          maximum: MAX_WAIT_SECONDS,
          description: `Wait so long for its end first, at most ${MAX_WAIT_SECONDS}.`,
        },
        from: { type: 'integer', minimum: 0, description: 'The first character of the output to return.' },
        pattern: {
          type: 'string',
          description: 'A plain text, in upper or lower case, not a regular expression; a|b for either.',
        },
        stop: { type: 'boolean', description: 'Stop it, with everything that it has started.' },
      },
      required: ['id'],
    },
    // It shows what the user has allowed to run, so nobody is asked again.
    rights: 'read',
    async run(input, { conversation, progress }, signal) {
      const id = typeof input['id'] === 'number' ? input['id'] : 0
      const run = runs.find(conversation, id)
      if (!run) return errorOutput(noSuch(id, runs.all(conversation)))
      const report = { run, secrets, onMasked: () => trace.add(conversation) }
      if (input['stop'] === true && run.mayStop) await run.stop()
      const waitMs = typeof input['wait_seconds'] === 'number' ? input['wait_seconds'] * 1_000 : 0
      const following = progress && run.follow(text => progress(secrets.mask(text).text))
      const wait = await run.wait(waitMs, signal).finally(() => following?.dispose())
      if (typeof input['pattern'] === 'string') return search(report, input['pattern'])
      if (typeof input['from'] === 'number') return page(report, input['from'])
      const output = await commandReport(report, wait, run.shownChars)
      return run.watched ? withCommandChanges(output, await run.watched.changes()) : output
    },
  }
}

async function page(report: Report, from: number): Promise<ToolOutput> {
  const { run } = report
  const sizeChars = run.output.sizeChars
  if (from >= sizeChars)
    return shown(report, `Its output has ${count(sizeChars)} characters, so there is nothing from ${from} on.`)
  const end = Math.min(from + PAGE_CHARS, sizeChars)
  const text = await outputPart(report, from, end)
  const isWhole = end === sizeChars
  const rest = isWhole ? 'This is its end.' : `check_command with from ${end} shows more.`
  return shown(report, `Characters ${from} to ${end} of ${count(sizeChars)}. ${rest}\n${text}`)
}

async function search(report: Report, pattern: string): Promise<ToolOutput> {
  const { output } = report.run
  const words = pattern
    .toLowerCase()
    .split('|')
    .filter(word => word !== '')
  if (words.length === 0)
    return errorOutput('The pattern is empty. It is a text that is looked for in the output. Call again with one.')
  const found: string[] = []
  let foundCount = 0
  let rest = ''
  for (let from = 0; from < output.sizeChars; from += SEARCH_CHARS) {
    const lines = (rest + (await outputPart(report, from, Math.min(from + SEARCH_CHARS, output.sizeChars)))).split('\n')
    rest = from + SEARCH_CHARS < output.sizeChars ? (lines.pop() ?? '') : ''
    for (const line of lines) {
      if (!words.some(word => line.toLowerCase().includes(word))) continue
      foundCount++
      if (found.length < MAX_LINES) found.push(line.slice(0, MAX_LINE_CHARS))
    }
  }
  const more = foundCount > found.length ? `, of which these are the first ${found.length}` : ''
  return shown(
    report,
    `${foundCount === 1 ? '1 line' : `${count(foundCount)} lines`} with ${JSON.stringify(pattern)}${more}.\n${found.join('\n')}`,
  )
}

function shown({ run }: Report, text: string): ToolOutput {
  return textOutput(`${stateText(run, 'time')}\n${text}`, { ...detailsOf(run) })
}

function noSuch(id: number, all: readonly CommandRun[]): string {
  const known =
    all.length === 0
      ? 'No command has run since this window was opened'
      : `Their ids are ${all.map(run => run.id).join(', ')}`
  return `There is no command ${id} in this conversation. ${known}; the commands end with the window. Call run_command to run one.`
}
