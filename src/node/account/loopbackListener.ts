// RedirectListener as a web server on the loopback address, for one redirect of the browser.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../../base/abort.ts'
import type { RedirectListener } from '../../core/account/redirectListener.ts'
import { type AuthorizationAnswer, readAuthorizationAnswer } from '../../protocol/wire/authorization.ts'
import { isSameText } from './isSameText.ts'

/** The literal address, because `localhost` may resolve to another one (RFC 8252 7.3 and 8.3). */
const HOST = '127.0.0.1'
const PATH = '/callback'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1em;color-scheme:light dark}'

/** The pages are static, so that they cannot reflect the query. They load nothing and send no referrer. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

const pageOf = (title: string, text: string) =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`

const pages = {
  approved: pageOf('Back to the editor', 'Kourier has what it needs. You can close this page.'),
  refused: pageOf('Not signed in', 'The sign-in was not approved. The editor says more; you can close this page.'),
  unexpected: pageOf(
    'Nothing happens here',
    'This page does not belong to the sign-in that is under way. Go back to the editor and begin again there.',
  ),
}

export class LoopbackListener implements RedirectListener {
  readonly #server: Server
  #onAnswer: ((answer: AuthorizationAnswer) => void) | undefined
  #state = ''

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request, response) => this.#handleRequest(request, response))
  }

  /** On a port that the system chooses. */
  static async open(): Promise<LoopbackListener> {
    const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 10_000, headersTimeout: 10_000 })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host: HOST, port: 0, exclusive: true }, resolve)
    })
    return new LoopbackListener(server)
  }

  get redirectUri(): string {
    return `http://${this.#host}${PATH}`
  }

  /** Answers every request without `state` with an error page, and goes on waiting. */
  answer(state: string, signal: AbortSignal): Promise<AuthorizationAnswer> {
    return until<AuthorizationAnswer>(signal, done => {
      this.#state = state
      this.#onAnswer = done
      return () => {
        this.#onAnswer = undefined
      }
    })
  }

  get #host(): string {
    return `${HOST}:${(this.#server.address() as AddressInfo).port}`
  }

  #handleRequest(request: IncomingMessage, response: ServerResponse): void {
    request.resume()
    const respond = (status: number, page: string) =>
      void response.writeHead(status, { ...headers, ...(status === 405 && { allow: 'GET' }) }).end(page)
    const [path, query] = (request.url ?? '').split('?', 2)
    // A web page that resolves its own host name to this machine (DNS rebinding) sends that name.
    if (request.headers.host !== this.#host || path !== PATH) return respond(404, pages.unexpected)
    if (request.method !== 'GET') return respond(405, pages.unexpected)
    const answer = readAuthorizationAnswer(new URLSearchParams(query))
    const onAnswer = this.#onAnswer
    if (!answer || !onAnswer || !isSameText(answer.state ?? '', this.#state)) return respond(400, pages.unexpected)
    const isApproved = answer.error === undefined && answer.code !== undefined
    respond(200, isApproved ? pages.approved : pages.refused)
    // This removes the callback, so a second request gets the error page.
    onAnswer(answer)
  }

  dispose(): void {
    this.#server.close()
    this.#server.closeIdleConnections()
    // A response under way may still be sent.
    setTimeout(() => this.#server.closeAllConnections(), 1_000).unref()
  }
}
