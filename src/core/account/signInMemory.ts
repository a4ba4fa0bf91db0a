// SignInMemory: records the sign-in under way and its email, so that a later window can resume it if this window closes.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Queue } from '../../base/singleFlight.ts'
import { objectOf, parsedJson } from '../../protocol/json.ts'
import type { AttemptRecord, LastSignIn } from '../../protocol/stored.ts'
import { type AttemptStore, HEARTBEAT_MS, type Heartbeat, type Processes } from './attempts.ts'
import { type Secrets, withTimeout } from './keyring.ts'

const SECRET = 'kourier.lastSignIn'
/** Names the last attempt that was begun in this window's folder. */
const FLAG = 'kourier.signingIn'
/** How long the process of a closed window may take to end. */
const EXIT_TIMEOUT_MS = 60_000
/** Without a heartbeat for this long, a process that is alive is another one, which was given the same id. */
const HEARTBEAT_TIMEOUT_MS = 5 * HEARTBEAT_MS
const POLL_MS = 1_000
/**
 * Shorter than that of a read, which has unlocked the keyring before: a sign-in does not depend on being remembered, but
 * waits for it, and the key is stored after it.
 */
const WRITE_TIMEOUT_MS = 5_000
/** How long a window on another folder waits, so that one on the same folder may report the sign-in first. */
const HEAD_START_MS = 5_000
/** An older attempt is not reported, because its registration has expired. */
const MAX_AGE_MS = 3_600_000

/**
 * A sign-in that ended with its window. `last` is missing where there was no email, or it could not be remembered, or
 * another window has begun a sign-in since.
 */
export interface CutOff {
  readonly attempt: string
  readonly way: AttemptRecord['way']
  readonly last: LastSignIn | undefined
  /** The id of the refused sign-in that this one would have replaced. */
  readonly replaces?: string
}

/** An attempt of another window, with its last heartbeat and the time without a new one. */
interface WatchedAttempt {
  readonly record: AttemptRecord
  lastHeartbeat: string
  silentMs: number
}

/** What the editor keeps for the folder that a window has open. */
export interface FolderState {
  get(name: string): unknown
  update(name: string, value: unknown): PromiseLike<void>
}

/** Runs a write to the secret storage, unless it would overwrite what another window has stored. */
export type WriteIfSafe = (write: () => Promise<void>) => Promise<boolean>

/**
 * The email is kept in the secret storage only. That a sign-in is under way is kept in a file for all windows of this
 * machine, because the next window may be on another folder.
 */
export class SignInMemory implements Disposable {
  readonly #secrets: Secrets
  readonly #folderState: FolderState
  readonly #writeIfSafe: WriteIfSafe
  readonly #clock: Clock
  readonly #heartbeat: Heartbeat
  readonly #attempts: AttemptStore
  readonly #processes: Processes
  #isDisposed = false
  /** The end of an attempt is not awaited, because a keyring may delay it; the next attempt is queued behind it. */
  readonly #work = new Queue()
  /** The attempt under way here. */
  #attempt = ''
  #beganAt = 0
  #stopHeartbeat: () => void = () => {}
  /** What the attempt under way has stored, which `end` deletes. */
  #stored: 'nothing' | 'record' | 'email' = 'nothing'
  /** The email record as of the last call of `last`, and the one that the attempt under way has replaced. */
  #found: string | undefined
  #before: string | undefined

  constructor(
    secrets: Secrets,
    folderState: FolderState,
    writeIfSafe: WriteIfSafe,
    clock: Clock,
    heartbeat: Heartbeat,
    attempts: AttemptStore,
    processes: Processes,
  ) {
    this.#secrets = secrets
    this.#folderState = folderState
    this.#writeIfSafe = writeIfSafe
    this.#clock = clock
    this.#heartbeat = heartbeat
    this.#attempts = attempts
    this.#processes = processes
  }

  /** The last sign-in that the user agreed to; undefined also where the keyring fails. */
  async last(): Promise<LastSignIn | undefined> {
    this.#found = await this.#read().catch(() => undefined)
    return lastSignInOf(this.#found)
  }

  async #lastOf(attempt: string): Promise<LastSignIn | undefined> {
    const text = await this.#read().catch(() => undefined)
    return attemptOf(text) === attempt ? lastSignInOf(text) : undefined
  }

  #read(): Promise<string | undefined> {
    return withTimeout(this.#secrets.get(SECRET), this.#clock)
  }

  #written(write: PromiseLike<void>): Promise<void> {
    return withTimeout(write, this.#clock, WRITE_TIMEOUT_MS)
  }

  /**
   * Finds a sign-in whose window closed while it was under way, on any folder. Each is returned in one window only, and
   * the sign-in of a window that is still open is never returned.
   */
  async cutOff(): Promise<CutOff | undefined> {
    const here = this.#folderState.get(FLAG)
    const records = await this.#attempts.all()
    // Another window has reported the attempt, or it has ended.
    if (typeof here === 'string' && !records.some(({ attempt }) => attempt === here)) await this.#clearFlag(here)
    const others = records.filter(({ attempt }) => attempt !== this.#attempt)
    const watched = new Set(others.map((record): WatchedAttempt => ({ record, lastHeartbeat: '', silentMs: 0 })))
    for (let waitedMs = 0; watched.size > 0 && waitedMs <= EXIT_TIMEOUT_MS; waitedMs += POLL_MS) {
      if (waitedMs > 0) await new Promise<void>(resolve => this.#clock.later(POLL_MS, resolve))
      for (const other of watched) {
        const { record } = other
        const isGone = await this.#isGone(other)
        if (this.#isDisposed) return undefined
        if (!isGone || (record.attempt !== here && waitedMs < HEAD_START_MS)) continue
        watched.delete(other)
        const cutOff = await this.#claim(record)
        if (cutOff) return cutOff
      }
    }
    return undefined
  }

  /** Undefined where another window has claimed the record, or where it is too old. */
  async #claim({ attempt, way, isRemembered, replaces, at }: AttemptRecord): Promise<CutOff | undefined> {
    const isTaken = await this.#attempts.take(attempt)
    await this.#clearFlag(attempt)
    if (!isTaken) return undefined
    await this.#heartbeat.forget(attempt)
    if (Math.abs(this.#clock.now() - at) > MAX_AGE_MS) return undefined
    const last = isRemembered ? await this.#lastOf(attempt) : undefined
    return { attempt, way, last, ...(replaces && { replaces }) }
  }

  /** Keeps the flag of another sign-in, which may have begun in this folder meanwhile. */
  async #clearFlag(attempt: string): Promise<void> {
    if (this.#folderState.get(FLAG) === attempt) await ignoringFaults(this.#folderState.update(FLAG, undefined))
  }

  /**
   * Whether the process has ended or the heartbeat has stopped. The process id alone is not enough, because the system
   * reuses ids, in a container soon.
   */
  async #isGone(other: WatchedAttempt): Promise<boolean> {
    const next = await this.#heartbeat.last(other.record.attempt)
    other.silentMs = next === undefined || next === other.lastHeartbeat ? other.silentMs + POLL_MS : 0
    other.lastHeartbeat = next ?? other.lastHeartbeat
    const { process: owner } = other.record
    return owner === this.#processes.own || !this.#processes.isAlive(owner) || other.silentMs >= HEARTBEAT_TIMEOUT_MS
  }

  /** A sign-in with the browser, which knows no email. */
  beginInBrowser(attempt: string, replaces?: string): Promise<void> {
    return this.#work.add(async () => {
      this.#begin(attempt)
      await this.#writeRecord({ attempt, way: 'browser', isRemembered: false, replaces })
    })
  }

  begin(signIn: LastSignIn, attempt: string, replaces?: string): Promise<void> {
    return this.#work.add(() => this.#remember(signIn, attempt, replaces))
  }

  async #remember(signIn: LastSignIn, attempt: string, replaces: string | undefined): Promise<void> {
    this.#begin(attempt)
    await this.#writeRecord({ attempt, way: 'code', isRemembered: false, replaces })
    // The email of a sign-in that has not ended is not restored, because that sign-in may still delete it.
    const before = attemptOf(this.#found)
    const hasEnded = before !== undefined && (await this.#heartbeat.last(before)) === undefined
    this.#before = hasEnded ? this.#found : undefined
    const text = JSON.stringify({ ...signIn, attempt })
    if (!(await this.#tryWrite(() => this.#written(this.#secrets.store(SECRET, text))))) return
    this.#stored = 'email'
    await this.#writeRecord({ attempt, way: 'code', isRemembered: true, replaces })
  }

  #begin(attempt: string): void {
    this.#stored = 'record'
    this.#attempt = attempt
    this.#beganAt = this.#clock.now()
    this.#stopHeartbeat()
    this.#stopHeartbeat = this.#heartbeat.begin(attempt)
  }

  async #writeRecord(record: Pick<AttemptRecord, 'attempt' | 'way' | 'isRemembered' | 'replaces'>): Promise<void> {
    await this.#attempts.write({ version: 1, process: this.#processes.own, at: this.#beganAt, ...record })
    await ignoringFaults(this.#folderState.update(FLAG, record.attempt))
  }

  /** Deletes what `begin` has stored. `isKept`: the email stays, to be offered at the next sign-in. */
  end(isKept: boolean): Promise<void> {
    return this.#work.add(() => this.#end(isKept))
  }

  async #end(isKept: boolean): Promise<void> {
    const stored = this.#stored
    this.#stored = 'nothing'
    if (stored === 'nothing') return
    this.#stopHeartbeat()
    await this.#heartbeat.forget(this.#attempt)
    await this.#attempts.take(this.#attempt)
    await this.#clearFlag(this.#attempt)
    if (stored !== 'email' || isKept) return
    // The next attempt may have read this email with `last` already.
    if (attemptOf(this.#found) === this.#attempt) this.#found = this.#before
    await this.#tryWrite(() => this.#forget())
  }

  /** Restores the email that was stored before. Does nothing if another window has stored one since. */
  async #forget(): Promise<void> {
    if (attemptOf(await this.#read()) !== this.#attempt) return
    const before = this.#before
    await this.#written(before ? this.#secrets.store(SECRET, before) : this.#secrets.delete(SECRET))
  }

  /** Keeps what is stored, so that the next window can read it. */
  dispose(): void {
    this.#isDisposed = true
    this.#stopHeartbeat()
  }

  /** Does not throw, because a sign-in goes on without being remembered. */
  #tryWrite(write: () => Promise<void>): Promise<boolean> {
    return this.#writeIfSafe(write).catch(() => false)
  }
}

async function lastSignInOf(text: string | undefined): Promise<LastSignIn | undefined> {
  const { storedLastSignIn } = await import('../../protocol/stored.ts')
  return storedLastSignIn.safeParse(parsedJson(text ?? '')).data
}

/** The sign-in that has written the record. */
function attemptOf(text: string | undefined): string | undefined {
  const attempt = objectOf(parsedJson(text ?? ''))?.['attempt']
  return typeof attempt === 'string' ? attempt : undefined
}

async function ignoringFaults(done: PromiseLike<void>): Promise<void> {
  try {
    await done
  } catch {
    // A sign-in does not depend on the editor's state for the folder.
  }
}
