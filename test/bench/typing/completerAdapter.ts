// The completer as the editor shim sees it: the one place of the replay that knows the completer's API and its prompt.
import type { Clock } from '../../../src/base/clock.ts'
import type { Disposable } from '../../../src/base/disposable.ts'
import { Emitter, type Event } from '../../../src/base/event.ts'
import { Completer } from '../../../src/core/complete/completer.ts'
import { KindCounts } from '../../../src/core/complete/kindCounts.ts'
import { ModelPace } from '../../../src/core/complete/modelPace.ts'
import { ThinkingSwitch } from '../../../src/core/complete/thinkingSwitch.ts'
import type { ModelClient, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { plainText } from '../../../src/core/model/plainText.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { EditLog } from '../../../src/core/workspace/editLog.ts'
import { holeMode, noConnection, noSources } from '../../core/complete/holeMode.ts'
import type { InlineItem, InlineProvider, ProviderCall } from './editorShim.ts'
import type { DocumentChange, FakeDocument } from './fakeDocument.ts'
import type { Source } from './source.ts'

/**
 * What its surroundings can keep the completer from, to measure what it is worth. Reuse: that an answer, open or stored,
 * is still of use after another key. Replacement: that an open request gives way to one for what was typed since.
 */
export const removableParts = ['reuse', 'ask with change', 'speculation', 'replacement'] as const

export type Part = (typeof removableParts)[number]

export interface CompleterAdapterOptions {
  readonly source: Pick<Source, 'path' | 'language' | 'indent'>
  readonly document: Pick<FakeDocument, 'text' | 'version' | 'cursor'>
  readonly models: ModelClient
  readonly clock: Clock
  /** The plan has room for one request more; it always has without this. */
  readonly hasFreeSlot?: () => boolean
  /** One more would be free beside it, and no chat is answered. */
  readonly hasExtraSlot?: () => boolean
  readonly without?: readonly Part[]
  /** Other open documents: their paths and texts. */
  readonly neighbours?: readonly Pick<Source, 'path' | 'text'>[]
}

export class CompleterAdapter implements InlineProvider, Disposable {
  readonly #source: CompleterAdapterOptions['source']
  readonly #document: CompleterAdapterOptions['document']
  readonly #completer: Completer
  readonly #documents = new Documents()
  readonly #late = new Emitter<number>()
  readonly #without: readonly Part[]

  constructor(options: CompleterAdapterOptions) {
    const {
      source,
      document,
      models,
      clock,
      hasFreeSlot = () => true,
      hasExtraSlot = () => true,
      without = [],
      neighbours = [],
    } = options
    this.#source = source
    this.#document = document
    this.#without = without
    const others = neighbours.map(({ path, text }) => this.#snapshotOf(path, text, 1, 0))
    const { text, version } = document
    this.#documents.open({ uri: source.path, language: source.language, version, text, lineEnd: '\n' })
    const learnt = { memory: new Map(), address: () => '' }
    this.#completer = new Completer({
      models,
      model: () => 'oracle',
      clock,
      neighbours: () => others,
      settings: () => ({ enabled: { '*': true, markdown: true }, delayMs: null, mode: 'eager', exclude: [] }),
      access: new AccessPolicy({ isTrusted: () => true, excludedGlobs: () => [], ignoredOf: async () => new Set() }),
      documents: this.#documents,
      thinking: new ThinkingSwitch({ memory: new Map(), surface: () => 'chat-completions', address: () => '' }),
      modes: holeMode,
      kinds: new KindCounts(learnt),
      modelPace: new ModelPace(learnt),
      hasFreeSlot: () => hasFreeSlot() && !without.includes('replacement'),
      hasExtraSlot: () => hasExtraSlot() && !without.includes('speculation'),
      connection: noConnection,
      sources: noSources,
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
    if (this.#without.includes('reuse')) this.#completer.forget(this.#source.path)
    if (!this.#without.includes('ask with change')) this.#completer.changed(this.#snapshot())
  }

  /** Under which name the suggestions of a request come that starts now. */
  get requestKey(): string {
    return String(this.#completer.counts.requests)
  }

  async provide({ selected }: ProviderCall, signal: AbortSignal): Promise<InlineItem | undefined> {
    const snapshot = this.#snapshot()
    const [suggestion] = await this.#completer.complete(snapshot, { isExplicit: false, selected }, signal)
    if (!suggestion) return undefined
    const { text, start, end, id } = suggestion
    return { text, start, end, request: id }
  }

  dispose(): void {
    this.#completer.dispose()
  }

  #snapshot(): DocumentSnapshot {
    const { text, version, cursor } = this.#document
    // The tracked text is what a window has.
    return this.#snapshotOf(this.#source.path, this.#documents.get(this.#source.path)?.text ?? text, version, cursor)
  }

  #snapshotOf(path: string, text: string, version: number, offset: number): DocumentSnapshot {
    const { language, indent } = this.#source
    const log = this.#documents.get(path)?.log ?? EditLog.startingAt({ version, length: text.length, reason: 'opened' })
    return { id: path, path, isInWorkspace: true, language, indent, text, version, log, offset }
  }
}

/** The document before the cursor, as far as the prompt shows it. The mark is also in the closing sentence. */
export function beforeCursor(request: ModelRequest): string {
  const last = request.messages.at(-1)
  const prompt = last?.role === 'user' ? plainText(last.parts) : ''
  const opening = '<through_cursor_line>\n'
  const start = prompt.lastIndexOf(opening) + opening.length
  return prompt.slice(start, prompt.lastIndexOf('▮', prompt.lastIndexOf('</through_cursor_line>')))
}
