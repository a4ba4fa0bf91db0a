// `TreeThread`: one thread that walks and searches the workspace, and that is ended when a pattern takes too long.
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../base/clock.ts'
import { sharedProgress, WatchedProgress } from './progress.ts'
import type { ReplyTo, TreeMember, TreeReply, TreeRequest } from './treeMessages.ts'

export type FromThread = { readonly reply: TreeReply } | { readonly fault: string }

/** A pattern took too long for this file. */
export class SlowPatternError extends Error {
  override readonly name = 'SlowPatternError'
  readonly path: string

  constructor(path: string) {
    super('The pattern takes too long.')
    this.path = path
  }
}

/** A thread could not be started. */
export class NoThreadError extends Error {
  override readonly name = 'NoThreadError'
}

/** The thread has ended with what it was to do next. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError'

  constructor() {
    super('The thread has ended.')
  }
}

const longestMatchMs = 250
const watchMs = 50
const maxMegabytes = 256
/** Without it the two threads keep some 50 MB for what they throw away at once. */
const maxYoungMegabytes = 4

interface Asked {
  readonly done: (reply: TreeReply) => void
  readonly fail: (fault: Error) => void
}

/** Requests are carried out one after the other. */
export class TreeThread implements TreeMember {
  readonly #worker: Worker
  readonly #progress: WatchedProgress
  readonly #clock: Clock
  readonly #asked: Asked[] = []
  #hasAnswered = false
  #isEnded = false
  #seen = { count: 0, since: 0 }
  #cancelWatch: (() => void) | undefined

  /** `script`: the file of `searchWorker.ts`. Throws `NoThreadError`. */
  constructor(script: string, clock: Clock) {
    const shared = sharedProgress()
    this.#progress = new WatchedProgress(shared)
    this.#clock = clock
    try {
      this.#worker = new Worker(script, {
        workerData: shared,
        // The API key may be in the environment.
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: maxYoungMegabytes },
      })
    } catch (fault) {
      throw new NoThreadError('A thread could not be started.', { cause: fault })
    }
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#onMessage(message))
    this.#worker.on('error', fault => this.end(this.#hasAnswered ? asError(fault) : noThread(fault)))
    this.#worker.on('exit', () => this.end(new ThreadEndedError()))
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** How many requests have no reply yet. */
  get load(): number {
    return this.#asked.length
  }

  ask<R extends TreeRequest>(request: R): Promise<ReplyTo<R['kind']>> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) return reject(new ThreadEndedError())
      // as: the engine answers each kind with its own reply
      this.#asked.push({ done: reply => resolve(reply as ReplyTo<R['kind']>), fail: reject })
      this.#worker.postMessage(request)
      this.#watch()
    })
  }

  /** `reason`: of the request that it was at. */
  end(reason: Error): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#cancelWatch?.()
    void this.#worker.terminate()
    for (const [at, { fail }] of this.#asked.splice(0).entries()) fail(at === 0 ? reason : new ThreadEndedError())
  }

  #onMessage(message: FromThread): void {
    this.#hasAnswered = true
    const asked = this.#asked.shift()
    if ('reply' in message) asked?.done(message.reply)
    else asked?.fail(new Error(message.fault))
  }

  #watch(): void {
    this.#cancelWatch ??= this.#clock.later(watchMs, () => {
      this.#cancelWatch = undefined
      const count = this.#progress.count
      const now = this.#clock.elapsed()
      if (count !== this.#seen.count) this.#seen = { count, since: now }
      if (count !== 0 && now - this.#seen.since > longestMatchMs) this.end(new SlowPatternError(this.#progress.path))
      else if (this.#asked.length > 0) this.#watch()
    })
  }
}

const asError = (fault: unknown) => (fault instanceof Error ? fault : new Error(String(fault)))
const noThread = (fault: unknown) => new NoThreadError('A thread could not be started.', { cause: fault })
