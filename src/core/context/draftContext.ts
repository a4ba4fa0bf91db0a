// `DraftContext`: what is attached to the unsent message of one conversation.
import { isAbort } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { PartOf, PromptPart } from '../../protocol/conversation.ts'
import type { Chip, ChipKind, KeptAttachment } from '../../protocol/draft.ts'
import type { ConsentReason, ContextSources, Omission, Resolved, Room, UnavailableReason } from './contextSources.ts'
import { type KeyRemover, withoutKeys } from './keylessSources.ts'

/** An image, or a text without a file. */
export type ContentPart = PartOf<'image'> | PartOf<'attachment'>

export interface DraftContextOptions {
  readonly sources: ContextSources
  /** Asks the user whether the file is attached although the access policy advises against it. */
  readonly confirm: (ask: Consent, signal: AbortSignal) => Promise<boolean>
  readonly tokensOf: (parts: readonly PromptPart[]) => Promise<number>
  readonly problemText: (why: UnavailableReason, name: string, room?: Room) => string
  /** More about the size of what is attached, beside its tokens. */
  readonly sizeText?: (reference: ContextReference, tokens: number) => string | undefined
  readonly omissionText: (omitted: readonly Omission[]) => string | undefined
  readonly keys: KeyRemover
  /** The sentence that an API key in an attachment is left out. */
  readonly lacksKeyText: string
  /** Keeps a content that belongs to no file, and resolves with its name. */
  readonly store: (part: ContentPart) => Promise<string>
  /** Undefined if it is no longer there. */
  readonly load: (content: string) => Promise<ContentPart | undefined>
  readonly newId: () => string
}

export interface Consent {
  readonly why: ConsentReason
  readonly name: string
  readonly target?: string
}

/** The parts to send, or the attachment that prevents it. */
export type Taken =
  | { readonly is: 'ready'; readonly parts: readonly PromptPart[] }
  | { readonly is: 'blocked'; readonly label: string; readonly problem: string }

interface Attached {
  readonly id: string
  readonly what: { readonly reference: ContextReference } | { readonly part: ContentPart; readonly content?: string }
  readonly chip: Chip
  /** The user has agreed to it. Is forgotten with the window. */
  readonly isConfirmed: boolean
}

/** A reference is read when it is attached, for its size, and again when it is sent, because the file may have changed. */
export class DraftContext implements Disposable {
  readonly #options: DraftContextOptions
  readonly #changed = new Emitter<void>()
  readonly #end = new AbortController()
  #attached: readonly Attached[] = []

  constructor(options: DraftContextOptions) {
    this.#options = options
  }

  readonly onDidChange: Event<void> = this.#changed.event

  get chips(): readonly Chip[] {
    return this.#attached.map(({ chip }) => chip)
  }

  /** For the draft memory; without what could not be stored yet. */
  get kept(): readonly KeptAttachment[] {
    return this.#attached.flatMap(({ what }) => keptOf(what))
  }

  /** The files that are attached. */
  get uris(): readonly string[] {
    return this.#attached.flatMap(({ what }) =>
      'reference' in what && 'uri' in what.reference && what.reference.uri ? [what.reference.uri] : [],
    )
  }

  has(reference: ContextReference): boolean {
    const key = JSON.stringify(reference)
    return this.#attached.some(({ what }) => 'reference' in what && JSON.stringify(what.reference) === key)
  }

  reference(chip: string): ContextReference | undefined {
    const found = this.#attached.find(({ id }) => id === chip)
    return found && 'reference' in found.what ? found.what.reference : undefined
  }

  /** Attaches it once. Resolves when it has been read, or the user has declined it. */
  async add(reference: ContextReference): Promise<void> {
    if (this.has(reference)) return
    const { label, detail, icon: kind } = this.#options.sources.describe(reference)
    const id = this.#append({ reference }, { kind, label, ...(detail && { detail }) })
    await this.#read(id, reference)
  }

  /** Asks first where there is a reason against it. */
  async addContent(given: ContentPart, against?: Consent): Promise<void> {
    const { keys, lacksKeyText: warning } = this.#options
    if (against && !(await this.#options.confirm(against, this.#end.signal))) return
    const part = withoutKeys(given, keys)
    const id = this.#append({ part }, { ...labelOf(part), ...(part !== given && { warning }) })
    const [tokens, content] = await Promise.all([this.#options.tokensOf([part]), this.#options.store(part)])
    this.#change(id, attached => ({
      ...attached,
      what: { part, content },
      chip: { ...attached.chip, state: 'ready', tokens },
    }))
  }

  /** Attaches what was kept with the draft. What is secret is asked about when it is sent. */
  async restore(kept: readonly KeptAttachment[]): Promise<void> {
    await Promise.all(kept.map(one => ('reference' in one ? this.#restoreReference(one.reference) : this.#load(one))))
  }

  remove(id: string): void {
    this.#attached = this.#attached.filter(attached => attached.id !== id)
    this.#changed.fire()
  }

  removeReference(reference: ContextReference): void {
    const key = JSON.stringify(reference)
    const found = this.#attached.find(({ what }) => 'reference' in what && JSON.stringify(what.reference) === key)
    if (found) this.remove(found.id)
  }

  clear(): void {
    if (this.#attached.length === 0) return
    this.#attached = []
    this.#changed.fire()
  }

  /** Takes over all that is attached to another draft. */
  takeFrom(other: DraftContext): void {
    this.#attached = [...this.#attached, ...other.#attached]
    other.clear()
    this.#changed.fire()
  }

  /** Reads everything as it is now. Asks the user about what needs consent; a file that is declined is removed. */
  async take(signal: AbortSignal): Promise<Taken> {
    const parts: PromptPart[] = []
    for (const { id, what, isConfirmed, chip } of this.#attached) {
      if ('part' in what) {
        parts.push(what.part)
        continue
      }
      const resolved = await this.#resolveWithConsent(id, what.reference, isConfirmed, signal)
      if (resolved === 'declined') continue
      if (resolved.is === 'image') {
        parts.push(resolved.part)
        continue
      }
      if (resolved.is !== 'ready') {
        await this.#show(id, resolved)
        return { is: 'blocked', label: chip.label, problem: this.#problem(resolved) }
      }
      parts.push(...resolved.parts)
    }
    return { is: 'ready', parts }
  }

  #problem(resolved: Exclude<Resolved, { is: 'ready' | 'image' }>): string {
    const { problemText } = this.#options
    if (resolved.is === 'ask') return problemText('unsupported', resolved.name)
    return problemText(resolved.why, resolved.name, resolved.room)
  }

  async #restoreReference(reference: ContextReference): Promise<void> {
    const { label, detail, icon: kind } = this.#options.sources.describe(reference)
    const id = this.#append({ reference }, { kind, label, ...(detail && { detail }) })
    const resolved = await this.#options.sources.resolve(reference, { isConfirmed: false }, this.#end.signal)
    if (resolved.is === 'ask')
      this.#change(id, attached => ({ ...attached, chip: { ...attached.chip, state: 'ready' } }))
    else await this.#show(id, resolved)
  }

  async #load({ content }: Extract<KeptAttachment, { content: string }>): Promise<void> {
    const part = await this.#options.load(content)
    if (part) await this.addContent(part)
  }

  async #read(id: string, reference: ContextReference): Promise<void> {
    try {
      const resolved = await this.#resolveWithConsent(id, reference, false, this.#end.signal)
      if (resolved !== 'declined') await this.#show(id, resolved)
    } catch (fault) {
      if (!isAbort(fault)) throw fault
    }
  }

  async #resolveWithConsent(id: string, reference: ContextReference, isConfirmed: boolean, signal: AbortSignal) {
    const { sources, confirm } = this.#options
    const first = await sources.resolve(reference, { isConfirmed }, signal)
    if (first.is !== 'ask') return first
    if (!(await confirm(first, signal))) {
      this.remove(id)
      return 'declined'
    }
    this.#change(id, attached => ({ ...attached, isConfirmed: true }))
    return await sources.resolve(reference, { isConfirmed: true }, signal)
  }

  async #show(id: string, resolved: Resolved): Promise<void> {
    const { tokensOf, omissionText, sizeText, lacksKeyText } = this.#options
    if (resolved.is === 'image') {
      const tokens = await tokensOf([resolved.part])
      this.#change(id, attached => ({ ...attached, chip: { ...attached.chip, kind: 'image', state: 'ready', tokens } }))
      return
    }
    if (resolved.is !== 'ready') {
      const problem = this.#problem(resolved)
      this.#change(id, attached => ({ ...attached, chip: { ...attached.chip, state: 'unavailable', problem } }))
      return
    }
    const tokens = await tokensOf(resolved.parts)
    const notice = omissionText(resolved.omitted)
    const reference = this.reference(id)
    const detail = reference && sizeText?.(reference, tokens)
    const about = {
      ...(detail !== undefined && { detail }),
      ...(notice !== undefined && { notice }),
      ...(resolved.lacksKey && { warning: lacksKeyText }),
    }
    this.#change(id, attached => ({ ...attached, chip: { ...attached.chip, state: 'ready', tokens, ...about } }))
  }

  #append(what: Attached['what'], about: Pick<Chip, 'kind' | 'label' | 'detail' | 'warning'>): string {
    const id = this.#options.newId()
    const chip: Chip = { id, ...about, state: 'reading' }
    this.#attached = [...this.#attached, { id, what, chip, isConfirmed: false }]
    this.#changed.fire()
    return id
  }

  /** Nothing if it was removed meanwhile. */
  #change(id: string, change: (attached: Attached) => Attached): void {
    this.#attached = this.#attached.map(attached => (attached.id === id ? change(attached) : attached))
    this.#changed.fire()
  }

  dispose(): void {
    this.#end.abort()
    this.#changed.dispose()
  }
}

function keptOf(what: Attached['what']): KeptAttachment[] {
  if ('reference' in what) return [{ reference: what.reference }]
  const { part, content } = what
  if (content === undefined) return []
  if (part.kind === 'attachment') return [{ content, name: part.name, mediaType: 'text/plain' }]
  const { name = '', mediaType, width, height } = part
  return [{ content, name, mediaType, ...(width !== undefined && { width }), ...(height !== undefined && { height }) }]
}

function labelOf(part: ContentPart): { readonly kind: ChipKind; readonly label: string; readonly detail?: string } {
  if (part.kind === 'attachment') return { kind: part.source, label: part.name }
  const { name = '', width, height } = part
  return { kind: 'image', label: name, ...(width && height && { detail: `${width} × ${height}` }) }
}
