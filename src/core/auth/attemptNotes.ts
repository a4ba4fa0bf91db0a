// Sign-ins under way on this machine: a file for each, by which a later window hears of one that was cut off.
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AttemptNote, storedAttempt } from '../../protocol/stored.ts'

const ENDING = '.json'

/** A folder that cannot be written costs the next window the knowledge, and nobody the sign-in. */
export class AttemptNotes {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** A file that cannot be read, or is of another time, is none. */
  async all(): Promise<readonly AttemptNote[]> {
    const files = (await readdir(this.#folder).catch(() => [])).filter(name => name.endsWith(ENDING))
    const notes = await Promise.all(
      files.map(name => readFile(join(this.#folder, name), 'utf8').then(noteIn, () => [])),
    )
    return notes.flat()
  }

  async write(note: AttemptNote): Promise<void> {
    const file = this.#fileOf(note.attempt)
    const half = `${file}.${crypto.randomUUID()}`
    try {
      await mkdir(this.#folder, { recursive: true })
      // Whole or not at all: another window may read at any moment.
      await writeFile(half, JSON.stringify(note), { mode: 0o600 })
      await rename(half, file)
    } catch {
      await unlink(half).catch(() => {})
    }
  }

  /** Takes it away; true for one window only, whoever else tries. */
  take(attempt: string): Promise<boolean> {
    return unlink(this.#fileOf(attempt)).then(
      () => true,
      () => false,
    )
  }

  #fileOf(attempt: string): string {
    return join(this.#folder, `${encodeURIComponent(attempt)}${ENDING}`)
  }
}

function noteIn(text: string): readonly AttemptNote[] {
  try {
    return [storedAttempt.parse(JSON.parse(text))]
  } catch {
    return []
  }
}
