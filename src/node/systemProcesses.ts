// The processes of this machine, as the system knows them.
import type { Processes } from '../core/account/attempts.ts'

export const systemProcesses: Processes = { own: process.pid, isAlive }

/** A process of another user counts as alive, and so does one that has taken over the number of a dead one. */
export function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'EPERM'
  }
}
