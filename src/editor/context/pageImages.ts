// `PageImages`: has a page of the chat scale images, because only a browser can read them.
import { base64 } from '../../base/base64.ts'
import { contentHash } from '../../base/contentHash.ts'
import type { ImageScaler, ScaledImage } from '../../core/context/imageScaler.ts'
import type { FromPage, ToPage } from '../../protocol/panel.ts'

type Send = (message: ToPage) => void

interface Request {
  readonly base64: string
  readonly resolve: (image: ScaledImage | undefined) => void
  /** The one that was asked. */
  page?: object
}

/** An image is read when it is attached, when its size is counted and when it is sent. */
const MOST_KEPT = 8

/** What is asked before a page is ready waits for one. */
export class PageImages implements ImageScaler {
  readonly #pages = new Map<object, Send>()
  readonly #requests = new Map<number, Request>()
  readonly #kept = new Map<string, ScaledImage>()
  #last = 0

  async scaled(bytes: Uint8Array, signal: AbortSignal): Promise<ScaledImage | undefined> {
    const name = await contentHash(bytes)
    const image = this.#kept.get(name) ?? (await this.#ask(base64(bytes), signal))
    if (image) this.#keep(name, image)
    return image
  }

  /** The page is ready, and knows nothing of what one before it was asked. */
  addPage(page: object, send: Send): void {
    this.#pages.set(page, send)
    this.#askAgain(page)
  }

  removePage(page: object): void {
    this.#pages.delete(page)
    this.#askAgain(page)
  }

  receive({ request, image }: Extract<FromPage, { kind: 'scaled-image' }>): void {
    this.#requests.get(request)?.resolve(image)
  }

  #ask(content: string, signal: AbortSignal): Promise<ScaledImage | undefined> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const number = ++this.#last
      const end = () => {
        this.#requests.delete(number)
        signal.removeEventListener('abort', onAbort)
      }
      const onAbort = () => {
        end()
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort)
      this.#requests.set(number, {
        base64: content,
        resolve: image => {
          end()
          resolve(image)
        },
      })
      this.#send(number)
    })
  }

  /** What the page was asked, and what no page was asked. */
  #askAgain(page: object): void {
    for (const [number, request] of this.#requests)
      if (request.page === page || request.page === undefined) this.#send(number)
  }

  #send(number: number): void {
    const request = this.#requests.get(number)
    const [page, send] = [...this.#pages].at(-1) ?? []
    if (!request) return
    if (page) request.page = page
    else delete request.page
    send?.({ kind: 'scale-image', request: number, base64: request.base64 })
  }

  #keep(name: string, image: ScaledImage): void {
    this.#kept.delete(name)
    this.#kept.set(name, image)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}
