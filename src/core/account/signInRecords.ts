// By which the windows of a machine tell each other who signed in and out: a port.
import type { Event } from '../../base/event.ts'
import type { SignInNote } from '../../protocol/stored.ts'

/** Writes one note and drops those of the ids named. */
export type WriteNote = (note: Omit<SignInNote, 'at'>, drop?: readonly string[]) => Promise<void>

/** No secret stands in a record. One that cannot be read is empty, and one that cannot be written keeps nobody out. */
export interface SignInRecords {
  readonly onDidChange: Event<void>
  /** As of the last read. */
  readonly all: readonly SignInNote[]
  /** Reads anew; fires `onDidChange` when there is something else than before. */
  read(): Promise<readonly SignInNote[]>
  note(note: Omit<SignInNote, 'at'>): Promise<void>
  /** Runs `work` while no other window does the same. */
  alone<T>(work: (write: WriteNote) => Promise<T>): Promise<T>
}
