// The part of the editor that shows inline suggestions: when the provider is called, and what is visible when.
import { AbortedError } from '../../../src/base/abort.ts'
import type { Clock } from '../../../src/base/clock.ts'
import type { Disposable } from '../../../src/base/disposable.ts'
import { Emitter, type Event } from '../../../src/base/event.ts'
import type { DocumentChange, FakeDocument } from './fakeDocument.ts'

/** Replaces `start` to `end` of the document by `text`. */
export interface InlineItem {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Key of the request that the text came from. */
  readonly request: string
}

export interface ProviderCall {
  /** What the suggestion list would put in, while it is open. */
  readonly selected?: { readonly start: number; readonly end: number; readonly text: string } | undefined
}

export interface InlineProvider {
  /** Comes with each change, before the editor calls. */
  changed(change: DocumentChange): void
  provide(call: ProviderCall, signal: AbortSignal): Promise<InlineItem | undefined>
  /** The editor is to call again for this version of the document, if it is still the current one. */
  readonly onDidArriveLate: Event<number>
}

export interface EditorShimOptions {
  readonly document: FakeDocument
  readonly provider: InlineProvider
  readonly clock: Clock
  /** Beside typing the suggestion list opens, as it does unless the user has switched that off. */
  readonly opensList: boolean
}

/**
 * Times of VS Code 1.139 and 1.140: its wait before an automatic call, the time of its explicit trigger, the time until
 * an item is drawn, and how long its suggestion list waits for a pending inline provider.
 */
const CALL_AFTER_MS = 50
const TRIGGERED_CALL_AFTER_MS = 10
const DRAWN_AFTER_MS = 12
const LIST_AFTER_MS = 750

/** One for all calls: an error costs more than the rest of a key. */
const cancelled = new AbortedError('the editor cancelled its call')

export class EditorShim implements Disposable {
  readonly #document: FakeDocument
  readonly #provider: InlineProvider
  readonly #clock: Clock
  readonly #opensList: boolean
  readonly #redrawn = new Emitter<void>()
  readonly #subscriptions: readonly Disposable[]
  /** What the last call answered, moved along with the typing; and what of that is drawn. */
  #item: InlineItem | undefined
  #drawn: InlineItem | undefined
  #call: AbortController | undefined
  #cancelTimers: (() => void)[] = []
  #cancelDrawing = () => {}
  #isListOpen = false

  constructor({ document, provider, clock, opensList }: EditorShimOptions) {
    this.#document = document
    this.#provider = provider
    this.#clock = clock
    this.#opensList = opensList
    this.#subscriptions = [
      document.onDidChange(change => this.#onChange(change)),
      document.onDidMove(() => this.#hide()),
      provider.onDidArriveLate(version => this.#onLateAnswer(version)),
    ]
  }

  /** Something else may be visible, without a key. */
  readonly onDidRedraw: Event<void> = this.#redrawn.event

  /** The item that is visible now: text left of the cursor begins it, text right of the cursor is part of it. */
  get visible(): InlineItem | undefined {
    const item = this.#drawn && isShown(this.#drawn, this.#document) ? this.#drawn : undefined
    return item && this.#isListOpen && !this.#goesOnFromList(item) ? undefined : item
  }

  accept(item: InlineItem): void {
    this.#item = undefined
    this.#drawn = undefined
    this.#document.replace(item.start, item.end, item.text)
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.#cancelCall()
    this.#cancelDrawing()
  }

  #onChange(change: DocumentChange): void {
    this.#item = this.#item && movedBy(this.#item, change)
    this.#drawn = this.#drawn && movedBy(this.#drawn, change)
    this.#isListOpen &&= this.#listItem() !== undefined
    this.#provider.changed(change)
    this.#callIn(CALL_AFTER_MS)
  }

  #hide(): void {
    this.#cancelCall()
    this.#cancelDrawing()
    this.#item = undefined
    this.#drawn = undefined
    this.#isListOpen = false
  }

  /** Only what is missing is asked for again. */
  #onLateAnswer(version: number): void {
    if (version === this.#document.version && !this.#item) this.#callIn(TRIGGERED_CALL_AFTER_MS)
  }

  #cancelCall(): void {
    this.#call?.abort(cancelled)
    this.#call = undefined
    for (const cancel of this.#cancelTimers) cancel()
    this.#cancelTimers = []
  }

  #callIn(waitMs: number): void {
    this.#cancelCall()
    this.#cancelTimers.push(this.#clock.later(waitMs, () => void this.#callProvider()))
  }

  async #callProvider(): Promise<void> {
    const call = new AbortController()
    this.#call = call
    const mayOpenList = this.#opensList && !this.#isListOpen && this.#listItem() !== undefined
    if (mayOpenList) this.#cancelTimers.push(this.#clock.later(LIST_AFTER_MS, () => this.#openList()))
    const selected = this.#isListOpen ? this.#listItem() : undefined
    const item = await this.#provider.provide({ selected }, call.signal)
    if (call.signal.aborted) return
    this.#item = item
    if (mayOpenList && !item) return this.#openList()
    this.#cancelDrawing()
    this.#cancelDrawing = this.#clock.later(DRAWN_AFTER_MS, () => this.#draw())
  }

  #draw(): void {
    this.#drawn = this.#item
    this.#redrawn.fire()
  }

  /** It cancels the call and has the provider called for its first item. */
  #openList(): void {
    this.#isListOpen = true
    this.#redrawn.fire()
    this.#callIn(TRIGGERED_CALL_AFTER_MS)
  }

  /** The nearest word above that begins with the word that is being typed. */
  #listItem(): { start: number; end: number; text: string } | undefined {
    const end = this.#document.cursor
    const before = this.#document.text.slice(0, end)
    const typed = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(before)?.[0]
    if (typed === undefined) return undefined
    const words = before.slice(0, end - typed.length).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
    const text = words.findLast(word => word.startsWith(typed) && word !== typed)
    return text === undefined ? undefined : { start: end - typed.length, end, text }
  }

  #goesOnFromList({ start, text }: InlineItem): boolean {
    const selected = this.#listItem()
    if (!selected || start > selected.start) return false
    return text.startsWith(selected.text, selected.start - start)
  }
}

/** The item with its range where the change leaves it; undefined if the change is not inside it. */
function movedBy(item: InlineItem, { offset, deletedLength, inserted }: DocumentChange): InlineItem | undefined {
  const { start, end } = item
  if (offset < start || offset + deletedLength > end) return undefined
  return { ...item, end: end + inserted.length - deletedLength }
}

function isShown({ text, start, end }: InlineItem, document: FakeDocument): boolean {
  const { cursor } = document
  if (cursor < start || cursor > end) return false
  const left = document.text.slice(start, cursor)
  const right = document.text.slice(cursor, end)
  const rest = text.slice(left.length)
  return text.startsWith(left) && rest !== right && isSubsequence(right, rest)
}

function isSubsequence(part: string, text: string): boolean {
  let at = 0
  for (const character of part) {
    at = text.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}
