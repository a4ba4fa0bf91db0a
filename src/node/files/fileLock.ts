// A lock between windows: a file that only one of them can make.
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { isAlive } from '../systemProcesses.ts'

const PAUSE_MS = 50

export interface FileLockOptions {
  readonly path: string
  readonly clock: Clock
  /** Whoever holds it for so long hangs. Counted by whoever waits, so that no jump of a wall clock matters. */
  readonly longestMs: number
}

/**
 * The file says who holds it: process, machine, and a word of its own. The lock of a process that is gone is broken at
 * once, any other after `longestMs`. It is no reason to wait for ever: where the file can neither be made nor taken away,
 * the work goes on without it.
 */
export class FileLock {
  readonly #options: FileLockOptions

  constructor(options: FileLockOptions) {
    this.#options = options
  }

  /** Resolves, when nobody else holds it, with how to give it back. */
  async take(): Promise<() => Promise<void>> {
    const { path, clock, longestMs } = this.#options
    const mine = `${process.pid} ${hostname()} ${crypto.randomUUID()}`
    const beganAt = clock.elapsed()
    let seen: { readonly owner: string; readonly at: number } | undefined
    await mkdir(dirname(path), { recursive: true }).catch(() => {})
    while (clock.elapsed() - beganAt < 2 * longestMs) {
      const made = await make(path, mine)
      if (made === 'made') return () => giveBack(path, mine)
      if (made === 'impossible') break
      const owner = await readFile(path, 'utf8').catch(() => undefined)
      if (owner !== undefined && owner !== seen?.owner) seen = { owner, at: clock.elapsed() }
      if (seen && owner === seen.owner && (isGone(owner) || clock.elapsed() - seen.at >= longestMs))
        await breakOpen(path, owner)
      else await new Promise<void>(resolve => clock.later(PAUSE_MS, resolve))
    }
    return async () => {}
  }
}

async function make(path: string, owner: string): Promise<'made' | 'held' | 'impossible'> {
  try {
    const file = await open(path, 'wx')
    await file.writeFile(owner).finally(() => file.close())
    return 'made'
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
    if (code === 'EEXIST' || code === 'EBUSY') return 'held'
    // It was made and could not be written: nobody could give it back.
    if (code === 'ENOSPC' || code === 'EDQUOT') await unlink(path).catch(() => {})
    return 'impossible'
  }
}

/** Whoever was slow may have lost it to somebody else. */
async function giveBack(path: string, mine: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === mine) await unlink(path).catch(() => {})
}

/** Only processes of this machine can be looked for. */
function isGone(owner: string): boolean {
  const [id, machine] = owner.split(' ')
  return machine === hostname() && Number(id) > 0 && !isAlive(Number(id))
}

/** Moves it away first, which of several that wait only one can do, and looks whether it was still the same. */
async function breakOpen(path: string, owner: string): Promise<void> {
  const aside = `${path}.${crypto.randomUUID()}`
  try {
    await rename(path, aside)
    if ((await readFile(aside, 'utf8')) !== owner) await link(aside, path).catch(() => {})
  } catch {
    // Somebody else was faster.
  }
  await unlink(aside).catch(() => {})
}
