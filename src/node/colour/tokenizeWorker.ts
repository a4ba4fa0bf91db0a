// The entry point of the thread that tokenizes code blocks, so that the extension host never waits for it.
import { readFileSync } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { brotliDecompressSync } from 'node:zlib'
import { faultText } from '../../base/fault.ts'
import type { GrammarText, TokenRequest } from '../../core/colour/tokenizer.ts'
import { GrammarEngine } from './grammarEngine.ts'
import type { FromWorker, ToWorker, WorkerStart } from './workerMessages.ts'

// Without a port, the file was not loaded as a thread.
// as: only `WorkerTokenizer` starts this thread
if (parentPort) serve(parentPort, workerData as WorkerStart)

function serve(port: MessagePort, { wasm, firstStyle }: WorkerStart): void {
  const engine = new GrammarEngine(brotliDecompressSync(readFileSync(wasm)), firstStyle)
  const reads = new Map<number, (file: GrammarText | undefined) => void>()
  let nextRead = 0
  const send = (message: FromWorker) => port.postMessage(message)
  const readGrammar = (scope: string) =>
    new Promise<GrammarText | undefined>(resolve => {
      const id = nextRead++
      reads.set(id, resolve)
      send({ kind: 'read', id, scope })
    })
  const tokenize = async (id: number, request: TokenRequest) => {
    try {
      const result = await engine.tokenize(request)
      send({ kind: 'tokenized', id, result, nextStyle: engine.nextStyle })
    } catch (fault) {
      send({ kind: 'failed', id, reason: faultText(fault) })
    }
  }
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'theme') engine.setTheme(message.rules)
    else if (message.kind === 'grammars') engine.setGrammars({ injections: message.injections, readGrammar })
    else if (message.kind === 'tokenize') void tokenize(message.id, message.request)
    else {
      reads.get(message.id)?.(message.file)
      reads.delete(message.id)
    }
  })
}
