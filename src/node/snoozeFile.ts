// `SnoozeFile`: until when completions are snoozed, in a file that all windows read, also one that is reloaded at once.
import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { Emitter, type Event } from '../base/event.ts'
import { Queue } from '../base/singleFlight.ts'
import type { SnoozeMemory } from '../core/complete/snooze.ts'
import { countOf, objectOf, parsedJson } from '../protocol/json.ts'
import { FolderWatch } from './files/folderWatch.ts'
import { writeWhole } from './files/writeWhole.ts'

/** A file that is missing or broken reads as no snooze; where it cannot be written, each window has its own. */
export class SnoozeFile implements SnoozeMemory, Disposable {
  readonly #file: string
  readonly #clock: Clock
  readonly #changed = new Emitter<void>()
  /** What is read and written, in the order in which it was wanted. */
  readonly #steps = new Queue()
  readonly #watch: FolderWatch
  #text = ''

  constructor(file: string, clock: Clock) {
    this.#file = file
    this.#clock = clock
    this.#watch = new FolderWatch(dirname(file), clock, () => void this.#look())
    void this.#watch.start()
  }

  /** Another window has written the file. */
  readonly onDidChange: Event<void> = this.#changed.event

  recall(): Promise<number | undefined> {
    return this.#steps.add(async () => untilIn(await this.#read()))
  }

  async keep(until: number | undefined): Promise<void> {
    await this.#steps.add(async () => {
      const text = until === undefined ? '' : JSON.stringify({ until })
      const written = text === '' ? rm(this.#file, { force: true }) : writeWhole(this.#clock, this.#file, text)
      await written.then(
        () => {
          this.#text = text
        },
        () => {},
      )
    })
  }

  async #look(): Promise<void> {
    const isNew = await this.#steps.add(async () => {
      const before = this.#text
      return (await this.#read()) !== before
    })
    if (isNew) this.#changed.fire()
  }

  async #read(): Promise<string> {
    this.#text = await readFile(this.#file, 'utf8').catch(() => '')
    return this.#text
  }

  dispose(): void {
    this.#watch.dispose()
    this.#changed.dispose()
  }
}

const untilIn = (text: string) => countOf(objectOf(parsedJson(text))?.['until'])
