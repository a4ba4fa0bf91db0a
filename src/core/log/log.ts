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
// biome-ignore lint/suspicious/noControlCharactersInRegex: replacing them is the purpose
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

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
    // What could end a line, steer a terminal or turn the reading direction stands as its number.
    return this.redactor.redact(line, LINE_LIMIT).replace(unprintable, escaped)
  }
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}
