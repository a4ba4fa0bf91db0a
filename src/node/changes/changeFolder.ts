// `ChangeFolder`: keeps the contents and journals of changes as files in the extension's storage.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import type { ChangeStore } from '../../core/tools/changePorts.ts'
import type { SeenRecord, SeenStore } from '../../core/tools/seenFiles.ts'
import { type ChangeRecord, changeRecord } from '../../protocol/changeRecord.ts'
import { parsedJson } from '../../protocol/json.ts'

const ENDING = '.jsonl'
const SEEN_ENDING = '.seen'
const LINE_END = 0x0a
const DAY_MS = 24 * 3_600_000
/** How long a content stays that nothing names; longer than it takes to write the record that does. */
const UNNAMED_MS = DAY_MS
/** How long a content stays that was only seen. */
const SEEN_MS = 30 * DAY_MS

const seenRecord = z.object({
  uri: z.string(),
  hash: z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  shown: z.optional(z.array(z.tuple([z.int(), z.int()]))),
})

/** Only this user may read the files, because they hold what the user's files held. */
export class ChangeFolder implements ChangeStore, SeenStore {
  readonly #folder: string
  readonly #read = new Map<string, ReadJournal>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async keep(hash: string, content: string | Uint8Array): Promise<void> {
    const path = this.#blob(hash)
    if ((await this.readBytes(hash)) !== undefined) return touch(path)
    const draft = `${path}.${randomUUID()}`
    try {
      await written(await opened(draft, 'wx'), content)
      await rename(draft, path)
    } catch (fault) {
      await unlink(draft).catch(() => {})
      throw fault
    }
  }

  async read(hash: string): Promise<string | undefined> {
    return (await this.readBytes(hash))?.toString('utf8')
  }

  async readBytes(hash: string): Promise<Buffer | undefined> {
    const content = await bytesOf(this.#blob(hash))
    return content && createHash('sha256').update(content).digest('hex') === hash ? content : undefined
  }

  async conversations(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => [])
    return names.filter(name => name.endsWith(ENDING)).map(name => name.slice(0, -ENDING.length))
  }

  /** A line that was cut when its window ended is skipped. What was read before is not read again. */
  async records(conversation: string): Promise<readonly ChangeRecord[]> {
    const known = this.#read.get(conversation) ?? { sizeBytes: 0, records: [] }
    const { from, bytes } = await bytesAfter(this.#file(conversation, ENDING), known.sizeBytes)
    const before = from === 0 ? [] : known.records
    const read = lines(bytes.toString('utf8'), changeRecord)
    const records = read.length === 0 ? before : [...before, ...read]
    this.#read.set(conversation, { sizeBytes: from + wholeBytes(bytes), records })
    return records
  }

  append(conversation: string, ...records: readonly ChangeRecord[]): Promise<void> {
    return this.#appendLines(this.#file(conversation, ENDING), records)
  }

  async seen(conversation: string): Promise<readonly SeenRecord[]> {
    return lines(await textOf(this.#file(conversation, SEEN_ENDING)), seenRecord)
  }

  addSeen(conversation: string, record: SeenRecord): Promise<void> {
    return this.#appendLines(this.#file(conversation, SEEN_ENDING), [record])
  }

  /** Removes the journals of all other conversations, and what was seen in them. */
  async keepOnly(conversations: ReadonlySet<string>): Promise<void> {
    const kept = new Set([...conversations].flatMap(id => [ENDING, SEEN_ENDING].map(ending => this.#file(id, ending))))
    const gone = (await this.#lists(ENDING, SEEN_ENDING)).filter(path => !kept.has(path))
    await Promise.all(gone.map(path => rm(path, { force: true })))
  }

  /** Removes the contents that no conversation needs any more. Rejects, and removes none, where not all can be read. */
  async removeUnused(now: number): Promise<void> {
    const [changed, seen] = [await this.#namedIn(ENDING), await this.#namedIn(SEEN_ENDING)]
    const folder = join(this.#folder, 'blobs')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const { name, parentPath } of entries.filter(entry => entry.isFile() && !changed.has(entry.name))) {
      const path = join(parentPath, name)
      const age = now - (await stat(path)).mtimeMs
      if (age > (seen.has(name) ? SEEN_MS : UNNAMED_MS)) await rm(path, { force: true })
    }
  }

  async #namedIn(ending: string): Promise<ReadonlySet<string>> {
    const texts = await Promise.all((await this.#lists(ending)).map(path => readFile(path, 'utf8')))
    return new Set(texts.flatMap(text => text.match(/\b[0-9a-f]{64}\b/g) ?? []))
  }

  async #lists(...endings: readonly string[]): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => [])
    return names.filter(name => endings.some(ending => name.endsWith(ending))).map(name => join(this.#folder, name))
  }

  async #appendLines(path: string, records: readonly object[]): Promise<void> {
    // The line end before it ends a line that was cut.
    await written(await opened(path, 'a'), records.map(record => `\n${JSON.stringify(record)}`).join(''))
  }

  #blob(hash: string): string {
    return join(this.#folder, 'blobs', hash.slice(0, 2), hash)
  }

  /** The id is ours; what is no letter, digit or dash is left out all the same. */
  #file(conversation: string, ending: string): string {
    return join(this.#folder, `${conversation.replaceAll(/[^\w-]/g, '')}${ending}`)
  }
}

/** `sizeBytes`: of the part of the file that `records` was read from. */
interface ReadJournal {
  readonly sizeBytes: number
  readonly records: readonly ChangeRecord[]
}

/** The rest of the file, or all of it where it is shorter than that. */
async function bytesAfter(path: string, sizeBytes: number): Promise<{ readonly from: number; readonly bytes: Buffer }> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { size } = await file.stat()
    const from = size < sizeBytes ? 0 : sizeBytes
    const bytes = Buffer.alloc(size - from)
    const { bytesRead } = bytes.length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, bytes.length, from)
    return { from, bytes: bytes.subarray(0, bytesRead) }
  } catch {
    return { from: 0, bytes: Buffer.alloc(0) }
  } finally {
    await file?.close()
  }
}

/** Without a last line that another window may be writing. */
function wholeBytes(bytes: Buffer): number {
  const last = bytes.lastIndexOf(LINE_END) + 1
  return parsedJson(bytes.toString('utf8', last)) === undefined ? last : bytes.length
}

/** The folder is made where there is none. */
async function opened(path: string, flags: 'a' | 'wx'): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600)
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'ENOENT')) throw fault
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return open(path, flags, 0o600)
  }
}

/** So that its age counts from now. */
async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now)
}

function lines<T>(text: string | undefined, schema: z.ZodMiniType<T>): T[] {
  return (text ?? '').split('\n').flatMap(line => {
    const read = schema.safeParse(parsedJson(line))
    return read.success ? [read.data] : []
  })
}

async function written(file: FileHandle, content: string | Uint8Array): Promise<void> {
  try {
    await file.appendFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return (await bytesOf(path))?.toString('utf8')
}

async function bytesOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch {
    return undefined
  }
}
