// Child processes that end together with everything they started, also when this process ends first.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const running = new Set<ChildProcess>()
const leftovers = new Set<string>()
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
const onSignal = { end: (code: number): unknown => process.exit(code) }

/** Like `spawn`, in a process group of its own, which `endGroup` and the end of this process take down. */
export function spawnGroup(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  watchOwnEnd()
  const child = spawn(command, args, { ...options, detached: true })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** Asks the whole group to end, waits, and insists after `patienceMs`. */
export async function endGroup(child: ChildProcess, patienceMs = 3_000): Promise<void> {
  const gone = whenGone(child)
  signalGroup(child, 'SIGTERM')
  const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), patienceMs)
  await gone
  clearTimeout(insist)
  for (let waitedMs = 0; waitedMs < 1_000 && signalGroup(child, 0); waitedMs += 20) await sleep(20)
  signalGroup(child, 'SIGKILL') // who was started may outlive who started it
  running.delete(child)
}

/** Resolves with the exit code once the process has ended; a signal or a failed start counts as 1. */
export function whenGone(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode)
  if (child.signalCode !== null || child.pid === undefined) return Promise.resolve(1)
  return new Promise(resolve => {
    child.once('exit', code => resolve(code ?? 1))
  })
}

/** A folder that is removed with this process, should nobody have removed it before. */
export function removeAtEnd(folder: string): () => void {
  watchOwnEnd()
  leftovers.add(folder)
  return () => {
    leftovers.delete(folder)
    remove(folder)
  }
}

/** Whether there was a process to receive it; signal 0 only asks. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false
  try {
    return process.kill(-child.pid, signal)
  } catch {
    return false
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  } catch {
    // A process on its way out may still write there; the system clears its temporary folder by itself.
  }
}

/** What to do on Ctrl+C and its like, in place of ending at once. */
export function endOnSignal(end: (code: number) => unknown): void {
  watchOwnEnd()
  onSignal.end = end
}

/** Without a listener a signal ends Node before its `exit` event, and the groups would live on. */
function watchOwnEnd(): void {
  if (process.listeners('exit').includes(endAll)) return
  process.on('exit', endAll)
  for (const [signal, code] of Object.entries(signals)) process.on(signal, () => onSignal.end(code))
}

function endAll(): void {
  for (const child of running) signalGroup(child, 'SIGKILL')
  if (running.size > 0) pause(150) // who is dying may still write
  for (const folder of leftovers) remove(folder)
}

function pause(waitMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
}
