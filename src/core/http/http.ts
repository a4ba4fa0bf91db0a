// `Http`: the port through which a request goes out and an answer comes back.

/** One request to one host. Redirects are never followed: a request may carry a secret. */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>

/**
 * Resolves once a connection to the host of `url` is open that no request uses; opens one if there is none. Nothing is
 * sent on it. Rejects where none can be opened.
 */
export type Connect = (url: string) => Promise<void>

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The same request may be sent again when there was no response. False for what must happen only once. */
  readonly mayRepeat?: boolean
  readonly limits?: Limits
  readonly signal: AbortSignal
}

export interface HttpAnswer {
  readonly host: string
  readonly status: number
  /** Names in lower case; several values joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Read it once, or `close`. Throws a `TransportError` when the answer breaks off. */
  readonly body: AsyncIterable<Uint8Array>
  /** Discards what was not read and closes the connection. */
  close(): void
}

/** How long to wait for the first byte, and between two bytes, in milliseconds. */
export interface Limits {
  readonly firstByteMs: number
  readonly silenceMs: number
}
