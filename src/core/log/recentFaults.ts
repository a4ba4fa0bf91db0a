// `RecentFaults`: the last warnings and errors of the log, for what a user copies into a report.
import type { Clock } from '../../base/clock.ts'
import type { Level, LogSink } from './log.ts'

const MOST_LINES = 30

/** Passes all lines on to the sink behind it. */
export class RecentFaults implements LogSink {
  readonly #sink: LogSink
  readonly #clock: Pick<Clock, 'now'>
  #lines: readonly string[] = []

  constructor(sink: LogSink, clock: Pick<Clock, 'now'>) {
    this.#sink = sink
    this.#clock = clock
  }

  /** The oldest first, each with its time and level. */
  get lines(): readonly string[] {
    return this.#lines
  }

  write(level: Level, line: string): void {
    this.#sink.write(level, line)
    if (level !== 'warn' && level !== 'error') return
    const time = new Date(this.#clock.now()).toISOString()
    this.#lines = [...this.#lines, `${time} [${level}] ${line}`].slice(-MOST_LINES)
  }
}
