// `UsageRecorder`: adds up the figures of the completions of this window by day, and has them kept.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { type FigureCounts, noFigures, sumOf } from './completionFigures.ts'

/** `day`: in local time, such as `2026-01-31`. */
export interface DayFigures {
  readonly day: string
  readonly counts: FigureCounts
}

export interface UsageStore {
  /** Those of every window. */
  read(): Promise<readonly DayFigures[]>
  /** In place of what this window has kept for the day. */
  write(figures: DayFigures): Promise<void>
}

const KEEP_AFTER_MS = 10_000

export class UsageRecorder implements Disposable {
  readonly #store: UsageStore
  readonly #clock: Clock
  #today: DayFigures | undefined
  #cancel: (() => void) | undefined

  constructor(store: UsageStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  readonly add = (counts: Partial<FigureCounts>): void => {
    const day = dayOf(this.#clock.now())
    if (this.#today?.day !== day) void this.kept()
    const before = this.#today?.day === day ? this.#today.counts : noFigures
    this.#today = { day, counts: sumOf([before, { ...noFigures, ...counts }]) }
    this.#cancel ??= this.#clock.later(KEEP_AFTER_MS, () => void this.kept())
  }

  /** Keeps what was added. What cannot be written is not worth a word. */
  async kept(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#today) await this.#store.write(this.#today).catch(() => {})
  }

  async read(): Promise<readonly DayFigures[]> {
    await this.kept()
    return this.#store.read()
  }

  dispose(): void {
    void this.kept()
  }
}

export function dayOf(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
