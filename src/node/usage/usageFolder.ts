// `UsageFolder`: the figures of completions on the disk, a small file for each day and window, for 90 days.
import { readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { countsIn } from '../../core/complete/completionFigures.ts'
import { type DayFigures, dayOf, type UsageStore } from '../../core/complete/usageRecorder.ts'
import { parsedJson } from '../../protocol/json.ts'
import { writeWhole } from '../files/writeWhole.ts'

const KEPT_MS = 90 * 24 * 60 * 60_000
const fileName = /^(\d{4}-\d{2}-\d{2})\.[0-9a-f-]+\.json$/

export class UsageFolder implements UsageStore {
  readonly #folder: string
  readonly #clock: Clock
  /** No other window writes its files. */
  readonly #window = crypto.randomUUID()

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  async write({ day, counts }: DayFigures): Promise<void> {
    await writeWhole(this.#clock, join(this.#folder, `${day}.${this.#window}.json`), JSON.stringify(counts))
  }

  /** What cannot be read is left out; what is too old is removed. */
  async read(): Promise<readonly DayFigures[]> {
    const oldest = dayOf(this.#clock.now() - KEPT_MS)
    const names = await readdir(this.#folder).catch(() => [])
    const read = names.map(async name => {
      const [, day] = fileName.exec(name) ?? []
      const path = join(this.#folder, name)
      if (day === undefined) return []
      if (day < oldest) return unlink(path).then(none, none)
      const text = await readFile(path, 'utf8').catch(() => '')
      return [{ day, counts: countsIn(parsedJson(text)) }]
    })
    return (await Promise.all(read)).flat()
  }
}

const none = (): DayFigures[] => []
