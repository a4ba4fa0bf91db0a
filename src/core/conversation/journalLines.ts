// `JournalReader`: the bytes of a journal as events, and how a line of it is written.
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { readEvent, recordOf } from '../../protocol/conversation.ts'
import { firstNumber, isDelta } from '../../protocol/conversationState.ts'
import { objectOf, parsedJson } from '../../protocol/json.ts'
import { LaterJournalError } from './journal.ts'

/** Goes up only when an older version would misread the file; a new kind of event or part is no such case. */
const VERSION = 1
const FORMAT = 'kourier-conversation'
/** A longer line is nothing that was written here; it is skipped without being held. */
const LONGEST_LINE_BYTES = 256 * 1024 * 1024
const LINE_END = 0x0a

/** The first line of each journal. */
export function headerLine(conversation: string): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, conversation })}\n`
}

/** One event as one line: JSON has no line end inside it, and no half of a surrogate pair. */
export function eventLine(event: ConversationEvent): string {
  return `${JSON.stringify(recordOf(event))}\n`
}

/**
 * Takes the bytes of a journal in order, in pieces of any size, also while it grows. A line that was cut at the end of
 * the file waits for its rest; a line damaged in the middle is counted and skipped, and nothing else.
 */
export class JournalReader {
  readonly #conversation: string
  readonly #decoder = new TextDecoder()
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #goodBytes = 0
  #lastNumber = 0
  #damagedLines = 0
  #isSkipping = false
  #hasHeader = false
  #endsInLine = true

  constructor(conversation: string) {
    this.#conversation = conversation
  }

  /** How many bytes from the beginning are complete lines: behind them the next line may be written. */
  get goodBytes(): number {
    return this.#goodBytes
  }

  /** Bytes behind the complete lines: a line that was cut, or one that is being written now. */
  get tornBytes(): number {
    return this.#waitingBytes
  }

  /** The last line is complete but for its line end, which has to be written before another line. */
  get lacksLineEnd(): boolean {
    return !this.#endsInLine
  }

  get damagedLines(): number {
    return this.#damagedLines
  }

  /** Something of a journal was found: its header or an event. */
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
    this.#wait(bytes.subarray(from))
    return events
  }

  /** The end of the file is reached: a last line that lacks nothing but its line end is complete. */
  finish(): ConversationEvent[] {
    if (this.#waitingBytes === 0 || this.#isSkipping) return []
    const text = this.#decoder.decode(joined(this.#waiting))
    if (objectOf(parsedJson(withoutZeros(text))) === undefined) return []
    this.#goodBytes += this.#waitingBytes
    this.#forget()
    this.#endsInLine = false
    return this.#eventsOf(text)
  }

  /** The bytes behind the complete lines are to be read again: another window may have cut them off. */
  dropTail(): void {
    this.#forget()
  }

  /** The owner of this reader has written so many bytes behind the complete lines, up to event `lastNumber`. */
  skip(bytes: number, lastNumber: number): void {
    this.#forget()
    this.#goodBytes += bytes
    this.#lastNumber = Math.max(this.#lastNumber, lastNumber)
    this.#hasHeader = true
    this.#endsInLine = true
  }

  #wait(rest: Uint8Array): void {
    this.#waitingBytes += rest.length
    if (this.#waitingBytes > LONGEST_LINE_BYTES) this.#isSkipping = true
    if (this.#isSkipping) this.#waiting = []
    // A copy, because the caller uses the same memory for the next piece.
    else if (rest.length > 0) this.#waiting.push(new Uint8Array(rest))
  }

  #endLine(rest: Uint8Array): ConversationEvent[] {
    this.#goodBytes += this.#waitingBytes + rest.length + 1
    this.#endsInLine = true
    const isSkipped = this.#isSkipping
    const text = isSkipped ? '' : this.#decoder.decode(joined([...this.#waiting, rest]))
    this.#forget()
    if (isSkipped) this.#damagedLines++
    return isSkipped ? [] : this.#eventsOf(text)
  }

  #forget(): void {
    this.#waiting = []
    this.#waitingBytes = 0
    this.#isSkipping = false
  }

  #eventsOf(line: string): ConversationEvent[] {
    // The file system may have grown the file before it lost its power, and left zeros where nothing was written.
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
   * The order of the file counts. Two windows that both believed to be the writer have given the same numbers; whatever
   * the later one wrote gets the next ones, so that none of it is taken for known.
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

/** Without the zeros in front of it. */
function withoutZeros(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: zeros are what is looked for
  return text.replace(/^\u0000+/, '')
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
