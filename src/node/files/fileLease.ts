// `FileLease`: which window may do something, as a file that only one of them can make and that expires.
import { link, mkdir, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { faultCode } from '../../base/fault.ts'

export type LeaseAttempt = 'mine' | 'held' | 'impossible'

export interface FileLeaseOptions {
  readonly path: string
  readonly clock: Clock
  readonly isAlive: (process: number) => boolean
  /** The lease is free when its file has not changed for so long, counted by the observer. */
  readonly expiresMs: number
  /** How often the holder renews the lease; without it never. */
  readonly renewMs?: number
}

/**
 * The file names its holder: process, machine, and a random word. The lease of a process of this machine that is gone is
 * free at once; any other when it has expired, counted on the observer's own clock, so that no jump of a wall clock
 * matters. A file that cannot be read expires as well. Where the file cannot be written the lease is `impossible`.
 */
export class FileLease {
  readonly #options: FileLeaseOptions
  #mine: string | undefined
  #stopRenewing: (() => void) | undefined
  #seen: { readonly mark: string; readonly at: number } | undefined

  constructor(options: FileLeaseOptions) {
    this.#options = options
  }

  /** Does not wait. */
  async tryTake(): Promise<LeaseAttempt> {
    if (await this.isMine()) return 'mine'
    const { path } = this.#options
    await mkdir(dirname(path), { recursive: true }).catch(() => {})
    const owner = `${process.pid} ${hostname()} ${crypto.randomUUID()}`
    const made = await make(path, owner)
    if (made !== 'held') return this.#keep(owner, made)
    const mark = await markOf(path)
    if (mark !== undefined && this.#isValid(mark)) return 'held'
    if (mark !== undefined) await breakOpen(path, mark)
    return this.#keep(owner, await make(path, owner))
  }

  /** Whether there is a valid lease, that of this object included. */
  async isHeld(): Promise<boolean> {
    const mark = await markOf(this.#options.path)
    return mark !== undefined && this.#isValid(mark)
  }

  /** A window that was suspended may have lost it to another. */
  async isMine(): Promise<boolean> {
    return this.#mine !== undefined && (await ownerOf(this.#options.path)) === this.#mine
  }

  async release(): Promise<void> {
    const isMine = await this.isMine()
    this.#stopRenewing?.()
    this.#stopRenewing = undefined
    this.#mine = undefined
    if (isMine) await unlink(this.#options.path).catch(() => {})
  }

  #isValid(mark: string): boolean {
    const { clock, isAlive, expiresMs } = this.#options
    if (mark !== this.#seen?.mark) this.#seen = { mark, at: clock.elapsed() }
    const [id, machine] = mark.split(' ')
    if (machine === hostname() && Number(id) > 0 && !isAlive(Number(id))) return false
    return clock.elapsed() - this.#seen.at < expiresMs
  }

  #keep(owner: string, made: LeaseAttempt): LeaseAttempt {
    if (made !== 'mine') return made
    this.#mine = owner
    this.#renewLater()
    return made
  }

  #renewLater(): void {
    const { path, clock, renewMs } = this.#options
    if (renewMs === undefined) return
    this.#stopRenewing = clock.later(renewMs, () => {
      const now = clock.now() / 1_000
      void utimes(path, now, now).catch(() => {})
      this.#renewLater()
    })
  }
}

async function make(path: string, owner: string): Promise<LeaseAttempt> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(owner).finally(() => file.close())
    return 'mine'
  } catch (fault) {
    const code = faultCode(fault)
    if (code === 'EEXIST' || code === 'EBUSY') return 'held'
    // The file was made, but its holder could not be written, so that nobody could release it.
    if (code === 'ENOSPC' || code === 'EDQUOT') await unlink(path).catch(() => {})
    return 'impossible'
  }
}

async function ownerOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

/** Its holder, if it can be read, and the time of its last renewal; undefined where there is no file. */
async function markOf(path: string): Promise<string | undefined> {
  const owner = await ownerOf(path)
  try {
    return `${owner ?? ''} ${(await stat(path)).mtimeMs}`
  } catch {
    return undefined
  }
}

/** Moves the file away first, which of several windows only one can do, and then checks that it is the expired one. */
async function breakOpen(path: string, mark: string): Promise<void> {
  const aside = `${path}.${crypto.randomUUID()}`
  try {
    await rename(path, aside)
    if ((await markOf(aside)) !== mark) await link(aside, path).catch(() => {})
  } catch {
    // Another window was faster.
  }
  await unlink(aside).catch(() => {})
}
