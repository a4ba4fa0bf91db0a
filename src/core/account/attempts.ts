// Sign-ins under way, as the windows of a machine keep them for each other: ports.
import type { AttemptNote } from '../../protocol/stored.ts'

/** One note for each sign-in under way, by which a later window learns of one that was cut off. */
export interface AttemptStore {
  all(): Promise<readonly AttemptNote[]>
  write(note: AttemptNote): Promise<void>
  /** Takes it away; true for one window only, whoever else tries. */
  take(attempt: string): Promise<boolean>
}

/** A window that has not beaten for some times this long has ended, or hangs. */
export const HEARTBEAT_MS = 2_000

/** By its heartbeat others tell a live window from another process that was given its number. */
export interface Heartbeat {
  /** Beats from now on; returns how to stop. What was written stays until `forget`. */
  begin(id: string): () => void
  /** Changes with each beat; undefined where there is nothing to read. */
  last(id: string): Promise<string | undefined>
  forget(id: string): Promise<void>
}

/** The processes of this machine. */
export interface Processes {
  /** The number of this one. */
  readonly own: number
  /** A process of another user counts as alive, and so does one that has taken over the number of a dead one. */
  isAlive(id: number): boolean
}
