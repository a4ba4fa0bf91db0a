// `JournalReader`: decodes the bytes of a journal to events; and the encoding of its lines.
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { readEvent, recordOf } from '../../protocol/conversation.ts'
import { firstNumber, isDelta } from '../../protocol/conversationState.ts'
import { objectOf, parsedJson } from '../../protocol/json.ts'
import { LaterJournalError } from './journal.ts'

/** Increased only if an older version would misread the file, which is not so for a new kind of event or part. */
const VERSION = 1
const FORMAT = 'kourier-conversation'
/** A longer line is damaged; it is skipped and not kept in memory. */
const LONGEST_LINE_BYTES = 256 * 1024 * 1024
const LINE_END = 0x0a

/** The first line of each journal. */
export function headerLine(conversation: string): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, conversation })}\n`
}

/** One event as one line: `JSON.stringify` escapes line ends and lone surrogates. */
export function eventLine(event: ConversationEvent): string {
  return `${JSON.stringify(recordOf(event))}\n`
}

/**
 * Reads the bytes of a journal in order, in chunks of any size, also while another window appends. An incomplete line
 * at the end of the file stays pending until its rest is read; a damaged line is counted and skipped.
 */
export class JournalReader {
  readonly #conversation: string
  readonly #decoder = new TextDecoder()
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #goodBytes = 0
  #lastNumber = 0
  #damagedLines = 0
  #isSkipping = false
  #hasHeader = false
  #endsInLine = true

  constructor(conversation: string) {
    this.#conversation = conversation
  }

  /** How many bytes from the beginning are complete lines: the next line may be written after them. */
  get goodBytes(): number {
    return this.#goodBytes
  }

  /** Bytes after the complete lines: a truncated line, or one that another window is writing. */
  get tornBytes(): number {
    return this.#pendingBytes
  }

  /** The last line is complete except for its line end, which has to be written before another line. */
  get lacksLineEnd(): boolean {
    return !this.#endsInLine
  }

  get damagedLines(): number {
    return this.#damagedLines
  }

  /** The header or an event was found. */
  get isJournal(): boolean {
    return this.#hasHeader || this.#lastNumber > 0
  }

  get lastNumber(): number {
    return this.#lastNumber
  }

  /** The events of the lines that these bytes complete. Throws `LaterJournalError`. */
  take(bytes: Uint8Array): ConversationEvent[] {
    const events: ConversationEvent[] = []
    let from = 0
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, from)) {
      events.push(...this.#endLine(bytes.subarray(from, end)))
      from = end + 1
    }
    this.#keepPending(bytes.subarray(from))
    return events
  }

  /** Called at the end of the file: a last line that lacks only its line end is complete. */
  finish(): ConversationEvent[] {
    if (this.#pendingBytes === 0 || this.#isSkipping) return []
    const text = this.#decoder.decode(joined(this.#pending))
    if (objectOf(parsedJson(withoutZeros(text))) === undefined) return []
    this.#goodBytes += this.#pendingBytes
    this.#clearPending()
    this.#endsInLine = false
    return this.#eventsOf(text)
  }

  /** Drops the bytes after the complete lines, to read them again: another window may have truncated the file. */
  dropTail(): void {
    this.#clearPending()
  }

  /** The owner of this reader has appended `bytes` after the complete lines, up to event `lastNumber`. */
  skip(bytes: number, lastNumber: number): void {
    this.#clearPending()
    this.#goodBytes += bytes
    this.#lastNumber = Math.max(this.#lastNumber, lastNumber)
    this.#hasHeader = true
    this.#endsInLine = true
  }

  #keepPending(rest: Uint8Array): void {
    this.#pendingBytes += rest.length
    if (this.#pendingBytes > LONGEST_LINE_BYTES) this.#isSkipping = true
    if (this.#isSkipping) this.#pending = []
    // A copy, because the caller reuses its buffer for the next chunk.
    else if (rest.length > 0) this.#pending.push(new Uint8Array(rest))
  }

  #endLine(rest: Uint8Array): ConversationEvent[] {
    this.#goodBytes += this.#pendingBytes + rest.length + 1
    this.#endsInLine = true
    const isSkipped = this.#isSkipping
    const text = isSkipped ? '' : this.#decoder.decode(joined([...this.#pending, rest]))
    this.#clearPending()
    if (isSkipped) this.#damagedLines++
    return isSkipped ? [] : this.#eventsOf(text)
  }

  #clearPending(): void {
    this.#pending = []
    this.#pendingBytes = 0
    this.#isSkipping = false
  }

  #eventsOf(line: string): ConversationEvent[] {
    // After a power failure the file may contain zeros where its size was extended but no data was written.
    const text = withoutZeros(line)
    if (line === '') return []
    const record = objectOf(parsedJson(text))
    const isHeader = record?.['format'] === FORMAT
    if (isHeader) this.#acceptHeader(record['version'])
    const event = isHeader ? undefined : readEvent(record)
    const isOurs = event?.conversation === this.#conversation
    if (text !== line || !(isHeader || isOurs)) this.#damagedLines++
    return isOurs ? [this.#inOrder(event)] : []
  }

  #acceptHeader(version: unknown): void {
    if (typeof version === 'number' && version > VERSION) throw new LaterJournalError(version)
    this.#hasHeader = true
  }

  /**
   * The order of the file is the order of the events. If two windows both acted as the writer, they used the same
   * numbers; the events of the later one are renumbered, because otherwise they would be skipped as known.
   */
  #inOrder(event: ConversationEvent): ConversationEvent {
    const by = Math.max(0, this.#lastNumber + 1 - firstNumber(event))
    const moved = by === 0 ? event : { ...event, n: event.n + by }
    const ordered =
      by > 0 && isDelta(moved) && moved.first !== undefined ? { ...moved, first: moved.first + by } : moved
    this.#lastNumber = ordered.n
    return ordered
  }
}

/** The text without leading zeros (U+0000). */
function withoutZeros(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: zeros are what is looked for
  return text.replace(/^\u0000+/, '')
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
