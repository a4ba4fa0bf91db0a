// `DraftContext`: what is attached to the unsent message of one conversation.
import { isAbort } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { PartOf, PromptPart } from '../../protocol/conversation.ts'
import type { Chip, ChipKind, KeptAttachment } from '../../protocol/draft.ts'
import type {
  ConsentReason,
  ContextSources,
  Differences,
  Omission,
  Resolved,
  Room,
  UnavailableReason,
} from './contextSources.ts'
import { type KeyRemover, safePart } from './safeSources.ts'
import type { ContentPart, SentAttachment } from './sentAttachments.ts'

export interface DraftContextOptions {
  readonly sources: ContextSources
  /** Asks the user whether the file is attached although the access policy advises against it. */
  readonly confirm: (ask: Consent, signal: AbortSignal) => Promise<boolean>
  readonly tokensOf: (parts: readonly PromptPart[]) => Promise<number>
  readonly problemText: (why: UnavailableReason, name: string, room?: Room) => string
  /** More about the size of what is attached, beside its tokens. */
  readonly sizeText?: (reference: ContextReference, tokens: number) => string | undefined
  readonly omissionText: (omitted: readonly Omission[]) => string | undefined
  /** The sentence that all files are in it, because there is no git that tracks some. */
  readonly lacksGitText: string
  readonly keys: KeyRemover
  /** What of an attachment is not sent as it is, as sentences; undefined where all is. */
  readonly differencesText: (differences: Differences) => string | undefined
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

/** The parts to send, or the attachments that prevent it; `declined`: the user would rather not send one of them. */
export type Taken =
  | { readonly is: 'ready'; readonly parts: readonly PromptPart[] }
  | { readonly is: 'blocked'; readonly by: readonly Blocking[] }
  | { readonly is: 'declined' }

/** `problem`: why it cannot be sent, as a sentence. */
interface Blocking {
  readonly label: string
  readonly problem: string
}

type KeptContent = Extract<KeptAttachment, { content: string }>

interface Attached {
  readonly id: string
  readonly what:
    | { readonly reference: ContextReference }
    | { readonly part: ContentPart; readonly content?: string }
    /** Its content is not there any more. */
    | { readonly lost: KeptContent }
  readonly chip: Chip
  /** That of a file, as it was read last. */
  readonly image?: PartOf<'image'>
  /** The user has agreed to it. Is forgotten with the window. */
  readonly isConfirmed: boolean
  /** The message that it goes with, which was sent and is not in the conversation yet. */
  readonly message?: string
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
    return this.chipsOf(undefined)
  }

  /** Of a message that was sent and is not in the conversation yet; without one, of the unsent message. */
  chipsOf(message: string | undefined): readonly Chip[] {
    return this.#of(message).map(({ chip }) => chip)
  }

  /** For the draft memory, until the conversation has it; without what could not be stored yet. */
  get kept(): readonly KeptAttachment[] {
    return this.#attached.flatMap(({ what }) => keptOf(what))
  }

  /** The files that are attached to the message. */
  urisOf(message: string | undefined): readonly string[] {
    return this.#of(message).flatMap(({ what }) =>
      'reference' in what && 'uri' in what.reference && what.reference.uri ? [what.reference.uri] : [],
    )
  }

  has(reference: ContextReference): boolean {
    return this.#find(reference) !== undefined
  }

  reference(chip: string): ContextReference | undefined {
    const found = this.#attached.find(({ id }) => id === chip)
    return found && 'reference' in found.what ? found.what.reference : undefined
  }

  /** What the chip shows as a picture. */
  image(chip: string): PartOf<'image'> | undefined {
    const { what, image } = this.#attached.find(({ id }) => id === chip) ?? {}
    return what && 'part' in what && what.part.kind === 'image' ? what.part : image
  }

  /** What the chip adds to the message now; nothing where that cannot be read, or only after a question. */
  async read(chip: string): Promise<readonly PromptPart[]> {
    const { what, isConfirmed = false } = this.#attached.find(({ id }) => id === chip) ?? {}
    if (what && 'part' in what) return [what.part]
    if (!what || 'lost' in what) return []
    const resolved = await this.#options.sources.resolve(what.reference, { isConfirmed }, this.#end.signal)
    if (resolved.is === 'image') return [resolved.part]
    return resolved.is === 'ready' ? resolved.parts : []
  }

  /** Attaches it once. Resolves when it has been read, or the user has declined it. */
  async add(reference: ContextReference): Promise<void> {
    if (this.has(reference)) return
    const { label, detail, icon: kind } = this.#options.sources.describe(reference)
    const id = this.#append({ reference }, { kind, label, ...(detail && { detail }) })
    await this.#read(id, reference)
  }

  /** Asks first where there is a reason against it. `notice`: what the user has to know of it, as sentences. */
  async addContent(given: ContentPart, against?: Consent, notice?: string): Promise<void> {
    const { keys, differencesText } = this.#options
    if (against && !(await this.#options.confirm(against, this.#end.signal))) return
    const { part, differences } = safePart(given, keys)
    const warning = differencesText(differences)
    const id = this.#append(
      { part },
      {
        ...labelOf(part),
        ...(warning !== undefined && { warning }),
        ...(notice !== undefined && { notice }),
      },
    )
    const [tokens, content] = await Promise.all([this.#options.tokensOf([part]), this.#options.store(part)])
    this.#change(id, attached => ({
      ...attached,
      what: { part, content },
      chip: { ...attached.chip, state: 'ready', tokens },
    }))
  }

  /** Attaches what was attached to a message that was sent: a reference as it is read now. What is secret is asked about when it is sent. */
  async attachAgain(sent: readonly SentAttachment[]): Promise<void> {
    await Promise.all(sent.map(one => ('kind' in one ? this.addContent(one) : this.#restoreReference(one))))
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
    const found = this.#find(reference)
    if (found) this.remove(found.id)
  }

  /** All that is attached goes with this message, and the next one begins with nothing. */
  send(message: string): void {
    if (this.#of(undefined).length === 0) return
    this.#attached = this.#attached.map(attached =>
      attached.message === undefined ? { ...attached, message } : attached,
    )
    this.#changed.fire()
  }

  /** The conversation has the message. */
  forget(message: string): void {
    if (this.#of(message).length === 0) return
    this.#attached = this.#attached.filter(attached => attached.message !== message)
    this.#changed.fire()
  }

  /** Takes over what is attached to a message of another draft, or of this one, that was not sent after all. */
  takeFrom(other: DraftContext, message?: string): void {
    const taken = other.#of(message)
    other.#attached = other.#attached.filter(attached => !taken.includes(attached))
    this.#attached = [...this.#attached, ...taken.map(({ message: _, ...attached }) => attached)]
    if (other !== this && taken.length > 0) other.#changed.fire()
    this.#changed.fire()
  }

  /** Reads everything as it is now. Asks the user about what needs consent; a file that is declined is removed. */
  async take(signal: AbortSignal, message?: string): Promise<Taken> {
    const parts: PromptPart[] = []
    const by: Blocking[] = []
    for (const { id, what, isConfirmed, chip } of this.#of(message)) {
      if ('part' in what) {
        parts.push(what.part)
        continue
      }
      if ('lost' in what) {
        by.push({ label: chip.label, problem: chip.problem ?? '' })
        continue
      }
      const resolved = await this.#resolveWithConsent(id, what.reference, isConfirmed, signal)
      if (resolved === 'declined') return { is: 'declined' }
      if (resolved.is === 'image') {
        parts.push({ ...resolved.part, reference: what.reference })
        continue
      }
      if (resolved.is !== 'ready') {
        await this.#show(id, resolved)
        by.push({ label: chip.label, problem: this.#problem(resolved) })
        continue
      }
      parts.push(...resolved.parts.map(part => withReference(part, what.reference)))
    }
    return by.length > 0 ? { is: 'blocked', by } : { is: 'ready', parts }
  }

  #of(message: string | undefined): readonly Attached[] {
    return this.#attached.filter(attached => attached.message === message)
  }

  /** Among what is attached to the unsent message. */
  #find(reference: ContextReference): Attached | undefined {
    const key = JSON.stringify(reference)
    return this.#of(undefined).find(({ what }) => 'reference' in what && JSON.stringify(what.reference) === key)
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

  async #load(kept: KeptContent): Promise<void> {
    const part = await this.#options.load(kept.content)
    if (part) return this.addContent(part)
    const problem = this.#options.problemText('missing', kept.name)
    const id = this.#append(
      { lost: kept },
      { kind: kept.mediaType.startsWith('image/') ? 'image' : 'file', label: kept.name },
    )
    this.#change(id, attached => ({ ...attached, chip: { ...attached.chip, state: 'unavailable', problem } }))
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
    const { tokensOf, omissionText, sizeText, differencesText, lacksGitText } = this.#options
    if (resolved.is === 'image') {
      const { part: image } = resolved
      const tokens = await tokensOf([image])
      this.#change(id, attached => ({
        ...attached,
        image,
        chip: { ...attached.chip, kind: 'image', state: 'ready', tokens },
      }))
      return
    }
    if (resolved.is !== 'ready') {
      const problem = this.#problem(resolved)
      this.#change(id, attached => ({ ...attached, chip: { ...attached.chip, state: 'unavailable', problem } }))
      return
    }
    const tokens = await tokensOf(resolved.parts)
    const notices = [resolved.lacksGit && lacksGitText, omissionText(resolved.omitted)].filter(text => text)
    const warning = differencesText(resolved)
    const reference = this.reference(id)
    const detail = reference && sizeText?.(reference, tokens)
    const about = {
      ...(detail !== undefined && { detail }),
      ...(notices.length > 0 && { notice: notices.join('\n') }),
      ...(warning !== undefined && { warning }),
    }
    this.#change(id, attached => ({ ...attached, chip: { ...attached.chip, state: 'ready', tokens, ...about } }))
  }

  #append(what: Attached['what'], about: Pick<Chip, 'kind' | 'label' | 'detail' | 'warning' | 'notice'>): string {
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

/** What was selected in a terminal is its own text. */
const withReference = (part: PartOf<'attachment'>, reference: ContextReference) =>
  reference.source === 'terminal' ? part : { ...part, reference }

function keptOf(what: Attached['what']): KeptAttachment[] {
  if ('reference' in what) return [{ reference: what.reference }]
  if ('lost' in what) return [what.lost]
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
