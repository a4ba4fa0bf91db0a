// AttemptStore in files: one for each sign-in under way on this machine.
import { readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { AttemptStore } from '../../core/account/attempts.ts'
import type { AttemptRecord } from '../../protocol/stored.ts'
import { writeWhole } from '../files/writeWhole.ts'

const EXTENSION = '.json'

/** A folder that cannot be written does not prevent the sign-in; the next window then does not learn of it. */
export class AttemptFiles implements AttemptStore {
  readonly #folder: string
  readonly #clock: Clock

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  /** Skips files that cannot be read or have another form. */
  async all(): Promise<readonly AttemptRecord[]> {
    const files = (await readdir(this.#folder).catch(() => [])).filter(name => name.endsWith(EXTENSION))
    const records = await Promise.all(
      files.map(name => readFile(join(this.#folder, name), 'utf8').then(recordIn, () => [])),
    )
    return records.flat()
  }

  async write(record: AttemptRecord): Promise<void> {
    await writeWhole(this.#clock, this.#fileOf(record.attempt), JSON.stringify(record)).catch(() => {})
  }

  /** Only one window can delete the file, so only one resolves with true. */
  take(attempt: string): Promise<boolean> {
    return unlink(this.#fileOf(attempt)).then(
      () => true,
      () => false,
    )
  }

  #fileOf(attempt: string): string {
    return join(this.#folder, `${encodeURIComponent(attempt)}${EXTENSION}`)
  }
}

async function recordIn(text: string): Promise<readonly AttemptRecord[]> {
  const { storedAttempt } = await import('../../protocol/stored.ts')
  try {
    return [storedAttempt.parse(JSON.parse(text))]
  } catch {
    return []
  }
}
