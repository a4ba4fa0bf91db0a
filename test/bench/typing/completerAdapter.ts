// The completer as the editor shim sees it: the one place of the replay that knows the completer's API and its prompt.
import type { Clock } from '../../../src/base/clock.ts'
import type { Disposable } from '../../../src/base/disposable.ts'
import { Emitter, type Event } from '../../../src/base/event.ts'
import { Completer } from '../../../src/core/complete/completer.ts'
import type { ModelClient, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { plainText } from '../../../src/core/model/plainText.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { EditLog } from '../../../src/core/workspace/editLog.ts'
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
  readonly #documents = new Documents()
  readonly #late = new Emitter<number>()
  #requestKey = ''

  constructor({ source, document, models, clock }: CompleterAdapterOptions) {
    this.#source = source
    this.#document = document
    const { text, version } = document
    this.#documents.open({ uri: source.path, language: source.language, version, text, lineEnd: '\n' })
    this.#completer = new Completer({
      models,
      model: () => 'oracle',
      clock,
      neighbours: () => [],
      settings: () => ({ enabled: {}, delayMs: null, mode: 'eager', exclude: [] }),
      access: new AccessPolicy({ isTrusted: () => true, excludedGlobs: () => [], ignoredOf: async () => new Set() }),
      documents: this.#documents,
      log: { debug: () => {} },
    })
    this.#completer.onDidArriveLate(snapshot => this.#late.fire(snapshot.version))
  }

  /** An answer came for a call that had gone without; the event is the document's version at that call. */
  readonly onDidArriveLate: Event<number> = this.#late.event

  /** Feeds the edit log, as the editor's change event does. */
  changed({ offset, deletedLength, inserted, version }: DocumentChange): void {
    const { text } = this.#document
    this.#documents.change(this.#source.path, {
      version,
      lineEnd: '\n',
      changes: [{ offset, length: deletedLength, text: inserted }],
      lengthAfter: text.length,
      readText: () => text,
    })
  }

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
    const { text, start, end, id } = suggestion
    return { text, start, end, request: id }
  }

  dispose(): void {
    this.#completer.dispose()
  }

  #snapshot(): DocumentSnapshot {
    const { path, language, indent } = this.#source
    const { text, version, cursor: offset } = this.#document
    const log = this.#documents.get(path)?.log ?? EditLog.startingAt({ version, length: text.length, reason: 'opened' })
    return { id: path, path, isInWorkspace: true, language, indent, text, version, log, offset }
  }
}

/** The document before the cursor, as far as the prompt shows it. The mark is also in the instructions below it. */
export function beforeCursor(request: ModelRequest): string {
  const last = request.messages.at(-1)
  const prompt = last?.role === 'user' ? plainText(last.parts) : ''
  const opening = '<before_cursor>\n'
  const start = prompt.lastIndexOf(opening) + opening.length
  return prompt.slice(start, prompt.lastIndexOf('▮', prompt.lastIndexOf('</before_cursor>')))
}
