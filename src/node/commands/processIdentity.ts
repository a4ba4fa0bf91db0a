// `startOf`: when a process was started, because its number may belong to another one by now; `isSameProcess`: whether it does.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { lazy } from '../../base/lazy.ts'
import { objectOf } from '../../protocol/json.ts'

/** `start` as `startOf` returns it. */
export interface ProcessIdentity {
  readonly id: number
  readonly start: string | undefined
}

export const ownIdentity = lazy(
  async (): Promise<ProcessIdentity> => ({ id: process.pid, start: await startOf(process.pid) }),
)

/** Undefined where the value is none. */
export function identityOf(value: unknown): ProcessIdentity | undefined {
  const { id, start } = objectOf(value) ?? {}
  if (typeof id !== 'number' || !Number.isInteger(id)) return undefined
  return { id, start: typeof start === 'string' ? start : undefined }
}

/** Whether the process is still that one. */
export async function isSameProcess({ id, start }: ProcessIdentity): Promise<boolean> {
  return start !== undefined && (await startOf(id)) === start
}

/** A text that is the same for the same process; undefined where there is none with this number. */
export async function startOf(id: number): Promise<string | undefined> {
  if (process.platform === 'linux') return linuxStart(id)
  if (process.platform === 'win32') {
    const get = `(Get-Process -Id ${id} -ErrorAction Stop).StartTime.Ticks`
    return outputOf('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', get])
  }
  return outputOf('/bin/ps', ['-o', 'lstart=', '-p', String(id)])
}

/** The time since the start of the system, and which start that was (proc_pid_stat(5), field 22). */
async function linuxStart(id: number): Promise<string | undefined> {
  try {
    const [stat, boot] = await Promise.all([readFile(`/proc/${id}/stat`, 'utf8'), bootOf()])
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return `${boot.trim()} ${fields[19]}`
  } catch {
    return undefined
  }
}

const bootOf = lazy(() => readFile('/proc/sys/kernel/random/boot_id', 'utf8'))

function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise(resolve => {
    execFile(program, args, { windowsHide: true }, (fault, output) => {
      resolve(fault ? undefined : output.trim() || undefined)
    })
  })
}
