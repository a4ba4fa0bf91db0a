// `WriterLock`: which window writes a journal, as a file that only one of them can make.
import { link, mkdir, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { Clock } from '../../base/clock.ts'

/** How often the holder marks the file, so that others see that it lives. */
const HEARTBEAT_MS = 10_000
/** A file without a heartbeat for so long is free: several heartbeats, because a busy host misses one. */
const STALE_MS = 60_000

export type LockAttempt = 'mine' | 'held' | 'impossible'

/**
 * The file names its holder: process, machine, and a random word. The lock of a process of this machine that is gone is
 * free at once; any other once its heartbeat has not been seen for a minute, counted on the observer's own clock, so that
 * no jump of a wall clock matters. Where the folder cannot be written the lock is `impossible`.
 */
export class WriterLock {
  readonly #path: string
  readonly #clock: Clock
  readonly #isAlive: (process: number) => boolean
  #mine: string | undefined
  #stopHeartbeat: (() => void) | undefined
  #seen: { readonly mark: string; readonly at: number } | undefined

  constructor(path: string, clock: Clock, isAlive: (process: number) => boolean) {
    this.#path = path
    this.#clock = clock
    this.#isAlive = isAlive
  }

  /** Does not wait. */
  async tryTake(): Promise<LockAttempt> {
    if (await this.isMine()) return 'mine'
    await mkdir(dirname(this.#path), { recursive: true }).catch(() => {})
    const owner = `${process.pid} ${hostname()} ${crypto.randomUUID()}`
    const made = await make(this.#path, owner)
    if (made === 'held' && !(await this.isHeld())) {
      await breakOpen(this.#path, this.#seen?.mark)
      return this.#keep(owner, await make(this.#path, owner))
    }
    return this.#keep(owner, made)
  }

  /** Held by a process that is alive. */
  async isHeld(): Promise<boolean> {
    const mark = await markOf(this.#path)
    if (mark === undefined) return false
    if (mark !== this.#seen?.mark) this.#seen = { mark, at: this.#clock.elapsed() }
    const [id, machine] = mark.split(' ')
    if (machine === hostname() && Number(id) > 0 && !this.#isAlive(Number(id))) return false
    return this.#clock.elapsed() - this.#seen.at < STALE_MS
  }

  /** A window that was suspended may have lost it to another. */
  async isMine(): Promise<boolean> {
    return this.#mine !== undefined && (await ownerOf(this.#path)) === this.#mine
  }

  async release(): Promise<void> {
    const isMine = await this.isMine()
    this.#stopHeartbeat?.()
    this.#stopHeartbeat = undefined
    this.#mine = undefined
    if (isMine) await unlink(this.#path).catch(() => {})
  }

  #keep(owner: string, made: LockAttempt): LockAttempt {
    if (made !== 'mine') return made
    this.#mine = owner
    this.#markLater()
    return made
  }

  #markLater(): void {
    this.#stopHeartbeat = this.#clock.later(HEARTBEAT_MS, () => {
      const now = this.#clock.now() / 1_000
      void utimes(this.#path, now, now).catch(() => {})
      this.#markLater()
    })
  }
}

async function make(path: string, owner: string): Promise<LockAttempt> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(owner).finally(() => file.close())
    return 'mine'
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
    if (code === 'EEXIST' || code === 'EBUSY') return 'held'
    // It was made but its holder could not be written.
    if (code === 'ENOSPC' || code === 'EDQUOT') await unlink(path).catch(() => {})
    return 'impossible'
  }
}

async function ownerOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

/** Its holder and its last heartbeat. */
async function markOf(path: string): Promise<string | undefined> {
  const owner = await ownerOf(path)
  const at = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
  return owner === undefined || at === undefined ? undefined : `${owner} ${at}`
}

/** Moves it away first, which of several only one can do, and looks whether it was still the one that was seen. */
async function breakOpen(path: string, mark: string | undefined): Promise<void> {
  const aside = `${path}.${crypto.randomUUID()}`
  try {
    await rename(path, aside)
    if ((await markOf(aside)) !== mark) await link(aside, path).catch(() => {})
  } catch {
    // Another window was faster.
  }
  await unlink(aside).catch(() => {})
}
