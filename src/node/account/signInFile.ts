// SignInRecords in one file, by which the windows of a machine notify each other of sign-ins and sign-outs. It holds no secret.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { SignInRecords, WriteRecord } from '../../core/account/signInRecords.ts'
import type { Log } from '../../core/log/log.ts'
import type { SignInRecord } from '../../protocol/stored.ts'
import { FileLock } from '../files/fileLock.ts'
import { FolderWatch } from '../files/folderWatch.ts'
import { writeWhole } from '../files/writeWhole.ts'

/** Older records than these concern no window that is still open. */
const MAX_RECORDS = 32
/** The holder of the lock writes one secret, in four steps with a timeout of fifteen seconds each. */
const MAX_LOCK_MS = 60_000

/**
 * A file that is missing, incomplete or of another form reads as empty. A folder that cannot be written leaves the other
 * windows without notification. No failure here prevents a sign-in or a sign-out.
 */
export class SignInFile implements SignInRecords, Disposable {
  readonly #file: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #lock: FileLock
  readonly #changed = new Emitter<void>()
  readonly #reads = new Queue()
  readonly #watch: FolderWatch
  #isOver = false
  #text = ''
  #records: readonly SignInRecord[] = []

  constructor(folder: string, clock: Clock, log: Log) {
    this.#file = join(folder, 'signIns.json')
    this.#clock = clock
    this.#log = log
    this.#lock = new FileLock({ path: `${this.#file}.lock`, clock, longestMs: MAX_LOCK_MS })
    this.#watch = new FolderWatch(folder, clock, () => void this.read())
  }

  readonly onDidChange: Event<void> = this.#changed.event

  get all(): readonly SignInRecord[] {
    return this.#records
  }

  /** Starts to watch for what other windows write. */
  async watch(): Promise<void> {
    const fault = await this.#watch.start()
    if (fault === undefined) return
    this.#log.info('Other windows are noticed by looking, since the system does not tell', { fault: faultText(fault) })
  }

  read(): Promise<readonly SignInRecord[]> {
    return this.#reads.add(async () => {
      const text = await readFile(this.#file, 'utf8').catch(() => '')
      if (text === this.#text) return this.#records
      const records = await recordsIn(text)
      if (!this.#isOver) {
        this.#text = text
        this.#records = records
        this.#changed.fire()
      }
      return this.#records
    })
  }

  async withLock<T>(work: (write: WriteRecord) => Promise<T>): Promise<T> {
    const release = await this.#lock.take()
    try {
      return await work((record, drop) => this.#write(record, drop))
    } finally {
      await release()
    }
  }

  async #write(record: Omit<SignInRecord, 'at'>, drop: readonly string[] = []): Promise<void> {
    const before = await this.read()
    if (isFromLaterVersion(this.#text))
      return this.#log.warn('Another version of Kourier keeps the news of windows: not written over')
    const kept = before.filter(({ id }) => id !== record.id && !drop.includes(id))
    const signIns = [...kept, { ...record, at: this.#clock.now() }].slice(-MAX_RECORDS)
    try {
      await writeWhole(this.#clock, this.#file, JSON.stringify({ version: 1, signIns }))
    } catch (fault) {
      this.#log.warn('Other windows could not be told who is signed in', { fault: faultText(fault) })
    }
    await this.read()
  }

  dispose(): void {
    this.#isOver = true
    this.#watch.dispose()
    this.#changed.dispose()
  }
}

/** A file of a later version is not overwritten, because windows of that version still read it. */
function isFromLaterVersion(text: string): boolean {
  try {
    return JSON.parse(text).version > 1
  } catch {
    return false
  }
}

async function recordsIn(text: string): Promise<readonly SignInRecord[]> {
  const { storedSignIns } = await import('../../protocol/stored.ts')
  try {
    const read = storedSignIns.safeParse(JSON.parse(text))
    return read.success ? read.data.signIns : []
  } catch {
    return []
  }
}
