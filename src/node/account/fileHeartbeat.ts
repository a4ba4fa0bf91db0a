// Heartbeat in a file: a counter that the window increments at each interval.
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { HEARTBEAT_MS, type Heartbeat } from '../../core/account/attempts.ts'

/** A folder that cannot be written causes no fault; other windows then see no heartbeat. */
export class FileHeartbeat implements Heartbeat {
  readonly #folder: string
  readonly #clock: Clock
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  begin(id: string): () => void {
    let isOver = false
    let cancelTimer = () => {}
    const writeCount = (count: number) => {
      const scheduleNext = () => {
        if (!isOver) cancelTimer = this.#clock.later(HEARTBEAT_MS, () => writeCount(count + 1))
      }
      this.#writing = this.#write(id, String(count)).catch(() => {})
      void this.#writing.then(scheduleNext)
    }
    writeCount(1)
    return () => {
      isOver = true
      cancelTimer()
    }
  }

  async last(id: string): Promise<string | undefined> {
    const text = await readFile(this.#fileOf(id), 'utf8').catch(() => '')
    // A file that is being written is empty for a moment.
    return text || undefined
  }

  async forget(id: string): Promise<void> {
    await this.#writing
    await unlink(this.#fileOf(id)).catch(() => {})
  }

  async #write(id: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    await writeFile(this.#fileOf(id), text, { mode: 0o600 })
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${encodeURIComponent(id)}.pulse`)
  }
}
