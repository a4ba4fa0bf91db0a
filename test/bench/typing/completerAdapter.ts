// The completer as the editor shim sees it: the one place of the replay that knows the completer's API and its prompt.
import type { Clock } from '../../../src/base/clock.ts'
import type { Disposable } from '../../../src/base/disposable.ts'
import { Emitter, type Event } from '../../../src/base/event.ts'
import { Completer } from '../../../src/core/complete/completer.ts'
import type { ModelClient, ModelRequest } from '../../../src/core/model/modelClient.ts'
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import type { InlineItem, InlineProvider, ProviderCall } from './editorShim.ts'
import type { DocumentChange, FakeDocument } from './fakeDocument.ts'
import type { Source } from './source.ts'

export interface CompleterAdapterOptions {
  readonly source: Source
  readonly document: FakeDocument
  readonly models: ModelClient
  readonly clock: Clock
}

export class CompleterAdapter implements InlineProvider, Disposable {
  readonly #source: Source
  readonly #document: FakeDocument
  readonly #completer: Completer
  readonly #late = new Emitter<number>()
  #requestKey = ''

  constructor({ source, document, models, clock }: CompleterAdapterOptions) {
    this.#source = source
    this.#document = document
    this.#completer = new Completer({
      models,
      model: () => 'oracle',
      clock,
      neighbours: () => [],
      settings: () => ({ enabled: {}, delayMs: null, mode: 'eager', exclude: [] }),
      log: { debug: () => {} },
    })
    this.#completer.onDidArriveLate(snapshot => this.#late.fire(snapshot.version))
  }

  /** An answer came for a call that had gone without; the event is the document's version at that call. */
  readonly onDidArriveLate: Event<number> = this.#late.event

  /** The completer compares snapshots and needs no change event. */
  changed(_change: DocumentChange): void {}

  /**
   * Under which name the suggestions of a request come that starts now: it is for the latest call, even if the document
   * has changed since.
   */
  get requestKey(): string {
    return this.#requestKey
  }

  async provide({ selected }: ProviderCall, signal: AbortSignal): Promise<InlineItem | undefined> {
    const snapshot = this.#snapshot()
    this.#requestKey = `${snapshot.id}#${snapshot.version}:${snapshot.offset}`
    const suggestion = await this.#completer.complete(snapshot, { isExplicit: false, selected }, signal)
    if (!suggestion) return undefined
    const { text, range, id } = suggestion
    return { text, start: range.start, end: range.end, request: id }
  }

  dispose(): void {
    this.#completer.dispose()
  }

  #snapshot(): DocumentSnapshot {
    const { path, language, indent } = this.#source
    const { text, version, cursor: offset } = this.#document
    return { id: path, path, language, indent, text, version, offset }
  }
}

/** The document before the cursor, as far as the prompt shows it. The mark also stands in the instructions below it. */
export function beforeCursor(request: ModelRequest): string {
  const prompt = request.messages.at(-1)?.text ?? ''
  const opening = '<before_cursor>\n'
  const start = prompt.lastIndexOf(opening) + opening.length
  return prompt.slice(start, prompt.lastIndexOf('▮', prompt.lastIndexOf('</before_cursor>')))
}
