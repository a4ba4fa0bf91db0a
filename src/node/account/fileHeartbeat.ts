// Signs of life: a file that a window writes anew while it lives, by which others tell it from a process with its number.
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { HEARTBEAT_MS, type Heartbeat } from '../../core/account/attempts.ts'

/** A folder that cannot be written costs others the knowledge and nobody anything else. */
export class FileHeartbeat implements Heartbeat {
  readonly #folder: string
  readonly #clock: Clock
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  /** Beats from now on; returns how to stop. What was written stays until `forget`. */
  begin(id: string): () => void {
    let isOver = false
    let stop = () => {}
    const beat = (count: number) => {
      const next = () => {
        if (!isOver) stop = this.#clock.later(HEARTBEAT_MS, () => beat(count + 1))
      }
      this.#writing = this.#write(id, String(count)).catch(() => {})
      void this.#writing.then(next)
    }
    beat(1)
    return () => {
      isOver = true
      stop()
    }
  }

  /** Says something else after each beat; undefined where there is nothing to read. */
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
