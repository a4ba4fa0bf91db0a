// `GuardNote`: on disk, what was protected when a command in the sandbox began, so that a later window takes away what the command has made.
import { lstat, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { TakenFile } from '../../core/tools/commandPorts.ts'
import { type GuardGlobs, noGlobs } from '../../core/tools/sandboxPolicy.ts'
import { listOf, objectOf } from '../../protocol/json.ts'
import { writeWhole } from '../files/writeWhole.ts'
import { type GuardedPath, guardedPaths, MOST_ENTRIES_AT_END } from './guardedPaths.ts'
import { GuardedRun } from './guardedRun.ts'
import type { TakenFiles } from './takenFiles.ts'

const PREFIX = 'guard-'
/** How much later than the last look the command may have ended. */
const MARGIN_MS = 10_000

export interface NotedRoot {
  readonly path: string
  readonly globs: GuardGlobs
}

export class GuardNote {
  readonly #file: string

  /** `folder`: of this window, which exists. Rejects where it cannot be written. */
  static async write(
    clock: Clock,
    folder: string,
    note: { readonly roots: readonly NotedRoot[]; readonly before: readonly GuardedPath[] },
  ): Promise<GuardNote> {
    const file = join(folder, `${PREFIX}${crypto.randomUUID()}.json`)
    await writeWhole(clock, file, JSON.stringify(note))
    return new GuardNote(file)
  }

  private constructor(file: string) {
    this.#file = file
  }

  /** The command runs at this time. */
  async touch(): Promise<void> {
    const now = new Date()
    await utimes(this.#file, now, now).catch(() => {})
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true }).catch(() => {})
  }
}

/** Takes away what the commands of a window that has crashed have made. `folder`: of that window. */
export async function takeLeft(folder: string, taken: TakenFiles): Promise<readonly TakenFile[]> {
  const names = (await readdir(folder)).filter(name => name.startsWith(PREFIX) && name.endsWith('.json'))
  const all: TakenFile[] = []
  for (const name of names) all.push(...(await takeNoted(join(folder, name), taken).catch(() => [])))
  return all
}

async function takeNoted(file: string, taken: TakenFiles): Promise<readonly TakenFile[]> {
  const { mtimeMs } = await lstat(file)
  const note = objectOf(JSON.parse(await readFile(file, 'utf8')))
  const roots = listOf(note?.['roots']).flatMap(rootOf)
  const before = listOf(note?.['before']).flatMap(guardedOf)
  const look = async () => {
    const found = await Promise.all(
      roots.map(({ path, globs }) => guardedPaths(path, { globs, mostEntries: MOST_ENTRIES_AT_END })),
    )
    const those = await Promise.all(
      found.flatMap(one => one ?? []).map(async one => ((await isOlder(one.path, mtimeMs + MARGIN_MS)) ? [one] : [])),
    )
    return those.flat()
  }
  const run = await GuardedRun.begin({ roots: roots.map(({ path }) => path), before, look, lookAgain: look, taken })
  return (await run.end()).taken
}

/** What has come into being later is somebody else's. */
async function isOlder(path: string, timeMs: number): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined)
  return facts !== undefined && Math.min(facts.birthtimeMs, facts.ctimeMs) <= timeMs
}

function rootOf(value: unknown): NotedRoot[] {
  const { path, globs } = objectOf(value) ?? {}
  const { protected: own, excluded } = objectOf(globs) ?? {}
  const texts = (list: unknown) => listOf(list).filter(text => typeof text === 'string')
  if (typeof path !== 'string') return []
  return [{ path, globs: { ...noGlobs, protected: texts(own), excluded: texts(excluded) } }]
}

function guardedOf(value: unknown): GuardedPath[] {
  const { path, relative, guard, identity, target, isFolder, mayRun } = objectOf(value) ?? {}
  if (typeof path !== 'string' || typeof relative !== 'string' || typeof identity !== 'string') return []
  return [
    {
      ...{ path, relative, identity, isFolder: isFolder === true, mayRun: mayRun === true },
      guard: guard === 'hidden' ? 'hidden' : 'guarded',
      ...(typeof target === 'string' && { target }),
    },
  ]
}
