// `systemProcesses`: whether a process of this machine is alive, asked of the system.
import type { Processes } from '../core/account/attempts.ts'

export const systemProcesses: Processes = { own: process.pid, isAlive }

/** True also for a process of another user, and for a new process with the number of a dead one. */
export function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'EPERM'
  }
}
