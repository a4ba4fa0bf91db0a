// The entry point of the thread that walks and searches the workspace, so that the extension host never waits for it.
import { parentPort, workerData } from 'node:worker_threads'
import { faultText } from '../../base/fault.ts'
import { ReportedProgress } from './progress.ts'
import { TreeEngine } from './treeEngine.ts'
import type { TreeRequest } from './treeMessages.ts'
import type { FromThread } from './treeThread.ts'

// as: only `TreeThread` starts this thread
if (parentPort) serve(parentPort, workerData as SharedArrayBuffer)

function serve(port: NonNullable<typeof parentPort>, shared: SharedArrayBuffer): void {
  const engine = new TreeEngine(new ReportedProgress(shared))
  const answer = (request: TreeRequest): FromThread => {
    try {
      return { reply: engine.handle(request) }
    } catch (fault) {
      return { fault: faultText(fault) }
    }
  }
  port.on('message', (request: TreeRequest) => port.postMessage(answer(request)))
}
