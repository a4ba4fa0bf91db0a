// One small file by which the windows of a machine tell each other who signed in and out. No secret stands in it.
import { type FSWatcher, watch } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { SignInRecords, WriteNote } from '../../core/account/signInRecords.ts'
import type { Log } from '../../core/log/log.ts'
import { type SignInNote, storedSignIns } from '../../protocol/stored.ts'
import { FileLock } from '../files/fileLock.ts'
import { writeWhole } from '../files/writeWhole.ts'

/** The file is looked at so often where the system does not tell of changes: two seconds are promised. */
const LOOK_MS = 1_000
/** Older sign-ins than the last few concern no window that is still open. */
const KEPT = 32
/** The holder of the lock writes one secret, in four steps for each of which a keyring has fifteen seconds. */
const LONGEST_LOCK_MS = 60_000

/**
 * A file that is missing, half-written or of another time reads as empty, and a folder that cannot be written costs the
 * other windows their news; nothing here keeps anybody from signing in or out.
 */
export class SignInFile implements SignInRecords, Disposable {
  readonly #folder: string
  readonly #file: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #lock: FileLock
  readonly #changed = new Emitter<void>()
  readonly #reads = new Queue()
  #watcher: FSWatcher | undefined
  #stopLooking: () => void = () => {}
  #isOver = false
  #text = ''
  #notes: readonly SignInNote[] = []

  constructor(folder: string, clock: Clock, log: Log) {
    this.#folder = folder
    this.#file = join(folder, 'signIns.json')
    this.#clock = clock
    this.#log = log
    this.#lock = new FileLock({ path: `${this.#file}.lock`, clock, longestMs: LONGEST_LOCK_MS })
  }

  readonly onDidChange: Event<void> = this.#changed.event

  /** As of the last read. */
  get all(): readonly SignInNote[] {
    return this.#notes
  }

  /** Begins to notice what other windows write. */
  async watch(): Promise<void> {
    await mkdir(this.#folder, { recursive: true }).catch(() => {})
    if (this.#isOver) return
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, () => void this.read())
      this.#watcher.on('error', () => this.#watcher?.close())
    } catch (fault) {
      this.#log.info('Other windows are noticed by looking, since the system does not tell', {
        fault: faultText(fault),
      })
    }
    this.#lookAgain()
  }

  /** Reads the file; tells when it says something else than before. */
  read(): Promise<readonly SignInNote[]> {
    return this.#reads.add(async () => {
      const text = await readFile(this.#file, 'utf8').catch(() => '')
      if (text !== this.#text && !this.#isOver) {
        this.#text = text
        this.#notes = notesIn(text)
        this.#changed.fire()
      }
      return this.#notes
    })
  }

  note(note: Omit<SignInNote, 'at'>): Promise<void> {
    return this.alone(write => write(note))
  }

  /** Runs `work` while no other window does the same. */
  async alone<T>(work: (write: WriteNote) => Promise<T>): Promise<T> {
    const release = await this.#lock.take()
    try {
      return await work((note, drop) => this.#write(note, drop))
    } finally {
      await release()
    }
  }

  async #write(note: Omit<SignInNote, 'at'>, drop: readonly string[] = []): Promise<void> {
    const before = await this.read()
    if (isOfLater(this.#text))
      return this.#log.warn('Another version of Kourier keeps the news of windows: not written over')
    const others = before.filter(({ id }) => id !== note.id && !drop.includes(id))
    const signIns = [...others, { ...note, at: this.#clock.now() }].slice(-KEPT)
    try {
      await writeWhole(this.#clock, this.#file, JSON.stringify({ version: 1, signIns }))
    } catch (fault) {
      this.#log.warn('Other windows could not be told who is signed in', { fault: faultText(fault) })
    }
    await this.read()
  }

  #lookAgain(): void {
    this.#stopLooking = this.#clock.later(LOOK_MS, () => {
      void this.read()
      this.#lookAgain()
    })
  }

  dispose(): void {
    this.#isOver = true
    this.#stopLooking()
    this.#watcher?.close()
    this.#changed.dispose()
  }
}

/** Windows of a later version go on reading it; what stands in it is theirs. */
function isOfLater(text: string): boolean {
  try {
    return JSON.parse(text).version > 1
  } catch {
    return false
  }
}

function notesIn(text: string): readonly SignInNote[] {
  try {
    const read = storedSignIns.safeParse(JSON.parse(text))
    return read.success ? read.data.signIns : []
  } catch {
    return []
  }
}
