// `WorkerTokenizer`: tokenizes in a thread that runs only while it is used.
import { Worker } from 'node:worker_threads'
import { until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { ColouredLines, GrammarSource, Tokenizer, TokenRequest } from '../../core/colour/tokenizer.ts'
import type { TokenRule } from '../../core/colour/tokenRules.ts'
import type { FromWorker, ToWorker, WorkerStart } from './workerMessages.ts'

/** An expression of a grammar can take for ever, and no limit of the tokenizer ends it. */
const longestRequestMs = 20_000
const idleMs = 120_000
const maxMegabytes = 256

export interface WorkerTokenizerOptions {
  /** The file of `tokenizeWorker.ts`. */
  readonly script: string
  /** The file of the WebAssembly module. */
  readonly wasm: string
  readonly clock: Clock
}

interface Pending {
  readonly done: (result: ColouredLines | undefined) => void
  readonly fail: (fault: Error) => void
}

export class WorkerTokenizer implements Tokenizer, Disposable {
  readonly #options: WorkerTokenizerOptions
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #rules: readonly TokenRule[] = []
  #source: GrammarSource | undefined
  #nextId = 0
  #nextStyle = 1
  #cancelTimer: (() => void) | undefined

  constructor(options: WorkerTokenizerOptions) {
    this.#options = options
  }

  setTheme(rules: readonly TokenRule[]): void {
    this.#rules = rules
    this.#post({ kind: 'theme', rules })
  }

  setGrammars(source: GrammarSource): void {
    this.#source = source
    this.#post({ kind: 'grammars', injections: source.injections })
  }

  tokenize(request: TokenRequest, signal: AbortSignal): Promise<ColouredLines | undefined> {
    return until(signal, (done, fail) => {
      const id = this.#nextId++
      this.#pending.set(id, { done, fail })
      this.#worker ??= this.#start()
      this.#post({ kind: 'tokenize', id, request })
      this.#watch()
      return () => this.#pending.delete(id)
    })
  }

  #start(): Worker {
    const { script, wasm } = this.#options
    const start: WorkerStart = { wasm, firstStyle: this.#nextStyle }
    const worker = new Worker(script, {
      workerData: start,
      // The API key may be in the environment.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
    })
    worker.unref()
    worker.on('message', (message: FromWorker) => worker === this.#worker && this.#onMessage(message))
    worker.on('error', fault => worker === this.#worker && this.#end(fault))
    worker.postMessage({ kind: 'theme', rules: this.#rules } satisfies ToWorker)
    const injections = this.#source?.injections ?? {}
    worker.postMessage({ kind: 'grammars', injections } satisfies ToWorker)
    return worker
  }

  #onMessage(message: FromWorker): void {
    if (message.kind === 'read') return void this.#readGrammar(message.id, message.scope)
    const pending = this.#pending.get(message.id)
    if (message.kind === 'tokenized') {
      this.#nextStyle = message.nextStyle
      pending?.done(message.result)
    } else pending?.fail(new Error(message.reason))
    this.#watch()
  }

  async #readGrammar(id: number, scope: string): Promise<void> {
    const file = await this.#source?.readGrammar(scope).catch(() => undefined)
    this.#post({ kind: 'grammar', id, file })
  }

  /** Ends the thread when it has not answered for long, or has not been asked for long. */
  #watch(): void {
    this.#cancelTimer?.()
    const isBusy = this.#pending.size > 0
    this.#cancelTimer = this.#options.clock.later(isBusy ? longestRequestMs : idleMs, () =>
      this.#end(new Error('The tokenizer did not answer in time.')),
    )
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }

  #end(reason: Error): void {
    this.#cancelTimer?.()
    const worker = this.#worker
    this.#worker = undefined
    for (const { fail } of [...this.#pending.values()]) fail(reason)
    void worker?.terminate()
  }

  dispose(): void {
    this.#end(new Error('The tokenizer was closed.'))
  }
}
