// `JournalFile`: the journal of one conversation as a file of JSON lines.
import { type FSWatcher, watch } from 'node:fs'
import { type FileHandle, mkdir, open, rename, stat, truncate, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { throwIfAborted } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultCode, faultText } from '../../base/fault.ts'
import { Queue } from '../../base/singleFlight.ts'
import {
  type Journal,
  JournalAccessError,
  type JournalTrouble,
  mustBeOnDisk,
  NotWriterError,
} from '../../core/conversation/journal.ts'
import { eventLine, headerLine, JournalReader } from '../../core/conversation/journalLines.ts'
import type { Log } from '../../core/log/log.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { joinDeltas } from '../../protocol/joinDeltas.ts'
import { FileLease } from '../files/fileLease.ts'

/** A window that ends without notice loses at most this much time of an answer, and that of one write. */
const PAUSE_MS = 500
/** Between two attempts while writing fails. */
const RETRY_MS = 5_000
/** How often a window that follows the journal checks it; a file watcher is faster where the system has one. */
const POLL_MS = 1_000
const LEASE_RENEW_MS = 10_000
/** Several renewals, because a busy machine misses one. */
const LEASE_EXPIRES_MS = 60_000
const CHUNK_BYTES = 256 * 1024

/** The operations that a test can make fail. */
export type JournalDisk = Pick<typeof import('node:fs/promises'), 'mkdir' | 'open' | 'rename' | 'stat' | 'truncate'>

export interface JournalFileOptions {
  readonly conversation: string
  /** The file's path; its folder is made when the first event is written. */
  readonly path: string
  readonly clock: Clock
  readonly log: Log
  readonly isAlive: (process: number) => boolean
  readonly disk?: JournalDisk
}

/**
 * Lines are only appended. A torn last line is cut off before the next one is written. All work with the file is done in
 * one queue, so that no two operations overlap.
 */
export class JournalFile implements Journal {
  readonly conversation: string
  readonly #options: JournalFileOptions
  readonly #disk: JournalDisk
  readonly #lease: FileLease
  readonly #work = new Queue()
  readonly #followed = new Emitter<readonly ConversationEvent[]>()
  readonly #vacant = new Emitter<void>()
  readonly #troubleChanged = new Emitter<void>()
  #reader: JournalReader
  #isWriter = false
  /** It may stop to be the writer as soon as everything is written. */
  #isReleased = false
  /** False for a writer where the lease is impossible. */
  #hasLease = false
  #isClosed = false
  /** The events that wait to be written. */
  #pending: ConversationEvent[] = []
  /** A write of so many of them was tried: their lines stay as they are, as another window may have read some of them. */
  #triedCount = 0
  #mayBeTorn = false
  #trouble: JournalTrouble | undefined
  #out: FileHandle | undefined
  #cancelWrite: (() => void) | undefined
  #watcher: FSWatcher | undefined
  #stopPolling: (() => void) | undefined
  #wasHeld = false
  #damagedLines = 0

  constructor(options: JournalFileOptions) {
    this.conversation = options.conversation
    this.#options = options
    this.#disk = options.disk ?? { mkdir, open, rename, stat, truncate }
    this.#lease = new FileLease({
      path: `${options.path}.lock`,
      clock: options.clock,
      isAlive: options.isAlive,
      expiresMs: LEASE_EXPIRES_MS,
      renewMs: LEASE_RENEW_MS,
    })
    this.#reader = new JournalReader(options.conversation)
  }

  readonly onDidFollow: Event<readonly ConversationEvent[]> = this.#followed.event
  readonly onDidReleaseWriter: Event<void> = this.#vacant.event
  readonly onDidChangeTrouble: Event<void> = this.#troubleChanged.event

  get isWriter(): boolean {
    return this.#isWriter
  }

  get damagedLines(): number {
    return this.#damagedLines
  }

  get trouble(): JournalTrouble | undefined {
    return this.#trouble
  }

  async *load(signal: AbortSignal): AsyncGenerator<readonly ConversationEvent[], void, void> {
    try {
      yield* this.#eventsInFile(this.#reader, signal)
    } catch (fault) {
      throw isRefused(fault) ? new JournalAccessError(this.#options.path, fault) : fault
    }
    const { damagedLines, tornBytes } = this.#reader
    const { log, path } = this.#options
    if (damagedLines > 0 || tornBytes > 0)
      log.warn('A conversation was loaded without its damaged lines', { damagedLines, tornBytes, path })
    this.#damagedLines = damagedLines
    this.#follow()
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly ConversationEvent[], void, void> {
    await this.flush()
    for await (const events of this.#eventsInFile(new JournalReader(this.conversation), signal))
      yield events.filter(({ n }) => n >= from)
    yield this.#pending.filter(({ n }) => n >= from)
  }

  claim(): Promise<boolean> {
    return this.#work.add(async () => {
      this.#isReleased = false
      if (this.#isWriter) return true
      if (this.#isClosed) return false
      const attempt = await this.#lease.tryTake()
      this.#wasHeld = attempt === 'held'
      if (attempt === 'held') return false
      this.#hasLease = attempt === 'mine'
      await this.#catchUp()
      this.#stopFollowing()
      this.#isWriter = true
      this.#mayBeTorn = true
      await this.#write()
      return true
    })
  }

  release(): Promise<void> {
    return this.#work.add(async () => {
      if (!this.#isWriter) return
      this.#isReleased = true
      // Where that fails, this window stays the writer until it has succeeded.
      if (this.#pending.length > 0) await this.#write()
      else await this.#leaveToOthers()
    })
  }

  async append(event: ConversationEvent): Promise<void> {
    if (this.#isClosed) return
    if (!this.#isWriter) throw new NotWriterError(`Another window writes ${this.conversation}`)
    const last = this.#pending.length > this.#triedCount ? this.#pending.at(-1) : undefined
    const both = last && joinDeltas(last, event)
    if (both) this.#pending[this.#pending.length - 1] = both
    else this.#pending.push(event)
    if (mustBeOnDisk(event)) await this.flush()
    else this.#writeSoon()
  }

  flush(): Promise<void> {
    return this.#work.add(() => this.#write())
  }

  /** Removes the file, unless a window writes it: resolves with whether there is none any more. */
  remove(): Promise<boolean> {
    return this.#work.add(async () => {
      if (this.#isWriter || (await this.#lease.tryTake()) === 'held') return false
      try {
        await unlink(this.#options.path)
        return true
      } catch (fault) {
        return isMissing(fault)
      } finally {
        await this.#lease.release()
      }
    })
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#stopFollowing()
    return this.#work.add(async () => {
      await this.#write()
      this.#cancelWrite?.()
      await this.#leave()
    })
  }

  async #leaveToOthers(): Promise<void> {
    await this.#leave()
    if (!this.#isClosed) this.#follow()
  }

  async #leave(): Promise<void> {
    this.#isWriter = false
    this.#hasLease = false
    await this.#closeOut()
    await this.#lease.release()
  }

  #writeSoon(): void {
    this.#cancelWrite ??= this.#options.clock.later(this.#trouble ? RETRY_MS : PAUSE_MS, () => void this.flush())
  }

  async #write(): Promise<void> {
    this.#cancelWrite?.()
    this.#cancelWrite = undefined
    if (this.#pending.length === 0 || !this.#isWriter) return
    const batch = [...this.#pending]
    this.#triedCount = batch.length
    try {
      if (!(await this.#mayWrite())) return
      const out = await this.#prepared()
      await this.#writeBatch(out, batch)
      this.#pending.splice(0, batch.length)
      this.#triedCount = 0
      this.#report(undefined)
      if (this.#isReleased && this.#pending.length === 0) await this.#leaveToOthers()
    } catch (fault) {
      this.#mayBeTorn = true
      await this.#closeOut()
      this.#report(fault)
      if (!this.#isClosed) this.#writeSoon()
    }
  }

  /** A window that was suspended for long may have lost the lease; what it has to write waits until it has it again. */
  async #mayWrite(): Promise<boolean> {
    if (!this.#hasLease || (await this.#lease.isMine())) return true
    if ((await this.#lease.tryTake()) === 'held') {
      this.#report(new NotWriterError('Another window has become the writer'))
      await this.#leaveToOthers()
      return false
    }
    await this.#catchUp()
    return true
  }

  async #writeBatch(out: FileHandle, batch: readonly ConversationEvent[]): Promise<void> {
    const { goodBytes, lacksLineEnd } = this.#reader
    const lead = goodBytes === 0 ? headerLine(this.conversation) : lineEndIf(lacksLineEnd)
    const bytes = Buffer.from(lead + batch.map(eventLine).join(''))
    await out.appendFile(bytes)
    if (batch.some(mustBeOnDisk)) await out.datasync()
    if (goodBytes === 0) await this.#syncFolder()
    this.#reader.skip(bytes.length, batch.at(-1)?.n ?? 0)
  }

  /** The file, open for appending, ending with a complete line. */
  async #prepared(): Promise<FileHandle> {
    const { path } = this.#options
    await this.#disk.mkdir(dirname(path), { recursive: true })
    await this.#setForeignAside()
    if (this.#mayBeTorn) await this.#cutTail()
    this.#out ??= await this.#disk.open(path, 'a', 0o600)
    return this.#out
  }

  /** A file of that name in which there is no line of a journal is kept under another name. */
  async #setForeignAside(): Promise<void> {
    const { isJournal, goodBytes, tornBytes } = this.#reader
    if (isJournal || goodBytes + tornBytes <= headerLine(this.conversation).length) return
    const { path, clock, log } = this.#options
    const aside = `${path}.damaged-${new Date(clock.now()).toISOString().replaceAll(':', '-')}`
    await this.#disk.rename(path, aside)
    log.warn('A file that is no conversation was set aside', { aside })
    this.#reader = new JournalReader(this.conversation)
  }

  async #cutTail(): Promise<void> {
    const { path } = this.#options
    const size = await sizeOf(this.#disk, path)
    if (size > this.#reader.goodBytes) await this.#disk.truncate(path, this.#reader.goodBytes)
    this.#reader.dropTail()
    this.#mayBeTorn = false
  }

  /** So that the new file's name outlives a loss of power, where the system supports it. */
  async #syncFolder(): Promise<void> {
    try {
      const folder = await this.#disk.open(dirname(this.#options.path), 'r')
      await folder.sync().finally(() => folder.close())
    } catch {
      // Windows does not open folders; NTFS journals names itself.
    }
  }

  async #closeOut(): Promise<void> {
    const out = this.#out
    this.#out = undefined
    await out?.close().catch(() => {})
  }

  /** Reports the first failure of each kind, and the first success after it. */
  #report(fault: unknown): void {
    const trouble = fault === undefined ? undefined : troubleOf(fault)
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    const { log } = this.#options
    if (trouble) log.warn('The conversation cannot be kept', { fault: faultText(fault) })
    else log.info('The conversation is kept again')
    this.#troubleChanged.fire()
  }

  #follow(): void {
    if (this.#isClosed || this.#isWriter || this.#stopPolling) return
    this.#watch()
    this.#pollLater()
  }

  /** Where there is no file yet, or the system has no watcher left, the check each second is enough. */
  #watch(): void {
    try {
      this.#watcher = watch(this.#options.path, () => void this.#check())
      this.#watcher.on('error', () => this.#stopWatching())
      this.#watcher.unref()
    } catch {
      this.#watcher = undefined
    }
  }

  #pollLater(): void {
    this.#stopPolling = this.#options.clock.later(POLL_MS, () => {
      this.#pollLater()
      if (!this.#watcher) this.#watch()
      void this.#check()
    })
  }

  #check(): Promise<void> {
    return this.#work.add(async () => {
      if (this.#isWriter || this.#isClosed) return
      const isHeld = await this.#lease.isHeld()
      const hasGrown = await this.#catchUp()
      const hasFallenVacant = !isHeld && (this.#wasHeld || hasGrown)
      this.#wasHeld = isHeld
      if (hasFallenVacant) this.#vacant.fire()
      if (!isHeld && this.#pending.length > 0) void this.claim()
    })
  }

  #stopFollowing(): void {
    this.#stopPolling?.()
    this.#stopPolling = undefined
    this.#stopWatching()
  }

  #stopWatching(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }

  /** Reports what another window has appended; resolves with whether there was any. */
  async #catchUp(): Promise<boolean> {
    const { path, log } = this.#options
    const before = this.#reader.goodBytes
    try {
      if ((await sizeOf(this.#disk, path)) <= before) return false
      for await (const events of this.#eventsInFile(this.#reader)) if (events.length > 0) this.#followed.fire(events)
    } catch (fault) {
      log.warn('A conversation cannot be followed', { fault: faultText(fault) })
    }
    return this.#reader.goodBytes > before
  }

  /** Continues after the last complete line that the reader has, to the end of the file. */
  async *#eventsInFile(reader: JournalReader, signal?: AbortSignal) {
    reader.dropTail()
    const file = await openToRead(this.#disk, this.#options.path)
    if (!file) return
    try {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      let at = reader.goodBytes
      for (;;) {
        if (signal) throwIfAborted(signal)
        const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at)
        if (bytesRead === 0) break
        at += bytesRead
        yield reader.take(chunk.subarray(0, bytesRead))
      }
      yield reader.finish()
    } finally {
      await file.close()
    }
  }
}

const lineEndIf = (isLacking: boolean) => (isLacking ? '\n' : '')

async function openToRead(disk: JournalDisk, path: string): Promise<FileHandle | undefined> {
  try {
    return await disk.open(path, 'r')
  } catch (fault) {
    if (isMissing(fault)) return undefined
    throw fault
  }
}

async function sizeOf(disk: JournalDisk, path: string): Promise<number> {
  try {
    return (await disk.stat(path)).size
  } catch (fault) {
    if (isMissing(fault)) return 0
    throw fault
  }
}

/** No such file, or something on the way to it is no folder. */
function isMissing(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR')
}

/** The system lets this user not read or not write. */
function isRefused(fault: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(faultCode(fault) ?? '')
}

function troubleOf(fault: unknown): JournalTrouble {
  if (isRefused(fault)) return 'no access'
  return ['ENOSPC', 'EDQUOT'].includes(faultCode(fault) ?? '') ? 'no space' : 'unknown'
}
