// Sign-ins under way on this machine: a file for each, by which a later window hears of one that was cut off.
import { readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { AttemptStore } from '../../core/account/attempts.ts'
import { type AttemptNote, storedAttempt } from '../../protocol/stored.ts'
import { writeWhole } from '../files/writeWhole.ts'

const ENDING = '.json'

/** A folder that cannot be written costs the next window the knowledge, and nobody the sign-in. */
export class AttemptFiles implements AttemptStore {
  readonly #folder: string
  readonly #clock: Clock

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
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
    await writeWhole(this.#clock, this.#fileOf(note.attempt), JSON.stringify(note)).catch(() => {})
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
