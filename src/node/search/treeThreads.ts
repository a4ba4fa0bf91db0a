// `TreeThreads`: the threads that walk and search the workspace, from the first use until they rest.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { TreeMember } from './treeMessages.ts'
import { TreeSlices } from './treeSlices.ts'
import { NoThreadError, ThreadEndedError, TreeThread } from './treeThread.ts'

export interface TreeThreadsOptions {
  /** The file of `searchWorker.ts`; undefined where no threads are wanted. */
  readonly script: string | undefined
  readonly clock: Clock
  /** How many; two without it. */
  readonly size?: number
  /** How long they rest before they end; a minute without it. */
  readonly idleMs?: number
}

const THREADS = 2
const IDLE_MS = 60_000

export class TreeThreads implements Disposable {
  readonly #options: TreeThreadsOptions
  readonly #members: (TreeMember | undefined)[]
  #slices: TreeSlices | undefined
  #uses = 0
  #isDisposed = false
  #cancelIdle: (() => void) | undefined

  constructor(options: TreeThreadsOptions) {
    this.#options = options
    this.#members = Array.from({ length: options.size ?? THREADS }, () => undefined)
  }

  get size(): number {
    return this.#members.length
  }

  /** Threads do not end while they are used. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#uses++
    this.#cancelIdle?.()
    try {
      return await work()
    } finally {
      this.#uses--
      if (this.#uses === 0)
        this.#cancelIdle = this.#options.clock.later(this.#options.idleMs ?? IDLE_MS, () => this.#endAll())
    }
  }

  /** Starts it if it does not run. Without `at`, the one that has least to do. */
  member(at = this.#quietest()): TreeMember {
    if (this.#isDisposed) throw new Error('The search was closed.')
    const { script, clock } = this.#options
    if (this.#slices || script === undefined) return this.#withoutThreads()
    const known = this.#members[at]
    if (known && !known.isEnded) return known
    try {
      const started = new TreeThread(script, clock)
      this.#members[at] = started
      return started
    } catch (fault) {
      if (this.mayRetry(fault)) return this.member(at)
      throw fault
    }
  }

  /** Whether the same request may succeed with the member that is there now. */
  mayRetry(fault: unknown): boolean {
    if (fault instanceof NoThreadError) this.#withoutThreads()
    return fault instanceof NoThreadError || (fault instanceof ThreadEndedError && !this.#isDisposed)
  }

  dispose(): void {
    this.#isDisposed = true
    this.#cancelIdle?.()
    this.#endAll()
  }

  #withoutThreads(): TreeSlices {
    this.#slices ??= new TreeSlices()
    return this.#slices
  }

  #quietest(): number {
    const loads = this.#members.map(member => (member && !member.isEnded ? member.load : 0))
    // One that runs rather than another one that has to start.
    const running = loads.findIndex((load, at) => load === 0 && this.#members[at]?.isEnded === false)
    return running >= 0 ? running : loads.indexOf(Math.min(...loads))
  }

  #endAll(): void {
    for (const [at, member] of this.#members.entries()) {
      member?.end(new ThreadEndedError())
      this.#members[at] = undefined
    }
  }
}
