// `SystemFiles`: the user's files on the disk, which no editor has open: read and written byte for byte, or left alone.
import { constants } from 'node:fs'
import { type FileHandle, link, lstat, mkdir, open, realpath, rename, rmdir, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import type {
  DiskFiles,
  FileImage,
  NoText,
  PresentText,
  WriteOptions,
  WriteResult,
} from '../../core/tools/changePorts.ts'
import { textWithLineFeeds } from '../../core/workspace/lineEnds.ts'
import { withOwnLineEnds } from '../../core/workspace/ownLineEnds.ts'

/** Encodings by the names that the editor has for them. */
export type MarkedEncoding = 'utf8' | 'utf16le' | 'utf16be'

/** The editor's encodings. Bytes come without their byte order mark, and with the encoding that it names. */
export interface TextCodec {
  decode(bytes: Uint8Array, uri: string, marked: MarkedEncoding | undefined): Promise<string>
  encode(text: string, uri: string, marked: MarkedEncoding | undefined): Promise<Uint8Array>
}

export interface SystemFilesOptions {
  /** The path of a file on the disk; undefined for another one. */
  pathOf(uri: string): string | undefined
  readonly codec: TextCodec
}

const MOST_BYTES = 5_000_000
const MOST_LINE_CHARS = 1_000_000
const HEAD_CHARS = 8_192
/** What was left by a process that has ended is removed after this time. */
const DRAFT_AGE_MS = 10_000
const BUSY_TRIES = 5
const BUSY_PAUSE_MS = 50

interface OpenFile {
  readonly path: string
  readonly image: FileImage
  readonly identity: string
  readonly linkCount: number
  readonly owner: string
}

/** A text with what is needed to write it back as it was. */
interface DecodedFile extends OpenFile {
  readonly mark: Mark
  readonly raw: string
  readonly text: string
}

interface Mark {
  readonly bytes: Uint8Array
  readonly encoding: MarkedEncoding | undefined
}

type NoFile = Exclude<NoText['is'], 'unsaved notebook'>

export class SystemFiles implements DiskFiles {
  readonly #options: SystemFilesOptions

  constructor(options: SystemFilesOptions) {
    this.#options = options
  }

  async read(uri: string): Promise<PresentText | NoText> {
    const file = await this.#decoded(uri)
    if (typeof file === 'string') return { is: file }
    if (mayNobodyWrite(file.image.mode)) return { is: 'read-only' }
    return { is: 'text', text: file.text, version: 0, editSince: () => undefined }
  }

  async write(uri: string, expected: string, text: string, { image }: WriteOptions = {}): Promise<WriteResult> {
    const file = await this.#decoded(uri)
    if (typeof file === 'string' || file.text !== expected) return 'changed meanwhile'
    const bytes = image && (await this.#isOf(uri, image, text)) ? image.bytes : await this.#encoded(uri, file, text)
    if (!bytes) return 'not encodable'
    return outcome(() => replaced(file, bytes, image?.mode ?? file.image.mode))
  }

  async create(uri: string, text: string, image?: FileImage): Promise<WriteResult> {
    const path = this.#options.pathOf(uri)
    if (path === undefined) return 'failed'
    const isSame = image && (await this.#isOf(uri, image, text))
    const bytes = isSame ? image.bytes : await this.#options.codec.encode(text, uri, undefined)
    return outcome(async () => {
      await mkdir(dirname(path), { recursive: true })
      return created(path, bytes, image?.mode)
    })
  }

  async remove(uri: string, expected: string): Promise<WriteResult> {
    const file = await this.#decoded(uri)
    if (typeof file === 'string' || file.text !== expected) return 'changed meanwhile'
    return outcome(async () => {
      if (!(await isSame(file))) return 'changed meanwhile'
      await unlink(this.#options.pathOf(uri) ?? file.path)
      return 'written'
    })
  }

  async rename(from: string, to: string): Promise<WriteResult> {
    const [path, target] = [this.#options.pathOf(from), this.#options.pathOf(to)]
    if (path === undefined || target === undefined) return 'failed'
    return outcome(async () => {
      await mkdir(dirname(target), { recursive: true })
      if (await isThere(target)) return 'changed meanwhile'
      await rename(path, target)
      await synced(dirname(target))
      return 'written'
    })
  }

  async save(_uri: string): Promise<boolean> {
    return true
  }

  async reloaded(_uri: string): Promise<void> {}

  async tidy(uri: string): Promise<void> {
    const path = this.#options.pathOf(uri)
    if (path !== undefined) await withoutOldDraft(draftOf(await realpath(path).catch(() => path)))
  }

  async canEncode(uri: string, text: string): Promise<boolean> {
    const file = await this.#decoded(uri)
    return typeof file === 'string' || (await this.#encoded(uri, file, text)) !== undefined
  }

  async isReadOnly(uri: string): Promise<boolean> {
    const path = this.#options.pathOf(uri)
    if (path === undefined || process.platform === 'win32') return false
    return stat(path).then(
      ({ mode }) => mayNobodyWrite(mode),
      () => false,
    )
  }

  async image(uri: string): Promise<FileImage | undefined> {
    const file = await this.#opened(uri)
    return typeof file === 'string' ? undefined : file.image
  }

  async torn(uri: string, before: Uint8Array, after: string | Uint8Array): Promise<FileImage | undefined> {
    const file = await this.#opened(uri)
    if (typeof file === 'string') return undefined
    const decoded = typeof after === 'string' ? await this.#textOf(uri, before) : undefined
    const wanted = typeof after === 'string' ? decoded && (await this.#encoded(uri, decoded, after)) : after
    return wanted && isTorn(file.image.bytes, before, wanted) ? file.image : undefined
  }

  async textIn(uri: string, bytes: Uint8Array): Promise<string | undefined> {
    const decoded = await this.#textOf(uri, bytes)
    if (!decoded || decoded.raw.slice(0, HEAD_CHARS).includes('\0')) return undefined
    const text = textWithLineFeeds(decoded.raw)
    return hasLongLine(text) ? undefined : text
  }

  async putBack(uri: string, expected: Uint8Array | null, image: FileImage | null): Promise<WriteResult> {
    const file = await this.#opened(uri)
    const path = this.#options.pathOf(uri)
    if (path === undefined || file === 'no text' || file === 'read-only') return 'failed'
    return outcome(async () => {
      if (file === 'missing') {
        if (expected !== null) return 'changed meanwhile'
        if (!image) return 'written'
        await mkdir(dirname(path), { recursive: true })
        return created(path, image.bytes, image.mode)
      }
      if (expected === null || !Buffer.from(expected).equals(file.image.bytes)) return 'changed meanwhile'
      if (image) return replaced(file, image.bytes, image.mode ?? file.image.mode)
      if (!(await isSame(file))) return 'changed meanwhile'
      await unlink(path)
      return 'written'
    })
  }

  async missingFolders(uri: string): Promise<number> {
    const path = this.#options.pathOf(uri)
    let count = 0
    for (let at = path && dirname(path); at !== undefined && !(await isThere(at)); at = dirname(at)) count++
    return count
  }

  async removeFolder(uri: string): Promise<void> {
    const path = this.#options.pathOf(uri)
    if (path !== undefined) await rmdir(path).catch(() => {})
  }

  async #isOf(uri: string, { bytes }: FileImage, text: string): Promise<boolean> {
    const decoded = await this.#textOf(uri, bytes)
    return decoded !== undefined && textWithLineFeeds(decoded.raw) === text
  }

  async #encoded(
    uri: string,
    { mark, raw }: Pick<DecodedFile, 'mark' | 'raw'>,
    text: string,
  ): Promise<Uint8Array | undefined> {
    const { codec } = this.#options
    const wanted = withOwnLineEnds(raw, text)
    const bytes = await codec.encode(wanted, uri, mark.encoding)
    const isWhole = (await codec.decode(bytes, uri, mark.encoding)) === wanted
    return isWhole ? Buffer.concat([mark.bytes, bytes]) : undefined
  }

  async #decoded(uri: string): Promise<DecodedFile | NoFile> {
    const file = await this.#opened(uri)
    if (typeof file === 'string') return file
    const decoded = await this.#textOf(uri, file.image.bytes)
    if (!decoded || decoded.raw.slice(0, HEAD_CHARS).includes('\0')) return 'no text'
    const text = textWithLineFeeds(decoded.raw)
    return hasLongLine(text) ? 'no text' : { ...file, ...decoded, text }
  }

  /** Undefined where other bytes would come of it: it is no text of this encoding. */
  async #textOf(uri: string, bytes: Uint8Array): Promise<{ mark: Mark; raw: string } | undefined> {
    const { codec } = this.#options
    const mark = markOf(bytes)
    const rest = bytes.subarray(mark.bytes.length)
    try {
      const raw = await codec.decode(rest, uri, mark.encoding)
      return Buffer.from(await codec.encode(raw, uri, mark.encoding)).equals(rest) ? { mark, raw } : undefined
    } catch {
      return undefined
    }
  }

  async #opened(uri: string): Promise<OpenFile | NoFile> {
    const named = this.#options.pathOf(uri)
    if (named === undefined) return 'no text'
    let handle: FileHandle | undefined
    try {
      const path = await realpath(named)
      const kind = await lstat(path)
      if (!kind.isFile() || kind.size > MOST_BYTES) return 'no text'
      handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
      const stats = await handle.stat({ bigint: true })
      const bytes = await handle.readFile()
      const identity = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`
      const mode = process.platform === 'win32' ? undefined : Number(stats.mode) & 0o7777
      return {
        path,
        image: { bytes, mode },
        identity,
        linkCount: Number(stats.nlink),
        owner: `${stats.uid}:${stats.gid}`,
      }
    } catch (fault) {
      return codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR' ? 'missing' : 'no text'
    } finally {
      await handle?.close()
    }
  }
}

/** Also where the user may write all the same, as the administrator may. */
const mayNobodyWrite = (mode = 0o200) => (mode & 0o222) === 0

const codeOf = (fault: unknown) => (fault instanceof Error && 'code' in fault ? String(fault.code) : '')

async function outcome(work: () => Promise<WriteResult>): Promise<WriteResult> {
  try {
    return await work()
  } catch (fault) {
    const code = codeOf(fault)
    if (code === 'EEXIST') return 'changed meanwhile'
    return ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ETXTBSY'].includes(code) ? 'read-only' : 'failed'
  }
}

function markOf(bytes: Uint8Array): Mark {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { bytes: bytes.subarray(0, 3), encoding: 'utf8' }
  if (a === 0xff && b === 0xfe) return { bytes: bytes.subarray(0, 2), encoding: 'utf16le' }
  if (a === 0xfe && b === 0xff) return { bytes: bytes.subarray(0, 2), encoding: 'utf16be' }
  return { bytes: bytes.subarray(0, 0), encoding: undefined }
}

function hasLongLine(text: string): boolean {
  if (text.length <= MOST_LINE_CHARS) return false
  for (let start = 0; ; ) {
    const end = text.indexOf('\n', start)
    if ((end < 0 ? text.length : end) - start > MOST_LINE_CHARS) return true
    if (end < 0) return false
    start = end + 1
  }
}

/** Nobody has put another file there, or written into it. */
async function isSame({ path, identity }: OpenFile): Promise<boolean> {
  const { dev, ino, size, mtimeNs } = await lstat(path, { bigint: true })
  return `${dev}:${ino}:${size}:${mtimeNs}` === identity
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return false
    throw fault
  }
}

/** One name for each file, so that what a process has left is found by the next. */
const draftOf = (path: string) => join(dirname(path), `.${basename(path)}.kourier-draft`)

async function replaced(file: OpenFile, bytes: Uint8Array, mode: number | undefined): Promise<WriteResult> {
  if (file.linkCount > 1) return overwritten(file, bytes, mode)
  const draft = draftOf(file.path)
  try {
    if (!(await drafted(draft, bytes, mode, file.owner))) return await overwritten(file, bytes, mode)
    if (!(await isSame(file))) return 'changed meanwhile'
    await renamed(draft, file.path)
    await synced(dirname(file.path))
    return 'written'
  } finally {
    await unlink(draft).catch(() => {})
  }
}

/**
 * In place: for a file with several names, and in a folder that may not be written. A process that ends in the middle of it
 * leaves a file of which `isTorn` holds.
 */
async function overwritten(file: OpenFile, bytes: Uint8Array, mode: number | undefined): Promise<WriteResult> {
  const { bytes: before, mode: modeBefore } = file.image
  const handle = await open(file.path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    if (!(await isSame(file))) return 'changed meanwhile'
    try {
      // Only what makes it longer may find no room, so it comes first.
      await writeAt(handle, bytes.subarray(before.length), before.length)
      await writeAt(handle, bytes.subarray(0, before.length), 0)
      await handle.truncate(bytes.length)
      if (mode !== undefined && mode !== modeBefore) await handle.chmod(mode)
      await handle.sync()
      return 'written'
    } catch (fault) {
      await handle.truncate(before.length)
      await writeAt(handle, before, 0)
      await handle.sync()
      throw fault
    }
  } finally {
    await handle.close()
  }
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await handle.write(bytes, at, bytes.length - at, position + at)).bytesWritten
}

/** The first bytes of `after` are there, and behind them none, or those that `overwritten` had not come to. */
function isTorn(now: Uint8Array, before: Uint8Array, after: Uint8Array): boolean {
  const isSameAs = (other: Uint8Array, start: number, end: number) =>
    Buffer.compare(now.subarray(start, end), other.subarray(start, end)) === 0
  if ([before, after].some(one => one.length === now.length && isSameAs(one, 0, now.length))) return false
  let at = 0
  while (at < now.length && now[at] === after[at]) at++
  if (at === now.length) return true
  return (
    now.length >= before.length && isSameAs(before, at, before.length) && isSameAs(after, before.length, now.length)
  )
}

async function created(path: string, bytes: Uint8Array, mode: number | undefined): Promise<WriteResult> {
  const draft = draftOf(path)
  try {
    await drafted(draft, bytes, mode)
    try {
      await link(draft, path)
    } catch (fault) {
      // Where the file system knows no second names.
      if (codeOf(fault) === 'EEXIST' || (await isThere(path))) return 'changed meanwhile'
      await rename(draft, path)
    }
    await synced(dirname(path))
    return 'written'
  } finally {
    await unlink(draft).catch(() => {})
  }
}

/** False where no file can be made in the folder, or none that belongs to the same user. */
async function drafted(draft: string, bytes: Uint8Array, mode: number | undefined, owner?: string): Promise<boolean> {
  await withoutOldDraft(draft)
  let handle: FileHandle
  try {
    handle = await open(draft, 'wx', mode === undefined ? 0o666 : 0o600)
  } catch (fault) {
    if (owner !== undefined && ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(fault))) return false
    throw fault
  }
  try {
    await handle.writeFile(bytes)
    const { uid, gid } = await handle.stat()
    if (owner !== undefined && process.platform !== 'win32' && owner !== `${uid}:${gid}`) {
      const [wantedUser, wantedGroup] = owner.split(':').map(Number)
      if (
        !(await handle.chown(wantedUser ?? uid, wantedGroup ?? gid).then(
          () => true,
          () => false,
        ))
      )
        return false
    }
    if (mode !== undefined) await handle.chmod(mode)
    await handle.sync()
    return true
  } finally {
    await handle.close()
  }
}

async function withoutOldDraft(draft: string): Promise<void> {
  try {
    const { mtimeMs } = await lstat(draft)
    if (Date.now() - mtimeMs > DRAFT_AGE_MS) await unlink(draft)
  } catch {
    // There is none.
  }
}

/** Windows refuses to replace a file that another process has open, which it has only briefly. */
async function renamed(from: string, to: string): Promise<void> {
  for (let left = BUSY_TRIES; ; left--) {
    try {
      return await rename(from, to)
    } catch (fault) {
      if (process.platform !== 'win32' || left === 0 || !['EPERM', 'EBUSY', 'EACCES'].includes(codeOf(fault)))
        throw fault
    }
    await new Promise(resolve => setTimeout(resolve, BUSY_PAUSE_MS))
  }
}

async function synced(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle
    .sync()
    .catch(() => {})
    .finally(() => handle.close())
}
