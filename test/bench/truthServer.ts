// An OpenAI-compatible server whose model knows the file that is typed, and goes on from where the prompt ends.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastStreamFrames, streamFrame } from './streamFrame.ts'
import { beforeCursor } from './typing/completerAdapter.ts'
import { placeInFile } from './typing/oracleModel.ts'
import { TOKEN_CHARS } from './typing/tokens.ts'

const ANSWER_CHARS = 400

export interface TruthOptions {
  readonly firstTokenMs: number
  /** Infinity: all of it at once. */
  readonly tokensPerSecond: number
}

export class TruthServer implements AsyncDisposable {
  readonly #server = createServer((incoming, outgoing) => void this.#answer(incoming, outgoing))
  readonly #options: TruthOptions
  /** The file as it will be. */
  text = ''
  requests = 0
  /** Of the latest answer, by the wall clock. */
  lastByteAt = 0

  private constructor(options: TruthOptions) {
    this.#options = options
  }

  static async start(options: TruthOptions): Promise<TruthServer> {
    const made = new TruthServer(options)
    made.#server.listen(0, '127.0.0.1')
    await once(made.#server, 'listening')
    return made
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { firstTokenMs, tokensPerSecond } = this.#options
    const body = (await incoming.setEncoding('utf8').toArray()).join('')
    this.requests++
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    const answer = `<insert>${this.#continued(body)}</insert>`
    const chars = Number.isFinite(tokensPerSecond) ? TOKEN_CHARS : answer.length
    for (let at = 0; at < answer.length && !outgoing.destroyed; at += chars) {
      await sleep(at === 0 ? firstTokenMs : 1_000 / tokensPerSecond)
      outgoing.write(streamFrame({ content: answer.slice(at, at + chars) }))
    }
    this.lastByteAt = Date.now()
    outgoing.end(lastStreamFrames)
  }

  #continued(body: string): string {
    const { messages } = JSON.parse(body) as {
      messages: readonly { readonly role: string; readonly content: unknown }[]
    }
    const question = messages.findLast(({ role, content }) => role === 'user' && typeof content === 'string')
    const parts = [{ kind: 'text' as const, text: String(question?.content ?? '') }]
    const before = beforeCursor({ model: '', lane: 'completion', messages: [{ role: 'user', parts }] })
    const at = placeInFile(this.text, before)
    return at === undefined ? '' : this.text.slice(at, at + ANSWER_CHARS)
  }
}
