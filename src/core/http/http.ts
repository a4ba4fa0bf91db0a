// `Http`: the port through which a request goes out and an answer comes back.

/** One request to one host. Redirects are never followed: a request may carry a secret. */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The same request may be sent again when no answer came. Not so for what must happen once. */
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
  /** Lets go of what was not read; the connection is closed. */
  close(): void
}

/** How long to wait, in milliseconds. Any byte counts as life. */
export interface Limits {
  readonly firstByteMs: number
  readonly silenceMs: number
}
