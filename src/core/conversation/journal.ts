// `Journal`: where the events of one conversation are kept, a port; and which of them must be on disk at once.

import type { Event } from '../../base/event.ts'
import { never } from '../../base/fault.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'

/**
 * The only source of truth of a conversation. One window at a time is its writer; all others follow what it writes.
 * A failure to write costs only the keeping: it is reported once, the conversation goes on, and what could not be
 * written is written as soon as that is possible again.
 */
export interface Journal {
  readonly conversation: string

  /**
   * Everything that is kept, oldest first, in batches of bounded size; what is appended later comes by `onDidFollow`.
   * Called once, before anything else. Throws `LaterJournalError`, or the system's error if the file cannot be read.
   */
  load(signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]>

  /** Reads what is kept again, from event number `from`, and what waits to be written. */
  read(from: number, signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]>

  readonly isWriter: boolean

  /**
   * Becomes the writer, unless another window is. What that window has written comes by `onDidFollow` first. True as
   * well where the folder cannot be written at all: the conversation then lives in memory.
   */
  claim(): Promise<boolean>

  /** Writes what waits and lets another window be the writer. */
  release(): Promise<void>

  /**
   * Keeps an event; only for the writer. Resolves when it is on disk if it `mustBeOnDisk`, else at once: such events are
   * written within half a second. Never rejects for a reason of the disk.
   */
  append(event: ConversationEvent): Promise<void>

  /** Writes what waits. Resolves also where that fails. */
  flush(): Promise<void>

  /** Events that another window has written. */
  readonly onDidFollow: Event<readonly ConversationEvent[]>

  /** The window that was the writer is one no longer, or has gone. */
  readonly onDidFallVacant: Event<void>

  /** Whether events are kept: false from the first failure until every event has been written. */
  readonly onDidChangeKeeping: Event<boolean>

  /** Writes what waits, and nothing that is appended from now on. */
  close(): Promise<void>
}

/** Only the version that wrote it knows what stands in it; it is neither read nor changed. */
export class LaterJournalError extends Error {
  override readonly name = 'LaterJournalError'
  readonly version: number

  constructor(version: number) {
    super(`The journal was written by a later version (${version})`)
    this.version = version
  }
}

/** Another window writes this conversation. */
export class NotWriterError extends Error {
  override readonly name = 'NotWriterError'
}

/**
 * Prompts, so that none is ever lost; calls before they are carried out and results after it; the end of a turn; and
 * what is rare. Pieces of an answer, and what only opens the place for them, may wait.
 */
export function mustBeOnDisk(event: ConversationEvent): boolean {
  switch (event.kind) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
    case 'step-started':
    case 'part-started':
    case 'part-ended':
      return false
    case 'created':
    case 'turn-started':
    case 'tool-call':
    case 'tool-approval':
    case 'tool-result':
    case 'change-set':
    case 'step-ended':
    case 'turn-ended':
    case 'branch-chosen':
    case 'turn-deleted':
    case 'message-queued':
    case 'message-withdrawn':
    case 'title':
    case 'summary':
    case 'results-omitted':
    case 'mode':
    case 'pinned':
    case 'archived':
    case 'deleted':
    case 'unknown':
      return true
    default:
      return never(event)
  }
}
