// `ProcessGroup`: one command with everything that it starts: its output, its end, and stopping all of it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { sleep, until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { CommandEnd } from '../../core/tools/commandPorts.ts'
import type { OutputPipe } from './outputPipes.ts'

export interface ProcessStart {
  readonly path: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly pipe: OutputPipe | undefined
}

/** How long output is still waited for after the process has ended. */
const REST_MS = 300
const LONGEST_REST_MS = 3_000
/** How long a group may take to end by itself. */
const PATIENCE_MS = 2_000
/** How long a killed group may take to be gone. */
const KILLED_MS = 1_000

const never = new AbortController().signal

export class ProcessGroup {
  readonly id: number
  readonly end: Promise<CommandEnd>
  readonly #clock: Clock
  readonly #outputs: readonly Readable[]
  readonly #text = new Emitter<string>()
  #stopping: Promise<void> | undefined
  #isGone = false
  /** How often text has come. */
  #texts = 0

  /** Rejects with the error of the system, such as that there is no such folder. */
  static start(start: ProcessStart, clock: Clock): Promise<ProcessGroup> {
    const { path, args, folder, environment, pipe } = start
    const isWindows = process.platform === 'win32'
    const output = pipe?.write ?? 'pipe'
    const child = spawn(path, args, {
      cwd: folder,
      env: environment,
      // On Windows it would open a window, and has no use for groups.
      detached: !isWindows,
      stdio: ['ignore', output, output],
      windowsHide: true,
    })
    if (pipe) closeSync(pipe.write)
    const outputs = pipe ? [pipe.read] : [child.stdout, child.stderr].filter(stream => stream !== null)
    return new Promise((resolve, reject) => {
      child.once('error', fault => {
        pipe?.read.destroy()
        reject(fault)
      })
      // `spawn` is fired before anything of its output is read.
      child.once('spawn', () => resolve(new ProcessGroup(child, outputs, pipe, clock)))
    })
  }

  private constructor(child: ChildProcess, outputs: readonly Readable[], pipe: OutputPipe | undefined, clock: Clock) {
    this.id = child.pid ?? 0
    this.#clock = clock
    this.#outputs = outputs
    const closed = Promise.all(outputs.map(output => this.#read(output, pipe)))
    this.end = this.#endOf(child, closed)
  }

  /** What it writes, decoded; half a character waits for its other half. */
  get onText(): Event<string> {
    return this.#text.event
  }

  pause(): void {
    for (const output of this.#outputs) output.pause()
  }

  resume(): void {
    for (const output of this.#outputs) output.resume()
  }

  /** Asks all processes of the group to end, and kills them if they do not. Resolves when they have ended. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  /** Without waiting, for the end of the window. */
  kill(): void {
    if (process.platform !== 'win32' && !this.#isGone) signalGroup(this.id, 'SIGKILL')
  }

  /**
   * Whether something of it is running. Once it is not, its number may become that of another group, which is never
   * signalled.
   */
  async isAlive(): Promise<boolean> {
    this.#isGone ||= await hasEnded(this.id)
    return !this.#isGone
  }

  async #stop(): Promise<void> {
    if (this.#isGone) return
    if (process.platform === 'win32') await killTree(this.id)
    else await endGroup(this.id, this.#clock)
    this.#isGone = true
    // What has left the group may hold the output for ever.
    await this.#within(REST_MS, this.end)
    for (const output of this.#outputs) output.destroy()
    await this.#within(KILLED_MS, this.end)
  }

  #read(output: Readable, pipe: OutputPipe | undefined): Promise<void> {
    const decoder = new StringDecoder('utf8')
    const take = (bytes: Buffer) => this.#fire(decoder.write(bytes))
    if (pipe) pipe.onBytes = take
    else output.on('data', take)
    // A reset is the end of the output as well.
    output.on('error', () => output.destroy())
    return new Promise(resolve => {
      output.once('close', () => {
        this.#fire(decoder.end())
        resolve()
      })
    })
  }

  #fire(text: string): void {
    if (text === '') return
    this.#texts++
    this.#text.fire(text)
  }

  async #endOf(child: ChildProcess, closed: Promise<unknown>): Promise<CommandEnd> {
    const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(resolve => {
      child.once('exit', (...end) => resolve(end))
    })
    const hasRest = !(await this.#hasClosed(closed)) || (await this.isAlive())
    return { exitCode: exitCode ?? undefined, signal: signal ?? undefined, hasRest }
  }

  /** False if something else than the ended process holds the output. */
  async #hasClosed(closed: Promise<unknown>): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < LONGEST_REST_MS; waitedMs += REST_MS) {
      const textsBefore = this.#texts
      if (await this.#within(REST_MS, closed)) return true
      // Output may still be on its way, where nothing is left that could write more.
      if (this.#texts === textsBefore || (await this.isAlive())) return false
    }
    return false
  }

  /** Whether it is settled before the time is over. */
  #within(waitMs: number, settled: Promise<unknown>): Promise<boolean> {
    return until<boolean>(never, done => {
      void settled.then(() => done(true))
      return this.#clock.later(waitMs, () => done(false))
    })
  }
}

/** Asks the group to end, and kills it if it does not. */
export async function endGroup(id: number, clock: Clock): Promise<void> {
  if (!signalGroup(id, 'SIGTERM')) return
  if (await isGone(id, PATIENCE_MS, clock)) return
  signalGroup(id, 'SIGKILL')
  await isGone(id, KILLED_MS, clock)
}

/** Whether there was a process to receive it; signal 0 only asks. */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  if (id <= 1) return false
  try {
    return process.kill(-id, signal)
  } catch (fault) {
    return signal === 0 && fault instanceof Error && 'code' in fault && fault.code === 'EPERM'
  }
}

async function isGone(id: number, waitMs: number, clock: Clock): Promise<boolean> {
  const end = clock.elapsed() + waitMs
  for (let pauseMs = 2; ; pauseMs = Math.min(2 * pauseMs, 50)) {
    if (await hasEnded(id)) return true
    if (clock.elapsed() >= end) return false
    await sleep(clock, pauseMs, never)
  }
}

async function hasEnded(id: number): Promise<boolean> {
  return !signalGroup(id, 0) || (await hasOnlyZombies(id))
}

/** Processes that have ended, and whose new parent has not taken note of it. */
async function hasOnlyZombies(group: number): Promise<boolean> {
  const members = await groupMembers(group)
  return members?.every(({ state }) => state === 'Z' || state === 'X') === true
}

export interface GroupMember {
  readonly id: number
  readonly state: string
}

/** Undefined where the system does not show them (only Linux has `/proc`). */
export async function groupMembers(group: number): Promise<readonly GroupMember[] | undefined> {
  if (process.platform !== 'linux') return undefined
  const ids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))
  const read = await Promise.all(ids.map(id => readFile(join('/proc', id, 'stat'), 'utf8').catch(() => '')))
  return read.flatMap((text, at) => {
    // The name of the program comes before these, and may contain anything.
    const [state = '', , own] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(own) === group ? { id: Number(ids[at]), state } : []
  })
}

function killTree(id: number): Promise<void> {
  return new Promise(resolve => {
    execFile('taskkill', ['/PID', String(id), '/T', '/F'], { windowsHide: true }, () => resolve())
  })
}
