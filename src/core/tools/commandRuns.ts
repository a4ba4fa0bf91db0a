// `CommandRuns`: the commands of each conversation: how long one is waited for, which ones run, and stopping them.
import { until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter } from '../../base/event.ts'
import type { CommandEnd, CommandOutput, CommandStart, CommandStarter, StartedCommand } from './commandPorts.ts'
import type { WatchedCommand } from './commandWatch.ts'

/** How many commands of a conversation may run in the background. */
export const MAX_BACKGROUND = 4
/** How many ended commands of a conversation the model can look at again, so that a long day takes no more memory. */
const MAX_ENDED = 50
/** Silence behind a line that looks like a question. */
const QUESTION_MS = 20_000
const BACKGROUND_START_MS = 3_000
/** Silence after the first output of a command that starts in the background. */
const BACKGROUND_SILENCE_MS = 1_000
/** Of the end of the output that is shown while a command runs. */
const LIVE_CHARS = 4_000
const LIVE_PAUSE_MS = 200

/** `asks`: it is silent, and its last line looks like a question. */
export type WaitEnd = 'ended' | 'time' | 'asks' | 'started'

export interface CommandRunsOptions {
  readonly starter: CommandStarter
  readonly clock: Clock
}

/** The commands of a window. Their ids count from 1 in each conversation. */
export class CommandRuns implements Disposable {
  readonly #options: CommandRunsOptions
  readonly #runs = new Map<string, CommandRun[]>()
  readonly #changed = new Emitter<string>()
  #isDisposed = false

  constructor(options: CommandRunsOptions) {
    this.#options = options
  }

  /** The id of a conversation in which a command has started, gone into the background or ended. */
  get onChange() {
    return this.#changed.event
  }

  get starter(): CommandStarter {
    return this.#options.starter
  }

  async start(conversation: string, start: CommandStart, signal?: AbortSignal): Promise<CommandRun> {
    const { starter, clock } = this.#options
    const started = await starter.start(start, signal)
    const id = (this.all(conversation).at(-1)?.id ?? 0) + 1
    const run = new CommandRun(id, start, started, clock, () => this.#changed.fire(conversation))
    this.#runs.set(conversation, [...withoutOld(this.all(conversation)), run])
    if (this.#isDisposed) await run.stop()
    this.#changed.fire(conversation)
    return run
  }

  find(conversation: string, id: number): CommandRun | undefined {
    return this.all(conversation).find(run => run.id === id)
  }

  all(conversation: string): readonly CommandRun[] {
    return this.#runs.get(conversation) ?? []
  }

  /** Those that run and are not waited for. */
  inBackground(conversation: string): readonly CommandRun[] {
    return this.all(conversation).filter(run => run.isRunning && run.isInBackground)
  }

  /** Stops what runs, and forgets the conversation. */
  async close(conversation: string): Promise<void> {
    const runs = this.all(conversation)
    this.#runs.delete(conversation)
    await Promise.all(runs.map(run => run.stop()))
  }

  /** Stops all that run; what is started after this call is stopped as well. Resolves when it has ended. */
  async end(): Promise<void> {
    this.#isDisposed = true
    await Promise.all([...this.#runs.keys()].map(conversation => this.close(conversation)))
  }

  dispose(): void {
    void this.end()
    this.#changed.dispose()
  }
}

/** In the order of their ids. */
function withoutOld(runs: readonly CommandRun[]): readonly CommandRun[] {
  const ended = runs.filter(run => !run.mayStop)
  const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - MAX_ENDED)))
  return runs.filter(run => !forgotten.has(run))
}

/** One command. */
export class CommandRun {
  readonly id: number
  readonly command: string
  readonly folder: string
  readonly isSandboxed: boolean
  /** How far the model has been shown the output. */
  shownChars = 0
  /** What records its changes beyond the first result of it. */
  watched: WatchedCommand | undefined
  readonly #started: StartedCommand
  readonly #clock: Clock
  readonly #onChange: () => void
  readonly #startedAt: number
  #lastOutputAt: number
  #hasOutput = false
  #settled = ''
  #pending = ''
  #end: (CommandEnd & { readonly seconds: number }) | undefined
  #isInBackground = false
  #isStopped = false

  constructor(
    id: number,
    { command, folder, isSandboxed = false }: CommandStart,
    started: StartedCommand,
    clock: Clock,
    onChange: () => void,
  ) {
    this.id = id
    this.command = command
    this.folder = folder
    this.isSandboxed = isSandboxed
    this.#started = started
    this.#clock = clock
    this.#onChange = onChange
    this.#startedAt = this.#lastOutputAt = clock.elapsed()
    started.onOutput(({ settled, pending }) => {
      this.#lastOutputAt = clock.elapsed()
      this.#hasOutput = true
      this.#settled =
        settled.length < LIVE_CHARS ? (this.#settled + settled).slice(-LIVE_CHARS) : settled.slice(-LIVE_CHARS)
      this.#pending = pending.slice(-LIVE_CHARS)
    })
    void started.end.then(end => {
      this.#end = { ...end, seconds: this.seconds }
      onChange()
    })
  }

  get output(): CommandOutput {
    return this.#started.output
  }

  get onOutput() {
    return this.#started.onOutput
  }

  get end(): CommandEnd | undefined {
    return this.#end
  }

  /** Resolves when nothing that it has started runs any more. */
  get whenGone(): Promise<void> {
    return this.#started.gone
  }

  hides(paths: readonly string[]): boolean {
    return this.#started.hides(paths)
  }

  /** In the sandbox git has no history, because there are secret files in it. */
  get hidesHistory(): boolean {
    return this.#started.hidesHistory === true
  }

  get whenEnded(): Promise<CommandEnd> {
    return this.#started.end
  }

  async whenEndedOr(waitMs: number): Promise<void> {
    await this.#wait(new AbortController().signal, (done, timers) => timers.later(waitMs, () => done('time')))
  }

  /** How long it has run. */
  get seconds(): number {
    return this.#end?.seconds ?? (this.#clock.elapsed() - this.#startedAt) / 1_000
  }

  get isRunning(): boolean {
    return this.#end === undefined
  }

  /** The command, or something that it has started, can be stopped. */
  get mayStop(): boolean {
    return !this.#isStopped && (this.isRunning || this.#end?.hasRest === true)
  }

  get isInBackground(): boolean {
    return this.#isInBackground
  }

  /** What follows the settled output so far. */
  get pendingText(): string {
    return this.#pending
  }

  /** The end of what it has written so far. */
  get liveText(): string {
    return (this.#settled + this.#pending).slice(-LIVE_CHARS)
  }

  /** From now on nobody waits for it. */
  moveToBackground(): void {
    if (this.#isInBackground) return
    this.#isInBackground = true
    this.#started.moveToBackground?.()
    this.#onChange()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#started.stop()
  }

  /** Waits for its end, at most `waitMs`, and not longer than it seems to ask something. */
  wait(waitMs: number, signal: AbortSignal): Promise<WaitEnd> {
    return this.#wait(signal, (done, timers) => {
      if (waitMs <= 0) return done('time')
      timers.later(waitMs, () => done('time'))
      const watch = () => {
        const silentMs = this.#clock.elapsed() - this.#lastOutputAt
        if (silentMs >= QUESTION_MS && isQuestion(this.liveText)) done('asks')
        else timers.later(silentMs >= QUESTION_MS ? QUESTION_MS : QUESTION_MS - silentMs, watch)
      }
      watch()
    })
  }

  /** Waits until it has ended, or seems to have started. */
  waitForStart(signal: AbortSignal): Promise<WaitEnd> {
    return this.#wait(signal, (done, timers) => {
      timers.later(BACKGROUND_START_MS, () => done('started'))
      const watch = () => {
        const silentMs = this.#clock.elapsed() - this.#lastOutputAt
        if (this.#hasOutput && silentMs >= BACKGROUND_SILENCE_MS) done('started')
        else timers.later(this.#hasOutput ? BACKGROUND_SILENCE_MS - silentMs : BACKGROUND_SILENCE_MS / 4, watch)
      }
      watch()
    })
  }

  /** Shows the end of the output as it grows, not more often than it can be read. */
  follow(show: (text: string) => void): Disposable {
    const disposables = new DisposableStore()
    let cancel: (() => void) | undefined
    disposables.add(
      this.onOutput(() => {
        cancel ??= this.#clock.later(LIVE_PAUSE_MS, () => {
          cancel = undefined
          show(this.liveText)
        })
      }),
    )
    disposables.add({ dispose: () => cancel?.() })
    return disposables
  }

  #wait(signal: AbortSignal, begin: (done: (end: WaitEnd) => void, timers: Timers) => void): Promise<WaitEnd> {
    return until<WaitEnd>(signal, done => {
      const timers = new Timers(this.#clock)
      if (this.#end) done('ended')
      else {
        void this.#started.end.then(() => done('ended'))
        begin(done, timers)
      }
      return () => timers.cancel()
    })
  }
}

/** The timers of one wait. */
class Timers {
  readonly #clock: Clock
  readonly #cancels: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  later(waitMs: number, run: () => void): void {
    this.#cancels.push(this.#clock.later(waitMs, run))
  }

  cancel(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
  }
}

/** What a program writes that waits for an answer. */
const question =
  /(?:\?|\[y(?:es)?\/n(?:o)?\]|\(y(?:es)?\/n(?:o)?\)|pass(?:word|phrase|code)[^\n]*:|\b(?:username|login)[^\n]*:)\s*$/i

function isQuestion(output: string): boolean {
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  return question.test(last)
}
