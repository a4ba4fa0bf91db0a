// `SystemCommands`: runs commands as processes of the system, whose output is cleaned and kept.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { AbortedError } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter } from '../../base/event.ts'
import { OutputCleaner } from '../../core/tools/commandOutput.ts'
import {
  type CommandEnd,
  type CommandStart,
  type CommandStarter,
  type OutputUpdate,
  SandboxError,
  type StartedCommand,
  type TakenFile,
} from '../../core/tools/commandPorts.ts'
import { commandEnvironment, sandboxEnvironment } from './commandEnvironment.ts'
import { commandShell } from './commandShell.ts'
import { GroupRecord } from './groupRecord.ts'
import { OutputPipes } from './outputPipes.ts'
import { OutputRing } from './outputRing.ts'
import { ProcessGroup } from './processGroup.ts'
import { type Entered, Sandbox, type SandboxPlaces } from './sandbox.ts'
import { TakenFiles, takenFolder } from './takenFiles.ts'

export interface SystemCommandsOptions {
  /** The folder for all windows; each has one of its own in it. */
  readonly folder: string
  readonly clock: Clock
  readonly environment?: NodeJS.ProcessEnv
  /** Without it there is no sandbox. */
  readonly places?: SandboxPlaces
  /** A command in the sandbox has ended, and these files were taken away. */
  readonly onTaken?: (files: readonly TakenFile[]) => void
}

/** Of so many commands the output is kept; of those before only its beginning. */
const MAX_OUTPUTS = 50
/** How often it is looked whether what a command has left running has ended. */
const REST_CHECK_MS = 5_000

export class SystemCommands implements CommandStarter {
  readonly #folder: string
  readonly #clock: Clock
  readonly #environment: NodeJS.ProcessEnv
  readonly #shell
  readonly #pipes: OutputPipes
  readonly #record: GroupRecord
  readonly #sandbox: Sandbox | undefined
  readonly #taken: TakenFiles
  readonly #onTaken: SystemCommandsOptions['onTaken']
  readonly #groups = new Set<ProcessGroup>()
  /** Those that are not in the sandbox. */
  readonly #outside = new Set<ProcessGroup>()
  /** Those in the sandbox whose protected files are to be looked at. */
  readonly #guarded = new Set<CleanedCommand>()
  readonly #outputs: OutputRing[] = []
  #count = 0
  #isDisposed = false

  constructor({ folder, clock, environment = process.env, places, onTaken }: SystemCommandsOptions) {
    this.#folder = join(folder, crypto.randomUUID())
    this.#clock = clock
    this.#onTaken = onTaken
    this.#environment = commandEnvironment(environment)
    this.#shell = commandShell(environment)
    this.#pipes = new OutputPipes(join(this.#folder, 'pipes'))
    this.#record = new GroupRecord(this.#folder, clock)
    this.#taken = new TakenFiles(takenFolder(folder))
    const searchPath = this.#environment['PATH']
    this.#sandbox = places && new Sandbox({ folder: this.#folder, places, taken: this.#taken, clock, searchPath })
    process.on('exit', this.#killAll)
  }

  get shell(): string {
    return this.#shell.name
  }

  get maxChars(): number {
    return this.#shell.maxChars
  }

  async hasSandbox(): Promise<boolean> {
    return (await this.#sandbox?.holds()) === true
  }

  async start(start: CommandStart, signal?: AbortSignal): Promise<StartedCommand> {
    const entered = start.isSandboxed ? await this.#entered(start) : undefined
    try {
      const group = await this.#started(entered, start, signal)
      if (!entered) this.#outside.add(group)
      if (this.#outside.size > 0) this.#sandbox?.noteCompany()
      entered?.watch(() => void group.stop())
      const command = new CleanedCommand(group, this.#newOutput(), entered, this.#follow(group))
      if (entered) this.#followEnd(command)
      return command
    } catch (fault) {
      await entered?.leave()
      throw fault
    }
  }

  async #started(entered: Entered | undefined, { command, folder }: CommandStart, signal?: AbortSignal) {
    const { path, args } = entered ?? { path: this.#shell.path, args: this.#shell.args(command) }
    const pipe = await this.#pipes.take()
    const environment = entered ? sandboxEnvironment(this.#environment) : this.#environment
    // Entering takes its time, and the user may have stopped it meanwhile.
    if (this.#isDisposed || signal?.aborted) {
      pipe?.close()
      throw new AbortedError()
    }
    const group = await ProcessGroup.start({ path, args, folder, environment, pipe }, this.#clock)
    this.#groups.add(group)
    void this.#record.add(group.id)
    return group
  }

  #followEnd(command: CleanedCommand): void {
    this.#guarded.add(command)
    void command.end.then(({ guard }) => {
      this.#guarded.delete(command)
      if (guard && guard.taken.length > 0) this.#onTaken?.(guard.taken)
    })
  }

  /** A file was written by the agent, or by the user in the editor. */
  async noteWritten(path: string): Promise<void> {
    await this.#sandbox?.noteWritten(path)
  }

  /** False where it cannot be put back, because something else is in its place. */
  putBack(file: TakenFile): Promise<boolean> {
    return this.#taken.putBack(file)
  }

  async #entered({ command, folder }: CommandStart): Promise<Entered> {
    const { path, args } = this.#shell
    const entered = (await this.hasSandbox()) && (await this.#sandbox?.enter(path, args(command), folder))
    if (!entered) throw new SandboxError()
    return entered
  }

  /** What runs is on disk, for a later window. */
  whenRecorded(): Promise<void> {
    return this.#record.whenWritten()
  }

  /** Ends all groups, and removes what was kept of their output. */
  async dispose(): Promise<void> {
    this.#isDisposed = true
    await Promise.all([...this.#groups].map(group => group.stop()))
    await Promise.all([...this.#guarded].map(({ end }) => end))
    process.off('exit', this.#killAll)
    await Promise.all([
      this.#pipes.close(),
      this.#record.close(),
      this.#sandbox?.dispose(),
      ...this.#outputs.map(output => output.dispose()),
    ])
    await rm(this.#folder, { recursive: true, force: true }).catch(() => {})
  }

  #newOutput(): OutputRing {
    const output = new OutputRing(join(this.#folder, `${++this.#count}.output`))
    this.#outputs.push(output)
    if (this.#outputs.length > MAX_OUTPUTS) void this.#outputs.shift()?.dispose()
    return output
  }

  /** Until nothing of the group is left. */
  async #follow(group: ProcessGroup): Promise<void> {
    const { hasRest } = await group.end
    while (hasRest && (await group.isAlive()))
      await new Promise<void>(resolve => this.#clock.later(REST_CHECK_MS, resolve))
    this.#groups.delete(group)
    this.#outside.delete(group)
    await this.#record.remove(group.id)
  }

  readonly #killAll = () => {
    for (const group of this.#groups) group.kill()
  }
}

class CleanedCommand implements StartedCommand {
  readonly output: OutputRing
  readonly end: Promise<CommandEnd>
  readonly gone: Promise<void>
  readonly #group: ProcessGroup
  readonly #entered: Entered | undefined
  readonly #cleaner = new OutputCleaner()
  readonly #updates = new Emitter<OutputUpdate>()
  readonly #stopped = new Emitter<void>()
  #isBusy = false

  constructor(group: ProcessGroup, output: OutputRing, entered: Entered | undefined, gone: Promise<void>) {
    this.#group = group
    this.#entered = entered
    this.output = output
    this.gone = Promise.race([gone, new Promise<void>(resolve => this.#stopped.event(resolve))])
    group.onText(text => this.#take(this.#cleaner.push(text)))
    this.end = group.end.then(async end => {
      this.#take(this.#cleaner.end())
      return entered ? { ...end, guard: await entered.leave() } : end
    })
  }

  get onOutput() {
    return this.#updates.event
  }

  get hidesHistory(): boolean {
    return this.#entered?.hidesHistory === true
  }

  moveToBackground(): void {
    this.#entered?.moveToBackground()
  }

  hides(paths: readonly string[]): boolean {
    return paths.some(path => this.#entered?.hides(path))
  }

  async stop(): Promise<void> {
    await this.#group.stop()
    this.#stopped.fire()
    // The window may end as soon as this has.
    if (this.#entered) await this.end
  }

  #take(settled: string): void {
    const full = this.output.append(settled)
    this.#updates.fire({ settled, pending: this.#cleaner.pending })
    if (!full || this.#isBusy) return
    this.#isBusy = true
    this.#group.pause()
    void full.then(() => {
      this.#isBusy = false
      this.#group.resume()
    })
  }
}
