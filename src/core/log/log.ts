// `Log`: writes redacted lines to a sink, and queues them until there is one.
import { faultText } from '../../base/fault.ts'
import { Redactor } from './redact.ts'

export const levels = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof levels)[number]

export interface LogSink {
  write(level: Level, line: string): void
}

/** Values for the end of the line. They are JSON-encoded, so that untrusted text cannot forge a line. */
export type LogDetails = Readonly<Record<string, unknown>>

const QUEUE_LIMIT = 500
const LINE_LIMIT = 4_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: replacing them is the purpose
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Every line passes the redactor before it reaches the sink. */
export class Log {
  readonly redactor = new Redactor()
  #sink: LogSink | undefined
  #queue: [Level, string][] = []

  /** Sets the sink and writes the queued lines to it. */
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
    // Characters that could end a line, control a terminal or change the text direction are written as their numbers.
    return this.redactor.redact(line, LINE_LIMIT).replace(unprintable, escaped)
  }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
