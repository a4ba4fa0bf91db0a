// `TextRun`: one search for text, whose folders the threads take from one queue.
import { throwIfAborted } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { FoundFile, FoundText } from '../../core/workspace/treeSearch.ts'
import type { RunningJob } from './treeJob.ts'
import type { SearchedPart, SearchTask } from './treeMessages.ts'
import { SlowPatternError } from './treeThread.ts'
import type { TreeThreads } from './treeThreads.ts'

export interface TextRunOptions {
  readonly threads: TreeThreads
  readonly job: RunningJob
  readonly mostCounted: number
  readonly longestMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Short, so that soon there is something to do for each thread. */
const firstBudgetMs = 5
const budgetMs = 30
const mostTasks = 64
/** A pattern that took too long for so many files takes too long. */
const mostTooSlow = 8

export class TextRun {
  readonly #options: TextRunOptions
  readonly #until: number
  readonly #queue: SearchTask[]
  readonly #files = new Map<string, FoundFile>()
  readonly #tooSlow: string[] = []
  readonly #totals = { searched: 0, secret: 0, tooLarge: 0, minified: 0 }
  #counted = 0
  #asked = 0
  #busy = 0
  #cut: FoundText['isCut'] = 'no'
  #wake: () => void = () => {}
  #changed = this.#nextChange()

  constructor(options: TextRunOptions, tasks: readonly SearchTask[]) {
    this.#options = options
    this.#queue = [...tasks]
    this.#until = options.clock.elapsed() + options.longestMs
  }

  async run(): Promise<FoundText> {
    const { threads } = this.#options
    await Promise.all(Array.from({ length: threads.size }, (_, at) => this.#lane(at)))
    const files = [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    return { files, ...this.#totals, tooSlow: this.#tooSlow, isCut: this.#cut }
  }

  async #lane(at: number): Promise<void> {
    while (this.#cut === 'no') {
      throwIfAborted(this.#options.signal)
      if (this.#queue.length > 0) await this.#take(at)
      else if (this.#busy > 0) await this.#changed
      else return
    }
  }

  async #take(at: number): Promise<void> {
    const { threads, job, clock } = this.#options
    const tasks = this.#queue.splice(0, Math.min(mostTasks, Math.ceil(this.#queue.length / threads.size)))
    this.#busy++
    try {
      const member = threads.member(at)
      await job.begin(member)
      const budget = this.#asked++ < threads.size ? firstBudgetMs : budgetMs
      const skipped = this.#tooSlow
      this.#add(await member.ask({ kind: 'search', job: job.id, tasks, skipped, budgetMs: budget }))
    } catch (fault) {
      if (fault instanceof SlowPatternError) this.#leaveOut(fault.path)
      else if (!threads.mayRetry(fault)) throw fault
      this.#queue.unshift(...tasks)
    } finally {
      this.#busy--
      if (clock.elapsed() > this.#until && this.#cut === 'no' && this.#queue.length > 0) this.#cut = 'time'
      this.#wake()
      this.#changed = this.#nextChange()
    }
  }

  #add({ files, tasks, searched, secret, tooLarge, minified }: SearchedPart): void {
    const totals = this.#totals
    totals.searched += searched
    totals.secret += secret
    totals.tooLarge += tooLarge
    totals.minified += minified
    for (const file of files) {
      this.#files.set(file.path, file)
      this.#counted += file.count
    }
    this.#queue.push(...tasks)
    if (this.#counted >= this.#options.mostCounted) this.#cut = 'counted'
  }

  #leaveOut(path: string): void {
    this.#tooSlow.push(path)
    if (this.#tooSlow.length >= mostTooSlow) this.#cut = 'slow'
  }

  #nextChange(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
    })
  }
}
