// `acceptContinue`: makes undici's HTTP/1.1 client ignore a `100 Continue` that it would treat as an error.
import type { Client } from 'undici'
import symbols from 'undici/lib/core/symbols.js'

/** The parser of one connection, which undici 8.12 has as a member of the socket. */
interface Parser {
  onHeadersComplete(status: number, ...rest: readonly unknown[]): unknown
}

const CONTINUE = 100
const PROCESSING = 102

/**
 * A client must be able to read interim responses that it did not ask for (RFC 9110 15.2). Undici 8.12 does so except
 * for `100 Continue`, on which it closes the connection. So the parser receives another interim status in its place.
 */
export function acceptContinue(client: Client): void {
  client.on('connect', () => {
    const parser = parserOf(client)
    if (!parser) return
    const onHeadersComplete = parser.onHeadersComplete.bind(parser)
    parser.onHeadersComplete = (status, ...rest) =>
      onHeadersComplete(status === CONTINUE ? PROCESSING : status, ...rest)
  })
}

function parserOf(client: Client): Parser | undefined {
  const socket: unknown = Reflect.get(client, symbols.kSocket)
  if (typeof socket !== 'object' || socket === null) return undefined
  const parser: unknown = Reflect.get(socket, symbols.kParser)
  // as: checked for the only member that is used
  return typeof parser === 'object' && parser !== null && 'onHeadersComplete' in parser ? (parser as Parser) : undefined
}
