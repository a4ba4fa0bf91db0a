// `SeenFiles`: for each conversation and file, the text that the model has last read or written.
import { contentHash } from '../../base/contentHash.ts'
import { Lru } from '../../base/lru.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { ChangeStore } from './changePorts.ts'

/** Lines, from 1 on; the last one is one of them. */
export type LineSpan = readonly [from: number, to: number]

/**
 * One line of what is kept; `hash` is null once the model knows that there is no file. `shown`: the lines that the model
 * has seen, where these are not all.
 */
export interface SeenRecord {
  readonly uri: string
  readonly hash: string | null
  readonly shown?: readonly LineSpan[] | undefined
}

/** Lines of a file that has `of` lines. */
export interface ShownLines {
  readonly from: number
  readonly to: number
  readonly of: number
}

/** Keeps for each conversation what was seen, in the order in which it was. */
export interface SeenStore {
  seen(conversation: string): Promise<readonly SeenRecord[]>
  addSeen(conversation: string, record: SeenRecord): Promise<void>
}

export interface SeenText {
  readonly hash: string
  /** With `\n` line ends. */
  readonly text: string
  /** The model has seen all of it, or written it. */
  readonly isWhole: boolean
}

type Seen = Omit<SeenRecord, 'uri' | 'hash'> & { readonly hash: string }

const TEXTS = 40

/** What is seen counts at once, and is kept soon after: it only decides whether the model is asked to read again. */
export class SeenFiles {
  readonly #store: SeenStore & Pick<ChangeStore, 'keep' | 'read'>
  readonly #work = new Queue()
  readonly #loaded = new Map<string, Promise<Map<string, Seen>>>()
  readonly #texts = new Lru<string, string>(TEXTS)

  constructor(store: SeenStore & Pick<ChangeStore, 'keep' | 'read'>) {
    this.#store = store
  }

  /** Undefined where the model has not seen the file, or its text was lost. */
  async of(conversation: string, uri: string): Promise<SeenText | undefined> {
    const { hash, shown } = (await this.#hashes(conversation)).get(uri) ?? {}
    if (hash === undefined) return undefined
    const text = this.#texts.get(hash) ?? (await this.#store.read(hash))
    if (text === undefined) return undefined
    this.#texts.set(hash, text)
    return { hash, text, isWhole: shown === undefined }
  }

  /** The model has been shown these lines of the text, or all of it, or has written it. Returns the hash of the text. */
  async note(conversation: string, uri: string, text: string, lines?: ShownLines): Promise<string> {
    const hash = await contentHash(text)
    const before = (await this.#hashes(conversation)).get(uri)
    const isKnown = before?.hash === hash
    if (isKnown && before.shown === undefined) return hash
    await this.#set(conversation, uri, text, { hash, shown: lines && withLines(isKnown ? before.shown : [], lines) })
    return hash
  }

  /** The text is another one now, which the model knows as far as it knew the one before. */
  async noteChanged(conversation: string, uri: string, text: string): Promise<void> {
    const before = (await this.#hashes(conversation)).get(uri)
    const isWhole = before !== undefined && before.shown === undefined
    await this.#set(conversation, uri, text, { hash: await contentHash(text), shown: isWhole ? undefined : [] })
  }

  async #set(conversation: string, uri: string, text: string, { hash, shown }: Seen): Promise<void> {
    this.#texts.set(hash, text)
    ;(await this.#hashes(conversation)).set(uri, { hash, shown })
    this.#keep(async () => {
      await this.#store.keep(hash, text)
      await this.#store.addSeen(conversation, { uri, hash, ...(shown && { shown }) })
    })
  }

  /** The file is not there any more. */
  async forget(conversation: string, uri: string): Promise<void> {
    if (!(await this.#hashes(conversation)).delete(uri)) return
    this.#keep(() => this.#store.addSeen(conversation, { uri, hash: null }))
  }

  /** The file has another name. */
  async move(conversation: string, from: string, to: string): Promise<void> {
    const [text, seen] = [(await this.of(conversation, from))?.text, (await this.#hashes(conversation)).get(from)]
    await this.forget(conversation, from)
    if (seen && text !== undefined) await this.#set(conversation, to, text, seen)
  }

  /** Somebody else has renamed a file, or a folder with all that is in it. Concerns what was asked about in this window. */
  async renamed(from: string, to: string): Promise<void> {
    for (const [conversation, uri] of await this.#seenIn(from))
      await this.move(conversation, uri, to + uri.slice(from.length))
  }

  /** Somebody else has deleted a file, or a folder with all that is in it. */
  async removed(uri: string): Promise<void> {
    for (const [conversation, file] of await this.#seenIn(uri)) await this.forget(conversation, file)
  }

  /** The file, or the files of the folder, with each conversation that has seen them. */
  async #seenIn(place: string): Promise<readonly (readonly [conversation: string, uri: string])[]> {
    const loaded = [...this.#loaded].map(async ([conversation, hashes]) => {
      const uris = [...(await hashes).keys()]
      const inPlace = uris.filter(uri => uri === place || uri.startsWith(`${place}/`))
      return inPlace.map(uri => [conversation, uri] as const)
    })
    return (await Promise.all(loaded)).flat()
  }

  /** Resolves when everything so far is kept. */
  async kept(): Promise<void> {
    await this.#work.add(async () => {})
  }

  #keep(work: () => Promise<void>): void {
    // Without a record the model is asked to read the file again, no more.
    void this.#work.add(work).catch(() => {})
  }

  #hashes(conversation: string): Promise<Map<string, Seen>> {
    const known = this.#loaded.get(conversation)
    if (known) return known
    const loaded = this.#load(conversation)
    this.#loaded.set(conversation, loaded)
    return loaded
  }

  async #load(conversation: string): Promise<Map<string, Seen>> {
    const hashes = new Map<string, Seen>()
    for (const { uri, hash, shown } of await this.#store.seen(conversation).catch(() => [])) {
      if (hash === null) hashes.delete(uri)
      else hashes.set(uri, { hash, shown })
    }
    return hashes
  }
}

/** Undefined for all lines. */
function withLines(shown: readonly LineSpan[] = [], { from, to, of }: ShownLines): readonly LineSpan[] | undefined {
  const spans = [...shown, [from, to] as const].toSorted(([a], [b]) => a - b)
  const joined: LineSpan[] = []
  for (const [start, end] of spans) {
    const [first, last] = joined.at(-1) ?? [start, start - 2]
    if (start <= last + 1) joined.splice(-1, 1, [first, Math.max(last, end)])
    else joined.push([start, end])
  }
  const [[start, end] = [0, 0]] = joined
  return start <= 1 && end >= of ? undefined : joined
}
