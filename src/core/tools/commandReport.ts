// `commandReport`: what the model is shown of a command: how far it is, and its output without the values of secrets.
import { sanitizeLine } from '../../base/text.ts'
import { excerptOf, leftOutText } from './commandOutput.ts'
import type { GuardReport } from './commandPorts.ts'
import type { CommandRun, WaitEnd } from './commandRuns.ts'
import { exitWords } from './exitWords.ts'
import { namesGit } from './scriptRunners.ts'
import type { SecretValues } from './secretValues.ts'
import type { ToolOutput } from './tool.ts'

/** What the page shows beside the text. */
export interface CommandDetails {
  readonly exitCode?: number
  readonly signal?: string
  readonly seconds: number
  readonly id: number
  readonly isRunning: boolean
  readonly isSandboxed?: boolean
}

export interface Report {
  readonly run: CommandRun
  readonly secrets: SecretValues
  /** Something was replaced in what the conversation was shown. */
  readonly onMasked: () => void
}

export function detailsOf(run: CommandRun): CommandDetails {
  const { exitCode, signal } = run.end ?? {}
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    seconds: rounded(run.seconds),
    id: run.id,
    isRunning: run.isRunning,
    ...(run.isSandboxed && { isSandboxed: true }),
  }
}

/** The state of the command, and its output from `fromChars` on: its beginning and its end where it is long. */
export async function commandReport(report: Report, wait: WaitEnd, fromChars = 0): Promise<ToolOutput> {
  const { run } = report
  const sizeChars = run.output.sizeChars - fromChars
  // Of this moment, because the line may end while the output is read.
  const { pendingText } = run
  const excerpt = excerptOf(sizeChars)
  const parts = excerpt.length === 0 ? ([[0, 0]] as const) : excerpt
  const texts = await Promise.all(
    parts.map(([from, end], at) =>
      outputPart(report, fromChars + from, fromChars + end, at === parts.length - 1 ? pendingText : ''),
    ),
  )
  run.shownChars = fromChars + sizeChars
  const [first = '', last] = texts
  const leftOutChars = sizeChars - parts.reduce((sum, [from, end]) => sum + end - from, 0)
  const leftOutFrom = fromChars + (parts[0]?.[1] ?? 0)
  const between = last === undefined ? '' : `\n${leftOutText(leftOutChars, leftOutFrom, run.id)}\n`
  const output = `${first}${between}${last ?? ''}`
  return {
    content: [{ kind: 'text', text: joined(stateText(run, wait), output, fromChars) }],
    details: { ...detailsOf(run) },
    // A command that runs is looked at again to wait for it.
    ...(run.end && { repeatKey: repeatKey([exitWords(run.end), ...texts]) }),
  }
}

/** Test programs end with how long they took. */
function repeatKey(parts: readonly string[]): string {
  return parts.join('\0').replace(/\b\d+(?:[.,]\d+)?\s?(?:ms|s|sec|secs|seconds?)\b/g, '# s')
}

/**
 * The characters of the output, with a mark for each value of a secret, also one that is cut by an end of the part.
 * `pending`: what follows the part and is no line yet.
 */
export async function outputPart(
  { run, secrets, onMasked }: Report,
  from: number,
  end: number,
  pending = '',
): Promise<string> {
  if (end <= from && pending === '') return ''
  const margin = secrets.marginChars
  const begin = Math.max(0, from - margin)
  const read = await run.output.read(begin, end - begin + margin)
  // Text before it may have been dropped meanwhile.
  const skipped = Math.max(0, from - read.from)
  const known = pending === '' ? read.text : read.text.slice(0, Math.max(0, end - read.from)) + pending
  const upTo = Math.min(skipped + end - from + pending.length, known.length)
  const { text, isMasked } = secrets.maskPart(known, skipped, upTo)
  if (isMasked) onMasked()
  return text
}

/** How the command ended, or that it runs. */
export function stateText(run: CommandRun, wait: WaitEnd): string {
  const { end, id } = run
  const seconds = `${rounded(run.seconds)} s`
  if (end) {
    const rest = end.hasRest ? ` Something that it started is still running; check_command with id ${id} stops it.` : ''
    const guard = end.guard ? guardText(end.guard) : ''
    const place = run.isSandboxed ? ' in the sandbox' : ''
    const history = lacksHistory(run) ? ` ${noHistory}` : ''
    return `Command ${id} ended${place} after ${seconds}, ${exitWords(end)}.${rest}${guard}${history}`
  }
  const how = `check_command with id ${id} shows more, and stops it.`
  if (wait === 'asks')
    return `Command ${id} has run for ${seconds} and writes nothing more. Its last line looks like a question, which nobody can answer, because it has no input: stop it, and call it with options that answer in advance. ${how}`
  return `Command ${id} is running in the background, for ${seconds} so far. ${how}`
}

/** It has run git in the sandbox, where the history is hidden. */
export const lacksHistory = (run: CommandRun): boolean => run.hidesHistory && namesGit(run.command)

const noHistory =
  'In the sandbox git cannot read the commits and what is staged, because the history of the repository has files that look secret.'

/** What it has made that no command in the sandbox may make. */
function guardText({ taken, left, isKnown, secret }: GuardReport): string {
  const sentences = [
    secret !== undefined &&
      `It was stopped, because ${names([secret])} was made or replaced while it ran, which looks secret and could not be hidden from it. A command that is started now does not see that file.`,
    taken.length > 0 &&
      `It made ${names(taken.map(({ name }) => name))}, which no command in the sandbox may make, so it was taken away. The user can put it back.`,
    left.length > 0 &&
      `While it ran, ${names(left)} changed, which may be the work of somebody else, so it was left alone. Ask the user to look at it.`,
    !isKnown &&
      'There are so many files now that it is not known whether protected ones are among them. Tell the user.',
  ]
  return sentences
    .filter(sentence => sentence !== false)
    .map(sentence => ` ${sentence}`)
    .join('')
}

const names = (paths: readonly string[]) =>
  paths
    .slice(0, 10)
    .map(path => JSON.stringify(sanitizeLine(path)))
    .join(', ')

function joined(state: string, output: string, fromChars: number): string {
  if (output.trim() !== '') return `${state}\n${output}`
  return `${state}\nIt printed nothing${fromChars > 0 ? ' more' : ''}.`
}

const rounded = (seconds: number) => Math.round(seconds * 10) / 10
