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
} from '../../core/tools/commandPorts.ts'
import { commandEnvironment, sandboxEnvironment } from './commandEnvironment.ts'
import { commandShell } from './commandShell.ts'
import { GroupRecord } from './groupRecord.ts'
import { OutputPipes } from './outputPipes.ts'
import { OutputRing } from './outputRing.ts'
import { ProcessGroup } from './processGroup.ts'
import { type Entered, Sandbox, type SandboxPlaces } from './sandbox.ts'

export interface SystemCommandsOptions {
  /** The folder for all windows; each has one of its own in it. */
  readonly folder: string
  readonly clock: Clock
  readonly environment?: NodeJS.ProcessEnv
  /** Without it there is no sandbox. */
  readonly places?: SandboxPlaces
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
  readonly #groups = new Set<ProcessGroup>()
  readonly #outputs: OutputRing[] = []
  #count = 0
  #isDisposed = false

  constructor({ folder, clock, environment = process.env, places }: SystemCommandsOptions) {
    this.#folder = join(folder, crypto.randomUUID())
    this.#clock = clock
    this.#environment = commandEnvironment(environment)
    this.#shell = commandShell(environment)
    this.#pipes = new OutputPipes(join(this.#folder, 'pipes'))
    this.#record = new GroupRecord(this.#folder, clock)
    this.#sandbox = places && new Sandbox(this.#folder, places)
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

  async start({ command, folder, isSandboxed = false }: CommandStart): Promise<StartedCommand> {
    if (this.#isDisposed) throw new AbortedError()
    const entered = isSandboxed ? await this.#entered(command, folder) : undefined
    const { path, args } = entered ?? { path: this.#shell.path, args: this.#shell.args(command) }
    const pipe = await this.#pipes.take()
    const environment = entered ? sandboxEnvironment(this.#environment) : this.#environment
    const start = { path, args, folder, environment, pipe }
    const group = await ProcessGroup.start(start, this.#clock)
    this.#groups.add(group)
    void this.#record.add(group.id)
    void this.#follow(group)
    return new CleanedCommand(group, this.#newOutput(), entered)
  }

  async #entered(command: string, folder: string): Promise<Entered> {
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
    if (hasRest && (await group.isAlive())) return void this.#clock.later(REST_CHECK_MS, () => void this.#follow(group))
    this.#groups.delete(group)
    await this.#record.remove(group.id)
  }

  readonly #killAll = () => {
    for (const group of this.#groups) group.kill()
  }
}

class CleanedCommand implements StartedCommand {
  readonly output: OutputRing
  readonly end: Promise<CommandEnd>
  readonly #group: ProcessGroup
  readonly #cleaner = new OutputCleaner()
  readonly #updates = new Emitter<OutputUpdate>()
  #isBusy = false

  constructor(group: ProcessGroup, output: OutputRing, entered: Entered | undefined) {
    this.#group = group
    this.output = output
    group.onText(text => this.#take(this.#cleaner.push(text)))
    this.end = group.end.then(async end => {
      this.#take(this.#cleaner.end())
      return entered ? { ...end, takenAway: await entered.leave() } : end
    })
  }

  get onOutput() {
    return this.#updates.event
  }

  stop(): Promise<void> {
    return this.#group.stop()
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
