// What outlives a window that is reloaded in the middle of a sign-in: that there was one, and for which email.
import type { Memento, SecretStorage } from 'vscode'
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Queue } from '../../base/flight.ts'
import { isAlive } from '../../core/auth/isAlive.ts'
import { BEAT_MS, type Pulse } from '../../core/auth/pulse.ts'
import { inTime, parse } from './secretStore.ts'

const SECRET = 'kourier.lastSignIn'
const FLAG = 'kourier.signingIn'
/** How long a process may take to end after its window. */
const LEAVING_MS = 60_000
/** A process without a sign of life for so long is another one, which was given the number of the first. */
const SILENT_MS = 5 * BEAT_MS
const LOOK_MS = 1_000

const lastSignIn = z.object({ email: z.string(), issuer: z.url(), resource: z.url(), service: z.string() })
export type LastSignIn = z.infer<typeof lastSignIn>

/** All windows share one record. `attempt`: the sign-in that has written it. */
const remembered = z.extend(lastSignIn, { attempt: z.string() })

/**
 * `process`: the extension host in which it was under way. `attempt`: the id of the key that it would have brought.
 * `replaces`: that of the key in whose place it would have come, which the service had refused.
 */
const signingIn = z.object({
  process: z.number(),
  attempt: z.string(),
  way: z.catch(z.enum(['code', 'browser']), 'code'),
  isRemembered: z.boolean(),
  replaces: z.optional(z.string()),
})
type SigningIn = z.infer<typeof signingIn>

/**
 * A sign-in that ended with its window. `last` is missing where there was no email, or it could not be remembered, or
 * another window has begun a sign-in since.
 */
export interface CutOff {
  readonly attempt: string
  readonly way: SigningIn['way']
  readonly last: LastSignIn | undefined
  /** The sign-in whose key the service had refused, in whose place this one would have come. */
  readonly replaces?: string
}

/** Writes into the secret storage, unless that would take away what another window has put there. */
export type Write = (write: () => Promise<void>) => Promise<boolean>

/**
 * The email lies in the secret storage, in no settings and no plain file; that a sign-in is under way, in the window's
 * state.
 */
export class SignInMemory implements Disposable {
  readonly #secrets: SecretStorage
  readonly #window: Memento
  readonly #write: Write
  readonly #clock: Clock
  readonly #pulse: Pulse
  /** Nobody waits for the end of an attempt, which a keyring may hold up: the next one begins behind it. */
  readonly #work = new Queue()
  /** The attempt under way here. */
  #attempt = ''
  #stopBeating: () => void = () => {}
  /** What the attempt under way has left; of an attempt that has left nothing, nothing is taken away. */
  #left: 'nothing' | 'note' | 'email' = 'nothing'
  /** The record that was found when the last one was asked for, and the one that the attempt under way has replaced. */
  #found: string | undefined
  #before: string | undefined

  constructor(secrets: SecretStorage, window: Memento, write: Write, clock: Clock, pulse: Pulse) {
    this.#secrets = secrets
    this.#window = window
    this.#write = write
    this.#clock = clock
    this.#pulse = pulse
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
    return inTime(this.#secrets.get(SECRET), this.#clock)
  }

  /**
   * Once after a window that went away while a sign-in was under way. A second window on the same folder sees the note of
   * the first too; that one's process goes on living.
   */
  async cutOff(): Promise<CutOff | undefined> {
    const flag = this.#flag
    if (!flag) return undefined
    const { process: owner, attempt, way, isRemembered, replaces } = flag
    if (attempt === this.#attempt || (await this.#goesOn(owner, attempt))) return undefined
    // Another sign-in may have begun here while the old process was still ending.
    if (this.#flag?.attempt === attempt) await this.#window.update(FLAG, undefined)
    await this.#pulse.forget(attempt)
    const last = isRemembered ? await this.#lastOf(attempt) : undefined
    return { attempt, way, last, ...(replaces && { replaces }) }
  }

  get #flag(): SigningIn | undefined {
    const flag = signingIn.safeParse(this.#window.get(FLAG))
    return flag.success ? flag.data : undefined
  }

  /** Numbers of processes are given out again, in a container soon: whoever has one now may never have heard of us. */
  async #goesOn(owner: number, attempt: string): Promise<boolean> {
    let beat = await this.#pulse.last(attempt)
    let silentMs = 0
    for (let waitedMs = 0; waitedMs < LEAVING_MS; waitedMs += LOOK_MS) {
      if (owner === process.pid || !isAlive(owner) || silentMs >= SILENT_MS) return false
      await new Promise<void>(resolve => this.#clock.later(LOOK_MS, resolve))
      const next = await this.#pulse.last(attempt)
      silentMs = next === undefined || next === beat ? silentMs + LOOK_MS : 0
      beat = next ?? beat
    }
    return true
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
    if (!(await this.#put(() => inTime(this.#secrets.store(SECRET, text), this.#clock)))) return
    this.#left = 'email'
    await this.#note({ attempt, way: 'code', isRemembered: true, replaces })
  }

  #begin(attempt: string): void {
    this.#left = 'note'
    this.#attempt = attempt
    this.#stopBeating()
    this.#stopBeating = this.#pulse.begin(attempt)
  }

  #note(note: Omit<SigningIn, 'process'>): Promise<void> {
    return quietly(this.#window.update(FLAG, { process: process.pid, ...note }))
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
    await quietly(this.#window.update(FLAG, undefined))
    if (left !== 'email' || isKept) return
    // The next attempt may have asked already.
    if (isOf(this.#attempt, this.#found)) this.#found = this.#before
    await this.#put(() => this.#forget())
  }

  /** What was remembered before comes back, and what another window has remembered since stays. */
  async #forget(): Promise<void> {
    if (!isOf(this.#attempt, await this.#read())) return
    const before = this.#before
    await inTime(before ? this.#secrets.store(SECRET, before) : this.#secrets.delete(SECRET), this.#clock)
  }

  /** The window goes away, and what it has left stays for the next one. */
  dispose(): void {
    this.#stopBeating()
  }

  /** Not being able to remember is no reason not to sign in. */
  #put(write: () => Promise<void>): Promise<boolean> {
    return this.#write(write).catch(() => false)
  }
}

function judged<T>(schema: z.ZodMiniType<T>, text: string | undefined): T | undefined {
  const read = schema.safeParse(parse(text ?? ''))
  return read.success ? read.data : undefined
}

function isOf(attempt: string, text: string | undefined): boolean {
  return judged(remembered, text)?.attempt === attempt
}

async function quietly(done: Thenable<void>): Promise<void> {
  try {
    await done
  } catch {
    // Nothing to do without it.
  }
}
