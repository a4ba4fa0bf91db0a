// `Progress`: in which file a thread looks for a pattern, in memory that it shares with the one who watches it.

export interface Progress {
  begin(path: string): void
  end(): void
}

const HEADER_BYTES = 8
const PATH_BYTES = 4_096

export const noProgress: Progress = { begin: () => {}, end: () => {} }

export function sharedProgress(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + PATH_BYTES)
}

/** On the side of the thread. */
export class ReportedProgress implements Progress {
  readonly #header: Int32Array
  readonly #path: Uint8Array
  readonly #encoder = new TextEncoder()
  #count = 0

  constructor(shared: SharedArrayBuffer) {
    this.#header = new Int32Array(shared, 0, 2)
    this.#path = new Uint8Array(shared, HEADER_BYTES)
  }

  begin(path: string): void {
    this.#header[1] = this.#encoder.encodeInto(path, this.#path).written
    this.#count = (this.#count % 0x3fffffff) + 1
    Atomics.store(this.#header, 0, this.#count)
  }

  end(): void {
    Atomics.store(this.#header, 0, 0)
  }
}

/** On the side of the one who watches. */
export class WatchedProgress {
  readonly #shared: SharedArrayBuffer

  constructor(shared: SharedArrayBuffer) {
    this.#shared = shared
  }

  /** Another number for each file, 0 while the thread is in none. */
  get count(): number {
    return Atomics.load(new Int32Array(this.#shared), 0)
  }

  get path(): string {
    const length = new Int32Array(this.#shared)[1] ?? 0
    return new TextDecoder().decode(new Uint8Array(this.#shared, HEADER_BYTES, length).slice())
  }
}
