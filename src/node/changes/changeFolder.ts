// `ChangeFolder`: keeps the contents and journals of changes as files in the extension's storage.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChangeStore } from '../../core/tools/changePorts.ts'
import { type ChangeRecord, changeRecord } from '../../protocol/changeRecord.ts'
import { parsedJson } from '../../protocol/json.ts'

const ENDING = '.jsonl'

/** Only this user may read the files, because they hold what the user's files held. */
export class ChangeFolder implements ChangeStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async keep(hash: string, content: string): Promise<void> {
    if ((await this.read(hash)) !== undefined) return
    const path = this.#blob(hash)
    const draft = `${path}.${randomUUID()}`
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    try {
      await written(await open(draft, 'wx', 0o600), content)
      await rename(draft, path)
    } catch (fault) {
      await unlink(draft).catch(() => {})
      throw fault
    }
  }

  async read(hash: string): Promise<string | undefined> {
    const content = await textOf(this.#blob(hash))
    return content !== undefined && createHash('sha256').update(content).digest('hex') === hash ? content : undefined
  }

  async conversations(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => [])
    return names.filter(name => name.endsWith(ENDING)).map(name => name.slice(0, -ENDING.length))
  }

  /** A line that was cut when its window ended is skipped. */
  async records(conversation: string): Promise<readonly ChangeRecord[]> {
    const text = (await textOf(this.#journal(conversation))) ?? ''
    return text.split('\n').flatMap(line => {
      const read = changeRecord.safeParse(parsedJson(line))
      return read.success ? [read.data] : []
    })
  }

  async append(conversation: string, record: ChangeRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    // The line end before it ends a line that was cut.
    await written(await open(this.#journal(conversation), 'a', 0o600), `\n${JSON.stringify(record)}`)
  }

  #blob(hash: string): string {
    return join(this.#folder, 'blobs', hash.slice(0, 2), hash)
  }

  /** The id is ours; what is no letter, digit or dash is left out all the same. */
  #journal(conversation: string): string {
    return join(this.#folder, `${conversation.replaceAll(/[^\w-]/g, '')}${ENDING}`)
  }
}

async function written(file: FileHandle, text: string): Promise<void> {
  try {
    await file.appendFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}
