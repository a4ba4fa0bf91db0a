// `Attachments`: attaches to one unsent message: that in the composer, or a question that is being changed.
import type { OfferedChip } from '../../protocol/draft.ts'
import type { FromPage } from '../../protocol/panel.ts'

export interface AttachmentsStore {
  readonly conversation: string
  send(message: FromPage): void
}

type Image = Omit<Extract<FromPage, { kind: 'attach-image' }>, 'kind' | 'conversation' | 'edited'>

export class Attachments {
  readonly #store: AttachmentsStore
  readonly #edited: { readonly edited?: string }

  /** `turn`: that of the question. */
  constructor(store: AttachmentsStore, turn?: string) {
    this.#store = store
    this.#edited = turn === undefined ? {} : { edited: turn }
  }

  get #message() {
    return { conversation: this.#store.conversation, ...this.#edited }
  }

  suggest(request: number, trigger: '/' | '@' | '#', text: string): void {
    this.#store.send({ kind: 'suggest', ...this.#message, request, trigger, text })
  }

  takeSuggestion(request: number, item: number): void {
    this.#store.send({ kind: 'take-suggestion', ...this.#message, request, item })
  }

  takeOffer(offer: OfferedChip['offer']): void {
    this.#store.send({ kind: 'take-offer', ...this.#message, offer })
  }

  attachUris(uris: string[]): void {
    this.#store.send({ kind: 'attach-uris', ...this.#message, uris })
  }

  attachImage(image: Image): void {
    this.#store.send({ kind: 'attach-image', ...this.#message, ...image })
  }

  attachText(name: string, text: string): void {
    this.#store.send({ kind: 'attach-text', ...this.#message, name, text })
  }
}
