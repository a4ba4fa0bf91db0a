// Receives the browser's answer: a web server on this machine, for one answer.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../../base/abort.ts'
import type { RedirectListener } from '../../core/account/redirectListener.ts'
import { type AuthorizationAnswer, readAuthorizationAnswer } from '../../protocol/wire/authorization.ts'
import { isSameText } from './isSameText.ts'

/** The literal address: `localhost` may be somebody else's (RFC 8252 7.3 and 8.3). */
const HOST = '127.0.0.1'
const PATH = '/callback'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1em;color-scheme:light dark}'

/** Static, so that nothing from the address can be reflected; it loads nothing and names its address to nobody. */
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
  stray: pageOf(
    'Nothing happens here',
    'This page does not belong to the sign-in that is under way. Go back to the editor and begin again there.',
  ),
}

export class LoopbackListener implements RedirectListener {
  readonly #server: Server
  #hear: ((answer: AuthorizationAnswer) => void) | undefined
  #state = ''

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (asked, answered) => this.#meet(asked, answered))
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

  /** The first answer that carries `state`; whatever else comes gets an error page, and the waiting goes on. */
  answer(state: string, signal: AbortSignal): Promise<AuthorizationAnswer> {
    return until<AuthorizationAnswer>(signal, done => {
      this.#state = state
      this.#hear = done
      return () => {
        this.#hear = undefined
      }
    })
  }

  get #host(): string {
    return `${HOST}:${(this.#server.address() as AddressInfo).port}`
  }

  #meet(asked: IncomingMessage, answered: ServerResponse): void {
    asked.resume()
    const say = (status: number, page: string) =>
      void answered.writeHead(status, { ...headers, ...(status === 405 && { allow: 'GET' }) }).end(page)
    const [path, query] = (asked.url ?? '').split('?', 2)
    // A page elsewhere that gets its name resolved to this machine comes with that name.
    if (asked.headers.host !== this.#host || path !== PATH) return say(404, pages.stray)
    if (asked.method !== 'GET') return say(405, pages.stray)
    const answer = readAuthorizationAnswer(new URLSearchParams(query))
    const hear = this.#hear
    if (!answer || !hear || !isSameText(answer.state ?? '', this.#state)) return say(400, pages.stray)
    const isApproved = answer.error === undefined && answer.code !== undefined
    say(200, isApproved ? pages.approved : pages.refused)
    // One use: a second visit finds nobody.
    hear(answer)
  }

  dispose(): void {
    this.#server.close()
    this.#server.closeIdleConnections()
    // What is being answered at this moment may end its sentence.
    setTimeout(() => this.#server.closeAllConnections(), 1_000).unref()
  }
}
