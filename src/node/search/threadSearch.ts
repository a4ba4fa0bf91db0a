// `ThreadSearch`: lists and searches the folders of the workspace that are on the disk, in threads.
import { throwIfAborted } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import {
  type FoundText,
  type Listed,
  type ListQuery,
  MOST_SEARCHED_BYTES,
  type NoTree,
  type TextQuery,
  type TreePlace,
  type TreeRoot,
  type TreeSearch,
} from '../../core/workspace/treeSearch.ts'
import { TextRun } from './textRun.ts'
import { RunningJob } from './treeJob.ts'
import type { FoundPlace, TreeJob, WalkedPlace, WalkedRoot } from './treeMessages.ts'
import type { TreeThreads } from './treeThreads.ts'

export interface ThreadSearchOptions {
  readonly threads: TreeThreads
  readonly clock: Clock
  /** The path on the disk of a URI; undefined for a virtual file. */
  readonly pathOf: (uri: string) => string | undefined
  /** A search that takes longer returns what it has found; 20 seconds without it. */
  readonly longestMs?: number
}

const LONGEST_MS = 20_000
const budgetMs = 50

/** Of places whose roots have a path. */
export class ThreadSearch implements TreeSearch {
  readonly #options: ThreadSearchOptions
  #nextJob = 1

  constructor(options: ThreadSearchOptions) {
    this.#options = options
  }

  async list({ places, glob, most }: ListQuery, signal: AbortSignal): Promise<Listed | NoTree> {
    const { threads } = this.#options
    return threads.use(async () => {
      for (;;) {
        const job = this.#job({ kind: 'list', ...walked(places), glob, most })
        try {
          return await this.#list(job, signal)
        } catch (fault) {
          if (!threads.mayRetry(fault)) throw fault
        } finally {
          job.end()
        }
      }
    })
  }

  async search(query: TextQuery, signal: AbortSignal): Promise<FoundText | NoTree> {
    const { threads, clock } = this.#options
    const { places, glob, pattern, context, mostInFile, mostCounted } = query
    const limits = { context, mostInFile, mostCounted, mostBytes: MOST_SEARCHED_BYTES }
    const unsaved = this.#byPath(query)
    return threads.use(async () => {
      for (;;) {
        const job = this.#job({ kind: 'text', ...walked(places), glob, pattern, ...limits, unsaved })
        try {
          const found = await job.find(threads.member(0))
          const problem = problemOf(found)
          if (problem) return problem
          const tasks = found.filter(isPlace).map(({ is, ...place }) => ({ ...place, ...(is === 'file' && isFile) }))
          return await new TextRun(
            { threads, job, mostCounted, longestMs: this.#longestMs, clock, signal },
            tasks,
          ).run()
        } catch (fault) {
          if (!threads.mayRetry(fault)) throw fault
        } finally {
          job.end()
        }
      }
    })
  }

  async #list(job: RunningJob, signal: AbortSignal): Promise<Listed | NoTree> {
    const { threads, clock } = this.#options
    const until = clock.elapsed() + this.#longestMs
    const member = threads.member()
    const found = await job.find(member)
    const problem = problemOf(found)
    if (problem) return problem
    const folders = found.filter(isPlace)
    if (folders.some(({ is }) => is === 'file')) return { is: 'file' }
    for (let first: readonly WalkedPlace[] = folders; ; first = []) {
      throwIfAborted(signal)
      const isLast = clock.elapsed() > until
      const part = await member.ask({ kind: 'list', job: job.id, folders: first, isLast, budgetMs })
      if (part.entries) return { entries: part.entries, more: part.more, isCut: isLast }
    }
  }

  get #longestMs(): number {
    return this.#options.longestMs ?? LONGEST_MS
  }

  #job(of: TreeJob): RunningJob {
    return new RunningJob(this.#nextJob++, of)
  }

  #byPath({ unsaved }: TextQuery): ReadonlyMap<string, string> {
    return new Map(
      unsaved.flatMap(({ uri, text }) => {
        const path = this.#options.pathOf(uri)
        return path === undefined ? [] : [[path, text] as const]
      }),
    )
  }
}

const isFile = { isFile: true } as const

type Place = Extract<FoundPlace, WalkedPlace>

const isPlace = (found: FoundPlace): found is Place => 'root' in found

/** Where none of the places is there. */
function problemOf(found: readonly FoundPlace[]): NoTree | undefined {
  const [first] = found
  return first && !isPlace(first) && !found.some(isPlace) ? { is: first.is } : undefined
}

function walked(places: readonly TreePlace[]): { roots: readonly WalkedRoot[]; places: readonly WalkedPlace[] } {
  const roots = [...new Set(places.map(({ root }) => root))]
  return { roots: roots.map(walkedRoot), places: places.map(({ root, path }) => ({ root: roots.indexOf(root), path })) }
}

function walkedRoot({ path = '', name, excluded, unsent }: TreeRoot): WalkedRoot {
  return { path, name, excluded, unsent }
}
