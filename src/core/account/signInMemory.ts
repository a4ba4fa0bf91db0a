// What outlives a window that goes away in the middle of a sign-in: that there was one, and for which email.
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Queue } from '../../base/singleFlight.ts'
import { parsedJson } from '../../protocol/json.ts'
import type { AttemptNote } from '../../protocol/stored.ts'
import { type AttemptStore, HEARTBEAT_MS, type Heartbeat, type Processes } from './attempts.ts'
import { inTime, type Secrets } from './keyring.ts'

const SECRET = 'kourier.lastSignIn'
/** The last attempt that was begun in this window's folder. */
const FLAG = 'kourier.signingIn'
/** How long a process may take to end after its window. */
const LEAVING_MS = 60_000
/** A process without a sign of life for so long is another one, which was given the number of the first. */
const SILENT_MS = 5 * HEARTBEAT_MS
const LOOK_MS = 1_000
/** A sign-in waits no longer than this for a keyring, only to be remembered. */
const WAIT_MS = 5_000
/** So long the next window on the same folder comes first: it may begin after others. */
const HEAD_START_MS = 5_000
/** After that no registration lives, and what it left is no news. */
const NEWS_MS = 3_600_000

const lastSignIn = z.object({ email: z.string(), issuer: z.url(), resource: z.url(), service: z.string() })
export type LastSignIn = z.infer<typeof lastSignIn>

/** All windows share one record. `attempt`: the sign-in that has written it. */
const remembered = z.extend(lastSignIn, { attempt: z.string() })

/**
 * A sign-in that ended with its window. `last` is missing where there was no email, or it could not be remembered, or
 * another window has begun a sign-in since.
 */
export interface CutOff {
  readonly attempt: string
  readonly way: AttemptNote['way']
  readonly last: LastSignIn | undefined
  /** The sign-in whose key the service had refused, in whose place this one would have come. */
  readonly replaces?: string
}

/** What the editor keeps for the folder that a window has open. */
export interface FolderState {
  get(name: string): unknown
  update(name: string, value: unknown): PromiseLike<void>
}

/** Writes into the secret storage, unless that would take away what another window has put there. */
export type Write = (write: () => Promise<void>) => Promise<boolean>

/**
 * The email lies in the secret storage, in no settings and no plain file; that a sign-in is under way, in a file for all
 * windows of this machine, for the next one may be on another folder.
 */
export class SignInMemory implements Disposable {
  readonly #secrets: Secrets
  readonly #window: FolderState
  readonly #write: Write
  readonly #clock: Clock
  readonly #pulse: Heartbeat
  readonly #notes: AttemptStore
  readonly #processes: Processes
  #isDisposed = false
  /** Nobody waits for the end of an attempt, which a keyring may hold up: the next one begins behind it. */
  readonly #work = new Queue()
  /** The attempt under way here. */
  #attempt = ''
  #beganAt = 0
  #stopBeating: () => void = () => {}
  /** What the attempt under way has left; of an attempt that has left nothing, nothing is taken away. */
  #left: 'nothing' | 'note' | 'email' = 'nothing'
  /** The record that was found when the last one was asked for, and the one that the attempt under way has replaced. */
  #found: string | undefined
  #before: string | undefined

  constructor(
    secrets: Secrets,
    window: FolderState,
    write: Write,
    clock: Clock,
    pulse: Heartbeat,
    notes: AttemptStore,
    processes: Processes,
  ) {
    this.#secrets = secrets
    this.#window = window
    this.#write = write
    this.#clock = clock
    this.#pulse = pulse
    this.#notes = notes
    this.#processes = processes
  }

  /** Of the last sign-in that had the user's consent. A keyring that does not work has nothing to remember. */
  async last(): Promise<LastSignIn | undefined> {
    this.#found = await this.#read().catch(() => undefined)
    return judged(lastSignIn, this.#found)
  }

  async #lastOf(attempt: string): Promise<LastSignIn | undefined> {
    const text = await this.#read().catch(() => undefined)
    return isOf(attempt, text) ? judged(lastSignIn, text) : undefined
  }

  #read(): Promise<string | undefined> {
    return inTime(this.#secrets.get(SECRET), this.#clock, WAIT_MS)
  }

  /**
   * Once after a window that went away while a sign-in was under way, whichever folder it was on. A window that lives is
   * no such one, and it may be on this folder too.
   */
  async cutOff(): Promise<CutOff | undefined> {
    const here = this.#window.get(FLAG)
    const notes = await this.#notes.all()
    // Another window has told of it, or it is over.
    if (typeof here === 'string' && !notes.some(({ attempt }) => attempt === here)) await this.#leaveFolder(here)
    const others = notes.filter(({ attempt }) => attempt !== this.#attempt)
    const open = new Set(others.map(note => ({ note, beat: '', silentMs: 0 })))
    for (let waitedMs = 0; open.size > 0 && waitedMs <= LEAVING_MS; waitedMs += LOOK_MS) {
      if (waitedMs > 0) await new Promise<void>(resolve => this.#clock.later(LOOK_MS, resolve))
      for (const other of open) {
        const { note } = other
        const isGone = await this.#isGone(other)
        if (this.#isDisposed) return undefined
        if (!isGone || (note.attempt !== here && waitedMs < HEAD_START_MS)) continue
        open.delete(other)
        const told = await this.#takeUp(note)
        if (told) return told
      }
    }
    return undefined
  }

  /** Undefined where another window has taken it up, or where it is too old. */
  async #takeUp({ attempt, way, isRemembered, replaces, at }: AttemptNote): Promise<CutOff | undefined> {
    const isTaken = await this.#notes.take(attempt)
    await this.#leaveFolder(attempt)
    if (!isTaken) return undefined
    await this.#pulse.forget(attempt)
    if (Math.abs(this.#clock.now() - at) > NEWS_MS) return undefined
    const last = isRemembered ? await this.#lastOf(attempt) : undefined
    return { attempt, way, last, ...(replaces && { replaces }) }
  }

  /** Another sign-in may have begun in this folder meanwhile. */
  async #leaveFolder(attempt: string): Promise<void> {
    if (this.#window.get(FLAG) === attempt) await quietly(this.#window.update(FLAG, undefined))
  }

  /**
   * Numbers of processes are given out again, in a container soon: whoever has one now may never have heard of us. Listens
   * for a sign of life since the last time.
   */
  async #isGone(other: { readonly note: AttemptNote; beat: string; silentMs: number }): Promise<boolean> {
    const next = await this.#pulse.last(other.note.attempt)
    other.silentMs = next === undefined || next === other.beat ? other.silentMs + LOOK_MS : 0
    other.beat = next ?? other.beat
    const { process: owner } = other.note
    return owner === this.#processes.own || !this.#processes.isAlive(owner) || other.silentMs >= SILENT_MS
  }

  /** A sign-in with the browser, which knows no email. */
  beginInBrowser(attempt: string, replaces?: string): Promise<void> {
    return this.#work.add(async () => {
      this.#begin(attempt)
      await this.#note({ attempt, way: 'browser', isRemembered: false, replaces })
    })
  }

  begin(signIn: LastSignIn, attempt: string, replaces?: string): Promise<void> {
    return this.#work.add(() => this.#remember(signIn, attempt, replaces))
  }

  async #remember(signIn: LastSignIn, attempt: string, replaces: string | undefined): Promise<void> {
    this.#begin(attempt)
    await this.#note({ attempt, way: 'code', isRemembered: false, replaces })
    // That of a sign-in which has not ended may be one to forget.
    const before = judged(remembered, this.#found)?.attempt
    const hasEnded = before !== undefined && (await this.#pulse.last(before)) === undefined
    this.#before = hasEnded ? this.#found : undefined
    const text = JSON.stringify({ ...signIn, attempt })
    if (!(await this.#put(() => inTime(this.#secrets.store(SECRET, text), this.#clock, WAIT_MS)))) return
    this.#left = 'email'
    await this.#note({ attempt, way: 'code', isRemembered: true, replaces })
  }

  #begin(attempt: string): void {
    this.#left = 'note'
    this.#attempt = attempt
    this.#beganAt = this.#clock.now()
    this.#stopBeating()
    this.#stopBeating = this.#pulse.begin(attempt)
  }

  async #note(note: Pick<AttemptNote, 'attempt' | 'way' | 'isRemembered' | 'replaces'>): Promise<void> {
    await this.#notes.write({ version: 1, process: this.#processes.own, at: this.#beganAt, ...note })
    await quietly(this.#window.update(FLAG, note.attempt))
  }

  /** Takes away what the beginning has left. `isKept`: the email is worth remembering. */
  end(isKept: boolean): Promise<void> {
    return this.#work.add(() => this.#end(isKept))
  }

  async #end(isKept: boolean): Promise<void> {
    const left = this.#left
    this.#left = 'nothing'
    if (left === 'nothing') return
    this.#stopBeating()
    await this.#pulse.forget(this.#attempt)
    await this.#notes.take(this.#attempt)
    await this.#leaveFolder(this.#attempt)
    if (left !== 'email' || isKept) return
    // The next attempt may have asked already.
    if (isOf(this.#attempt, this.#found)) this.#found = this.#before
    await this.#put(() => this.#forget())
  }

  /** What was remembered before comes back, and what another window has remembered since stays. */
  async #forget(): Promise<void> {
    if (!isOf(this.#attempt, await this.#read())) return
    const before = this.#before
    await inTime(before ? this.#secrets.store(SECRET, before) : this.#secrets.delete(SECRET), this.#clock, WAIT_MS)
  }

  /** The window goes away, and what it has left stays for the next one. */
  dispose(): void {
    this.#isDisposed = true
    this.#stopBeating()
  }

  /** Not being able to remember is no reason not to sign in. */
  #put(write: () => Promise<void>): Promise<boolean> {
    return this.#write(write).catch(() => false)
  }
}

function judged<T>(schema: z.ZodMiniType<T>, text: string | undefined): T | undefined {
  const read = schema.safeParse(parsedJson(text ?? ''))
  return read.success ? read.data : undefined
}

function isOf(attempt: string, text: string | undefined): boolean {
  return judged(remembered, text)?.attempt === attempt
}

async function quietly(done: PromiseLike<void>): Promise<void> {
  try {
    await done
  } catch {
    // Nothing to do without it.
  }
}
