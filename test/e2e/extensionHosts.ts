// The processes in which an editor runs extensions, one for each window: found, and put to sleep.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Editor } from '../editor/codeServer.ts'

/** In the order of their opening, which their numbers do not show: those begin anew when they have all been given. */
export function extensionHosts({ userDataDir }: Editor): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
        const isOne = command.includes('--type=extensionHost') && environment.includes(userDataDir)
        return isOne ? [{ pid: Number(pid), startedAt: startOf(readFileSync(`/proc/${pid}/stat`, 'utf8')) }] : []
      } catch {
        return [] // it has just ended
      }
    })
    .sort((a, b) => a.startedAt - b.startedAt)
    .map(({ pid }) => pid)
}

/** In ticks since the machine started: the twentieth word behind the name, which may hold spaces itself (proc(5)). */
function startOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
}

/** The lid of the machine is closed for as long as `work` takes, and opened again whatever becomes of it. */
export async function whileAsleep<T>(editor: Editor, work: () => Promise<T>): Promise<T> {
  const hosts = extensionHosts(editor)
  assert.ok(hosts.length > 0, 'there is somebody to put to sleep')
  try {
    for (const host of hosts) signal(host, 'SIGSTOP')
    return await work()
  } finally {
    for (const host of hosts) signal(host, 'SIGCONT')
  }
}

/** That of a window which was closed before may be about to end. */
function signal(host: number, name: NodeJS.Signals): void {
  try {
    process.kill(host, name)
  } catch {}
}
