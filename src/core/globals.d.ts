// The web-standard names that base, protocol and core may use; every other global name is a compiler error there.

interface Event {
  readonly type: string
  readonly target: object | null
}

/** https://dom.spec.whatwg.org/#interface-AbortSignal */
interface AbortSignal {
  readonly aborted: boolean
  // biome-ignore lint/suspicious/noExplicitAny: the standard lets a reason be anything
  readonly reason: any
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: (event: Event) => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: (event: Event) => void): void
}

declare const AbortSignal: {
  abort(reason?: unknown): AbortSignal
  any(signals: Iterable<AbortSignal>): AbortSignal
}

/** https://dom.spec.whatwg.org/#interface-abortcontroller */
declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

/** https://encoding.spec.whatwg.org/#interface-textdecoder */
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean })
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string
}

/** https://encoding.spec.whatwg.org/#interface-textencoder */
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
}

/** https://url.spec.whatwg.org/#urlsearchparams */
declare class URLSearchParams {
  constructor(init?: string | Readonly<Record<string, string>> | Iterable<readonly [string, string]>)
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  entries(): IterableIterator<[string, string]>
  [Symbol.iterator](): IterableIterator<[string, string]>
  toString(): string
}

/** https://url.spec.whatwg.org/#url-class */
declare class URL {
  static canParse(url: string, base?: string | URL): boolean
  static parse(url: string, base?: string | URL): URL | null
  constructor(url: string, base?: string | URL)
  hash: string
  host: string
  hostname: string
  href: string
  readonly origin: string
  password: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  username: string
  toString(): string
}

/** https://w3c.github.io/webcrypto/ */
declare const crypto: {
  getRandomValues<T extends Uint8Array>(bytes: T): T
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`
  readonly subtle: {
    digest(algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer>
  }
}

declare const performance: { now(): number }
declare function btoa(text: string): string
declare function queueMicrotask(work: () => void): void
declare function setTimeout(work: () => void, ms?: number): object
declare function clearTimeout(timer: object | undefined): void
