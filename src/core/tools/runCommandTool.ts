// `runCommandTool`: runs a command of the model in a shell, after the user has seen all of it.

import { throwIfAborted } from '../../base/abort.ts'
import { contentHash } from '../../base/contentHash.ts'
import { faultText } from '../../base/fault.ts'
import { sanitizeLine } from '../../base/text.ts'
import type { CallConcern } from '../../protocol/conversation.ts'
import { withCommandChanges } from './commandChangesText.ts'
import { type CommandFolder, isInFirstFolder } from './commandFolder.ts'
import { SandboxError } from './commandPorts.ts'
import { commandReport, lacksHistory } from './commandReport.ts'
import { type CommandRun, type CommandRuns, MAX_BACKGROUND } from './commandRuns.ts'
import type { CommandWatch, WatchedCommand } from './commandWatch.ts'
import { usesNetwork } from './networkPrograms.ts'
import { isKeptFrom, outerPathsIn } from './sandboxPolicy.ts'
import { namesGit, type ScriptFile, scriptFilesOf } from './scriptRunners.ts'
import type { SecretTrace } from './secretTrace.ts'
import type { SecretValues } from './secretValues.ts'
import type { CallContext, PreparedCall, Tool, ToolContext, ToolInput, ToolOutput } from './tool.ts'
import { errorOutput } from './toolOutput.ts'
import { quoted } from './toolPaths.ts'

export interface RunCommandPorts {
  readonly runs: CommandRuns
  readonly secrets: SecretValues
  readonly trace: SecretTrace
  isTrusted(): boolean
  /** The folder that the model names, or the first one. */
  folder(written: string | undefined): Promise<CommandFolder>
  /** The files that decide what a command runs, by a name or a pattern; none where there is none. */
  scriptFiles(folder: string, name: string): Promise<readonly ScriptFile[]>
  /** The files on the disk that the agent has changed and the user has not reviewed, by their real paths. */
  unreviewed(): Promise<readonly string[]>
  /** The exact commands that the user allows in the settings. */
  allowedCommands(): readonly string[]
  readonly unsaved: UnsavedFiles
  /** Records what a command changes; without it nothing that one changes can be undone. */
  readonly watch?: CommandWatch
}

/** The files that the agent has changed in the editor and that are not saved. */
export interface UnsavedFiles {
  /** Also those that the earlier calls of the answer will change; as the user names them. */
  paths(context: CallContext): Promise<readonly string[]>
  /** What a command finds on the disk once they are saved, by their real paths. */
  texts(conversation: string): Promise<ScriptTexts>
  save(conversation: string): Promise<SavedFiles>
}

/** By the real path of the file on the disk. */
export type ScriptTexts = ReadonlyMap<string, string>

/** `failed`: those that could not be saved, as the user names them. `texts`: of those that were. */
export interface SavedFiles {
  readonly failed: readonly string[]
  readonly texts: ScriptTexts
}

const DEFAULT_SECONDS = 120
const MAX_SECONDS = 600
/** What changes while a command goes on in the background beyond this may be the user's work. */
const LONGEST_WATCH_MS = 10 * 60_000

/** What the user is asked about. */
interface Request {
  readonly command: string
  readonly folder: Extract<CommandFolder, { is: 'folder' }>
  /** Everything that decides what runs. */
  readonly exact: string
  /** The user's settings allow it, and what it runs is not what the agent has made of it. */
  readonly isAllowedBySetting: boolean
  /** Nobody can know before it runs which files it runs. */
  readonly isOpen: boolean
}

export function runCommandTool(ports: RunCommandPorts): Tool {
  const { runs, secrets, trace } = ports
  const { shell } = runs.starter
  /** The calls that have failed in the sandbox. */
  const tried = new Set<string>()

  /** `unsaved`: the texts that the files have once they are saved, which is before the command runs. */
  async function requestOf(input: ToolInput, unsaved: ScriptTexts): Promise<Request | string> {
    const { command, cwd } = read(input)
    if (!ports.isTrusted()) return untrusted
    const problem = problemOf(command, runs.starter.maxChars)
    if (problem) return problem
    const folder = await ports.folder(cwd)
    if (folder.is === 'refused') return folder.output
    const { names, isOpen } = scriptFilesOf(command)
    const found = await Promise.all(names.map(name => ports.scriptFiles(folder.path, name)))
    const distinct = new Map(found.flat().map(script => [script.path, script.text]))
    const scripts = [...distinct].map(([path, text]) => ({ path, text: unsaved.get(path) ?? text }))
    const hash = await contentHash(JSON.stringify(scripts))
    const exact = JSON.stringify([command, folder.path, shell, hash])
    const isAllowed = isInFirstFolder(cwd) && (await isAllowedBySetting(command, scripts, isOpen))
    return { command, folder, exact, isAllowedBySetting: isAllowed, isOpen }
  }

  async function isAllowedBySetting(
    command: string,
    scripts: readonly ScriptFile[],
    isOpen: boolean,
  ): Promise<boolean> {
    // The repository that git finds, which the model may choose, names programs that git starts.
    if (!ports.allowedCommands().includes(command) || namesGit(command)) return false
    const unreviewed = new Set(await ports.unreviewed())
    return isOpen ? unreviewed.size === 0 : !scripts.some(({ path }) => unreviewed.has(path))
  }

  async function prepare(input: ToolInput, context: CallContext, signal: AbortSignal): Promise<PreparedCall> {
    const { conversation, part, isSandboxed = false } = context
    // At once, because the calls before this one are prepared at the same time.
    const saves = ports.unsaved.paths(context)
    const request = await requestOf(input, await ports.unsaved.texts(conversation))
    if (typeof request === 'string') return { is: 'refused', output: request }
    const { command, folder, exact } = request
    if (isSandboxed && !tried.has(part) && (await runs.starter.hasSandbox()))
      return { is: 'ready', concerns: [], boundTo: await contentHash(insideOf(exact)) }
    const { why } = read(input)
    const isNetwork = usesNetwork(command) || secrets.namesIn(command).length > 0
    const concerns: CallConcern[] = isNetwork ? [{ is: 'network' }] : []
    const restorable = await ports.watch?.restorable(signal)
    if (isNetwork && trace.has(conversation)) concerns.push({ is: 'secret-values' })
    if (isSandboxed) concerns.push({ is: 'no-sandbox' })
    return {
      is: 'ready',
      concerns,
      preview: {
        kind: 'command',
        command,
        folder: folder.path,
        shell,
        saves: [...(await saves)],
        ...(why !== '' && { why }),
        ...(restorable === 'nothing' ? { isUnwatched: true } : restorable && { restorable }),
      },
      boundTo: await contentHash(exact),
      ...(!request.isOpen && { remembered: exact }),
      isAllowedBySetting: request.isAllowedBySetting,
    }
  }

  async function run(input: ToolInput, context: ToolContext, signal: AbortSignal): Promise<ToolOutput> {
    const { conversation, part } = context
    const asked = await permitted(input, context, await ports.unsaved.texts(conversation))
    if (typeof asked === 'string') return errorOutput(asked)
    if (!asked) return outdated
    const running = runs.inBackground(conversation)
    if (running.length >= MAX_BACKGROUND) return errorOutput(tooMany(running))
    const saved = await ports.unsaved.save(conversation)
    if (saved.failed.length > 0) return errorOutput(notSaved(saved.failed))
    // What was saved may be what it runs, and not what was shown, because a formatter has changed it.
    const found = await permitted(input, context, saved.texts)
    if (typeof found === 'string') return errorOutput(found)
    if (!found) return outdated
    const { request, isInside } = found
    if (!isInside) tried.delete(part)
    const watched = await ports.watch?.begin(conversation, context.turn, signal)
    try {
      const { output, started } = await outputOf(request, isInside, input, context, signal)
      if (output.isOutdated) tried.add(part)
      if (!watched) return output
      const goesOn = started && (started.isRunning || started.end?.hasRest === true)
      if (!goesOn) await watched.end()
      const changed = await watched.changes()
      if (goesOn) void watchOn(started, watched, read(input).isBackground)
      return withCommandChanges(output, changed)
    } catch (fault) {
      await watched?.end()
      throw fault
    }
  }

  /** Undefined where it is not what was allowed, such as after a change of what it runs; a text where it cannot run. */
  async function permitted(input: ToolInput, { boundTo, approved }: ToolContext, texts: ScriptTexts) {
    const request = await requestOf(input, texts)
    if (typeof request === 'string') return request
    const isInside = boundTo === (await contentHash(insideOf(request.exact)))
    const isSame = isInside || boundTo === (await contentHash(request.exact))
    // The mode may have become one in which nobody was asked since this was prepared.
    const isAllowed = isInside || approved || request.isAllowedBySetting
    return isSame && isAllowed ? { request, isInside } : undefined
  }

  /** What a server changes while it runs cannot be separated from what the user does meanwhile. */
  async function watchOn(run: CommandRun, watched: WatchedCommand, isServer: boolean): Promise<void> {
    run.watched = watched
    if (!isServer && run.isRunning) await run.whenEndedOr(LONGEST_WATCH_MS)
    if (isServer || run.isRunning || run.end?.hasRest) watched.late()
    await run.whenGone
    await watched.end()
  }

  async function outputOf(
    { command, folder }: Request,
    isSandboxed: boolean,
    input: ToolInput,
    context: ToolContext,
    signal: AbortSignal,
  ): Promise<{ output: ToolOutput; started?: CommandRun }> {
    let started: CommandRun
    try {
      started = await runs.start(context.conversation, { command, folder: folder.path, isSandboxed }, signal)
    } catch (fault) {
      throwIfAborted(signal)
      if (fault instanceof SandboxError) return { output: outdated }
      return { output: errorOutput(notStarted(shell, fault)) }
    }
    const output = await waitFor(started, input, context, signal)
    const hasFailed = isSandboxed && !started.isRunning && started.end?.exitCode !== 0
    const isKept = hasFailed && wasKeptFrom(started, writtenIn(output))
    return { output: isKept ? { ...output, isOutdated: true } : output, started }
  }

  async function waitFor(started: CommandRun, input: ToolInput, context: ToolContext, signal: AbortSignal) {
    const { isBackground, seconds } = read(input)
    const { conversation, progress } = context
    const following = progress && started.follow(text => progress(secrets.mask(text).text))
    try {
      const wait = await (isBackground ? started.waitForStart(signal) : started.wait(seconds * 1_000, signal))
      if (started.isRunning) started.moveToBackground()
      return await commandReport({ run: started, secrets, onMasked: () => trace.add(conversation) }, wait)
    } catch (fault) {
      if (signal.aborted) await started.stop()
      throw fault
    } finally {
      following?.dispose()
    }
  }

  return {
    name: 'run_command',
    description: `Runs a command in ${shell}, in a folder of the workspace, without input. The user may be asked first and sees the whole command. After ${DEFAULT_SECONDS} seconds, or as many as \`seconds\`, a command that has not ended goes on in the background, and check_command shows more of it. Of a long output the first 4,000 and the last 12,000 characters are returned. At most ${MAX_BACKGROUND} commands run in the background. To read, search or change files use the other tools, because what they change can be undone.`,
    parameters: {
      properties: {
        command: { type: 'string', description: `The command, as it is typed into ${shell}.` },
        why: { type: 'string', description: 'What it is for, in one short sentence for the user.' },
        cwd: { type: 'string', description: 'The folder, relative to the workspace; without it the first folder.' },
        background: {
          type: 'boolean',
          description: 'For a server or a watcher: return as soon as it seems to have started.',
        },
        seconds: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_SECONDS,
          description: `How long to wait for its end, ${DEFAULT_SECONDS} without it.`,
        },
      },
      required: ['command', 'why'],
    },
    rights: 'run',
    prepare,
    run,
  }
}

function read({ command, why, cwd, background, seconds }: ToolInput) {
  return {
    command: typeof command === 'string' ? command : '',
    why: typeof why === 'string' ? sanitizeLine(why) : '',
    cwd: typeof cwd === 'string' ? cwd : undefined,
    isBackground: background === true,
    seconds: typeof seconds === 'number' ? seconds : DEFAULT_SECONDS,
  }
}

function problemOf(command: string, maxChars: number): string | undefined {
  if (command.trim() === '') return 'No command ran: the command is empty. Call again with the command to run.'
  if (command.includes('\0')) {
    return 'No command ran: it has a NUL character. No shell can read that. Call again without it.'
  }
  if (command.length <= maxChars) return undefined
  return `No command ran: it has ${command.length.toLocaleString('en')} characters. The system starts none with more than ${maxChars.toLocaleString('en')}. Write the text into a file first, and run that.`
}

const outdated: ToolOutput = { isOutdated: true, content: [] }

/** What is approved for the sandbox is not approved for outside. */
const insideOf = (exact: string) => `sandbox ${exact}`

const wasKeptFrom = (run: CommandRun, written: string) =>
  isKeptFrom(written) || run.hides(outerPathsIn(written)) || lacksHistory(run)

/** What the command wrote, without the line about its end. */
function writtenIn({ content: [first] }: ToolOutput): string {
  return first?.kind === 'text' ? first.text.slice(first.text.indexOf('\n')) : ''
}

const untrusted =
  'No command ran, because the user has not said that this workspace is to be trusted. ' +
  'Asking again will not help. Go on without commands, or ask the user to trust the workspace.'

function tooMany(running: readonly CommandRun[]): string {
  const list = running.map(({ id, command }) => `${id} (${sanitizeLine(command, 60)})`).join(', ')
  return `No command ran: ${running.length} commands run in the background already, which is the limit. They are ${list}. Stop one that is not needed with check_command.`
}

function notSaved(paths: readonly string[]): string {
  const list = paths.map(quoted).join(', ')
  return `No command ran: ${list} could not be saved. The command would have read what was there before. Ask the user to save or to fix it.`
}

function notStarted(shell: string, fault: unknown): string {
  return `No command ran: ${shell} could not be started. The system reports: ${sanitizeLine(faultText(fault))}. Try once more, and ask the user if it fails again.`
}
