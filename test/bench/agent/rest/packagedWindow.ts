// A window with the packaged extension on the fake editor, signed in and with its chat in view: `node --expose-gc packagedWindow.ts <dist>` prints what it took.
import childProcess from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import workerThreads from 'node:worker_threads'
import { extensionContext } from '../../../features/extensionContext.ts'
import { showChat } from '../../../features/fakeChatView.ts'
import { fakeEditor } from '../../../features/recordedEditor.ts'

/** Milliseconds, and megabytes of the heap over those before. */
export interface WindowFigures {
  readonly startMs: number
  readonly heapMb: number
  readonly processes: number
  readonly workers: number
}

type Call = (...given: unknown[]) => unknown

/** How long a window is watched that does nothing. */
const REST_MS = 1_500
/** Nothing listens there. */
const service = 'http://127.0.0.1:9'
const record = {
  ...{ version: 1, key: 'sk-bf-of-a-window', resource: service, issuer: service, service: 'Example' },
  ...{ email: 'ada@example.com', origin: 'pasted' },
}

if (import.meta.main) {
  const counts = { processes: 0, workers: 0 }
  for (const name of ['spawn', 'fork', 'exec', 'execFile']) countCalls(childProcess, name, () => counts.processes++)
  const { Worker } = workerThreads
  workerThreads.Worker = class extends Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given)
      counts.workers++
    }
  }
  const editor = new URL('../../../features/recordedEditor.ts', import.meta.url).href
  registerHooks({
    resolve: (name, from, next) => (name === 'vscode' ? { url: editor, shortCircuit: true } : next(name, from)),
  })
  fakeEditor.settings.set('kourier.baseUrl', service)
  const folder = mkdtempSync(join(tmpdir(), 'agent-bench-'))
  const context = extensionContext({ folder, credential: record })
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const start = performance.now()
  createRequire(import.meta.url)(join(process.argv[2] ?? '', 'extension.cjs')).activate(context)
  const startMs = performance.now() - start
  const shown = Promise.withResolvers<void>()
  showChat(message => message.kind === 'account' && message.account.is === 'in' && shown.resolve())({ kind: 'ready' })
  await shown.promise
  await sleep(REST_MS)
  globalThis.gc?.()
  const heapMb = (process.memoryUsage().heapUsed - before) / 1e6
  const figures: WindowFigures = { startMs, heapMb, ...counts }
  process.stdout.write(JSON.stringify(figures))
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}

function countCalls(owner: object, name: string, counted: () => void): void {
  const original = Reflect.get(owner, name) as Call // as: it is a function
  Reflect.set(owner, name, (...given: unknown[]) => {
    counted()
    return original(...given)
  })
}
