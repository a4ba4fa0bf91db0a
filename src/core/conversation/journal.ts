// `Journal`: the port that stores the events of one conversation; and which events must be on disk at once.

import type { Event } from '../../base/event.ts'
import { never } from '../../base/fault.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { Fault } from '../http/fault.ts'

/** Why events are not stored. */
export type JournalTrouble = 'no access' | 'no space' | 'unknown'

/**
 * The only source of truth of a conversation. One window at a time is its writer; all others follow what it writes. A
 * failure to write is reported once and the conversation continues; the pending events are written as soon as that is
 * possible again.
 */
export interface Journal {
  readonly conversation: string

  /**
   * All stored events, oldest first, in batches of bounded size; later ones are reported by `onDidFollow`.
   * Called once, before anything else. Throws `LaterJournalError`, `JournalAccessError`, or another error of the system.
   */
  load(signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]>

  /** Reads the events from number `from` on again, including those that are not yet written. */
  read(from: number, signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]>

  readonly isWriter: boolean

  /** How many lines could not be read by `load`. */
  readonly damagedLines: number

  /**
   * Becomes the writer, unless another window is. `onDidFollow` first reports what that window has written. Also true
   * if the folder is not writable: the conversation is then only in memory.
   */
  claim(): Promise<boolean>

  /** Writes the pending events; another window may then become the writer. */
  release(): Promise<void>

  /**
   * Stores an event; only for the writer. Resolves when the event is on disk if it `mustBeOnDisk`, else at once: such
   * events are written within half a second. Does not reject if the file cannot be written.
   */
  append(event: ConversationEvent): Promise<void>

  /** Writes the pending events. Resolves even if that fails. */
  flush(): Promise<void>

  /** Events that another window has written. */
  readonly onDidFollow: Event<readonly ConversationEvent[]>

  /** The window that was the writer has released the journal or has closed. */
  readonly onDidReleaseWriter: Event<void>

  /** From the first failure until every event has been written. */
  readonly trouble: JournalTrouble | undefined

  /** `trouble` has changed. */
  readonly onDidChangeTrouble: Event<void>

  /** Writes the pending events, and nothing that is appended later. */
  close(): Promise<void>
}

/** A journal of a later version is neither read nor changed, because its events may have another meaning. */
export class LaterJournalError extends Fault {
  override readonly name = 'LaterJournalError'
  readonly version: number

  constructor(version: number) {
    super('history: later version', `The journal was written by a later version (${version})`)
    this.version = version
  }
}

/** The system does not let the extension read the file of the journal. */
export class JournalAccessError extends Fault {
  override readonly name = 'JournalAccessError'
  readonly path: string

  constructor(path: string, cause: unknown) {
    super('history: no access', `The journal may not be read: ${path}`, { cause })
    this.path = path
  }
}

/** Another window writes this conversation. */
export class NotWriterError extends Error {
  override readonly name = 'NotWriterError'
}

/**
 * True for prompts, so that none is lost; for calls before they are carried out and results after it; for the end of a
 * turn; and for rare events. Deltas of an answer, and the starts of its steps and parts, may be written later.
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
