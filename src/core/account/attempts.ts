// Ports for what the windows of a machine know of each other's sign-in attempts: records, heartbeats, processes.
import type { AttemptRecord } from '../../protocol/stored.ts'

/** One record for each sign-in under way, from which a later window learns of one that was cut off. */
export interface AttemptStore {
  all(): Promise<readonly AttemptRecord[]>
  write(record: AttemptRecord): Promise<void>
  /** Deletes the record. Resolves with true in exactly one of the windows that try. */
  take(attempt: string): Promise<boolean>
}

/** The interval of the heartbeat. A window without one for several intervals has ended, or hangs. */
export const HEARTBEAT_MS = 2_000

/** Distinguishes a live window from another process that was given its process id. */
export interface Heartbeat {
  /** Starts the heartbeat; returns a function that stops it. The last value stays readable until `forget`. */
  begin(id: string): () => void
  /** A value that changes with each heartbeat; undefined where there is none. */
  last(id: string): Promise<string | undefined>
  forget(id: string): Promise<void>
}

/** The processes of this machine. */
export interface Processes {
  /** The process id of this one. */
  readonly own: number
  /** A process of another user counts as alive, and so does one that was given the id of an ended one. */
  isAlive(id: number): boolean
}
