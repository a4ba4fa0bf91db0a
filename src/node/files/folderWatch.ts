// `FolderWatch`: reports that files of a folder may have changed, by which windows notice what others write.
import { type FSWatcher, watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'

/** How often to look, because file watching is not reliable. Other windows must follow within two seconds. */
const POLL_MS = 1_000

export class FolderWatch implements Disposable {
  readonly #folder: string
  readonly #clock: Clock
  readonly #onChange: () => void
  #watcher: FSWatcher | undefined
  #cancelPoll: () => void = () => {}
  #isOver = false

  constructor(folder: string, clock: Clock, onChange: () => void) {
    this.#folder = folder
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Makes the folder where there is none. Resolves with why the system does not watch it, so that it is only polled. */
  async start(): Promise<unknown> {
    await mkdir(this.#folder, { recursive: true }).catch(() => {})
    if (this.#isOver) return undefined
    this.#schedulePoll()
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, () => this.#onChange())
      this.#watcher.on('error', () => this.#watcher?.close())
      return undefined
    } catch (fault) {
      return fault
    }
  }

  #schedulePoll(): void {
    this.#cancelPoll = this.#clock.later(POLL_MS, () => {
      this.#onChange()
      this.#schedulePoll()
    })
  }

  dispose(): void {
    this.#isOver = true
    this.#cancelPoll()
    this.#watcher?.close()
  }
}
