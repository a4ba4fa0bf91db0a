// Levels, tags and sinks; queues until a sink exists.
import { faultText } from '../../base/fault.ts'
import { Redactor } from './redact.ts'

export const levels = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof levels)[number]

export interface LogSink {
  write(level: Level, line: string): void
}

/** What may be said beside the text. Values are JSON-encoded, so a stranger's text cannot forge a line. */
export type LogDetails = Readonly<Record<string, unknown>>

const QUEUE_LIMIT = 500
const LINE_LIMIT = 4_000

/** Every line passes the redactor on its way to a sink; there is no other way out. */
export class Log {
  readonly redactor = new Redactor()
  #sink: LogSink | undefined
  #queue: [Level, string][] = []

  /** Hands over what was said before there was a sink. */
  open(sink: LogSink): void {
    this.#sink = sink
    for (const [level, line] of this.#queue.splice(0)) sink.write(level, this.#clean(line))
  }

  debug(text: string, details?: LogDetails): void {
    this.#write('debug', text, details)
  }

  info(text: string, details?: LogDetails): void {
    this.#write('info', text, details)
  }

  warn(text: string, details?: LogDetails): void {
    this.#write('warn', text, details)
  }

  error(text: string, thrown?: unknown): void {
    this.#write('error', text, thrown === undefined ? undefined : { fault: faultText(thrown) })
  }

  #write(level: Level, text: string, details?: LogDetails): void {
    const line = details ? `${text} ${JSON.stringify(details)}` : text
    if (this.#sink) this.#sink.write(level, this.#clean(line))
    else if (this.#queue.length < QUEUE_LIMIT) this.#queue.push([level, line])
  }

  #clean(line: string): string {
    return this.redactor.redact(line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)}…` : line)
  }
}
