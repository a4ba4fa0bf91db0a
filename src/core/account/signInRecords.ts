// Port: the records by which the windows of a machine notify each other of sign-ins and sign-outs.
import type { Event } from '../../base/event.ts'
import type { SignInRecord } from '../../protocol/stored.ts'

/** Writes one record and deletes those of the ids in `drop`. */
export type WriteRecord = (record: Omit<SignInRecord, 'at'>, drop?: readonly string[]) => Promise<void>

/** The records hold no secret. A failed read gives none, and a failed write does not prevent a sign-in or sign-out. */
export interface SignInRecords {
  readonly onDidChange: Event<void>
  /** As of the last read. */
  readonly all: readonly SignInRecord[]
  /** Reads the records, and fires `onDidChange` when they have changed. */
  read(): Promise<readonly SignInRecord[]>
  /** Runs `work` while no other window does the same. */
  withLock<T>(work: (write: WriteRecord) => Promise<T>): Promise<T>
}
