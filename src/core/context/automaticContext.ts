// `AutomaticContext`: what goes along with a question by itself: instruction files, and what has changed in a repository that was attached.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ContextReference, ReferenceOf } from '../../protocol/contextReference.ts'
import type { PartOf, PromptPart } from '../../protocol/conversation.ts'
import type { Chip } from '../../protocol/draft.ts'
import { attachment } from './attachment.ts'
import type { ContextSources } from './contextSources.ts'

type Attachment = PartOf<'attachment'>

export interface AutomaticContextOptions {
  readonly sources: Pick<ContextSources, 'describe' | 'resolve'>
  /** Those that apply to a question with these files attached; none where the user has them off. */
  readonly instructionsFor: (
    attached: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly ReferenceOf<'instructions'>[]>
  /** As a patch against an earlier attachment of the repository. */
  readonly changesSince: (earlier: string, signal: AbortSignal) => Promise<string>
  /** The name of the attachment with the changes. */
  readonly changesName: string
  readonly tokensOf: (parts: readonly PromptPart[]) => Promise<number>
  /** The sentence that an API key in an instruction file is left out. */
  readonly lacksKeyText: string
  readonly newId: () => string
  readonly clock: Clock
}

export interface Question {
  /** The files that are attached to it. */
  readonly attached: readonly string[]
  /** What the model is sent of the conversation before it. */
  readonly sent: readonly PromptPart[]
}

interface Entry {
  readonly chip: Chip
  readonly part: Attachment
  readonly reference: ContextReference | undefined
}

/** For how long the changes that a chip shows are not read again; they are always read when the question is sent. */
const CHANGES_MS = 10_000
/** Sent after changes that were taken back since. */
const NO_CHANGES = 'The repository is again as it was attached.\n'

/**
 * An instruction file is sent with the first question that it applies to, and again only when its text has changed, so
 * that the beginning of each request stays the same. It grants nothing: for the model it is a text like any other.
 */
export class AutomaticContext implements Disposable {
  readonly #options: AutomaticContextOptions
  readonly #changed = new Emitter<void>()
  readonly #declined: Set<string>
  readonly #ids = new Map<string, string>()
  #running: AbortController | undefined
  #entries: readonly Entry[] = []
  #changes: { readonly earlier: string; readonly at: number; readonly text: string } | undefined

  /** `declined`: what the user has removed before, by `declined`. */
  constructor(options: AutomaticContextOptions, declined: readonly string[]) {
    this.#options = options
    this.#declined = new Set(declined)
  }

  readonly onDidChange: Event<void> = this.#changed.event

  get chips(): readonly Chip[] {
    return this.#entries.map(({ chip }) => chip)
  }

  /** What the user has removed from this conversation. */
  get declined(): readonly string[] {
    return [...this.#declined]
  }

  reference(chip: string): ContextReference | undefined {
    return this.#entries.find(entry => entry.chip.id === chip)?.reference
  }

  /** Removes it for the rest of the conversation. False if there is no such chip. */
  remove(chip: string): boolean {
    const [key] = [...this.#ids].find(([, id]) => id === chip) ?? []
    if (key === undefined) return false
    this.#declined.add(key)
    this.#show(this.#entries.filter(entry => entry.chip.id !== chip))
    return true
  }

  /** Reads what would go along now, for the chips. A later call takes the place of an earlier one. */
  async refresh(question: Question): Promise<void> {
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    const entries = await this.#read(question, CHANGES_MS, running.signal)
    if (!running.signal.aborted) this.#show(entries)
  }

  /** What goes along with the question that is sent now, instructions before all else and changes after it. */
  async take(question: Question, signal: AbortSignal): Promise<{ before: Attachment[]; after: Attachment[] }> {
    const parts = (await this.#read(question, 0, signal)).map(({ part }) => part)
    return {
      before: parts.filter(({ source }) => source === 'instructions'),
      after: parts.filter(({ source }) => source !== 'instructions'),
    }
  }

  async #read(question: Question, changesMs: number, signal: AbortSignal): Promise<readonly Entry[]> {
    const references = await this.#options.instructionsFor(question.attached, signal)
    const entries = await Promise.all(references.map(reference => this.#instructions(reference, question, signal)))
    const changes = await this.#repositoryChanges(question, changesMs, signal)
    return [...entries, changes].filter(entry => entry !== undefined)
  }

  async #instructions(
    reference: ReferenceOf<'instructions'>,
    { sent }: Question,
    signal: AbortSignal,
  ): Promise<Entry | undefined> {
    if (this.#declined.has(reference.uri)) return undefined
    const resolved = await this.#options.sources.resolve(reference, { isConfirmed: false }, signal)
    const [part] = resolved.is === 'ready' ? resolved.parts : []
    const before = sent.findLast(one => isInstructions(one) && one.uri === reference.uri)
    if (!part || (before?.kind === 'attachment' && before.text === part.text)) return undefined
    const { label, detail } = this.#options.sources.describe(reference)
    const chip = await this.#chip(reference.uri, part, label, detail)
    const warning = resolved.is === 'ready' && resolved.lacksKey && { warning: this.#options.lacksKeyText }
    return { part, reference, chip: { ...chip, ...warning } }
  }

  async #repositoryChanges({ sent }: Question, changesMs: number, signal: AbortSignal): Promise<Entry | undefined> {
    const whole = wholeRepository(sent)
    const { changesName: name, newId } = this.#options
    if (whole?.text === undefined || this.#declined.has(CHANGES)) return undefined
    const text = (await this.#changesSince(whole.text, changesMs, signal)) || NO_CHANGES
    const before = sent.slice(sent.indexOf(whole)).findLast(isChanges)
    if (text === (before?.kind === 'attachment' ? before.text : NO_CHANGES)) return undefined
    const part = attachment(newId(), { source: 'repository', name, text, language: 'diff' })
    return { part, reference: undefined, chip: await this.#chip(CHANGES, part, name, '') }
  }

  async #changesSince(earlier: string, changesMs: number, signal: AbortSignal): Promise<string> {
    const { changesSince, clock } = this.#options
    const known = this.#changes
    const at = clock.elapsed()
    if (known?.earlier === earlier && at - known.at < changesMs) return known.text
    const text = await changesSince(earlier, signal)
    this.#changes = { earlier, at, text }
    return text
  }

  async #chip(key: string, part: Attachment, label: string, detail: string): Promise<Chip> {
    const id = this.#ids.get(key) ?? this.#options.newId()
    this.#ids.set(key, id)
    const tokens = await this.#options.tokensOf([part])
    const kind = part.source
    return { id, kind, label, ...(detail && { detail }), state: 'ready', tokens, isAutomatic: true }
  }

  #show(entries: readonly Entry[]): void {
    const before = JSON.stringify(this.chips)
    this.#entries = entries
    if (JSON.stringify(this.chips) !== before) this.#changed.fire()
  }

  dispose(): void {
    this.#running?.abort()
    this.#changed.dispose()
  }
}

const CHANGES = 'repository changes'

const isInstructions = (part: PromptPart): part is Attachment =>
  part.kind === 'attachment' && part.source === 'instructions'

/** A patch, and not the repository itself. */
const isChanges = (part: PromptPart): boolean =>
  part.kind === 'attachment' && part.source === 'repository' && part.language === 'diff'

/** The repository as it was last attached, if the model is still sent it. */
export function wholeRepository(sent: readonly PromptPart[]): Attachment | undefined {
  return sent.findLast(
    (part): part is Attachment => part.kind === 'attachment' && part.source === 'repository' && !isChanges(part),
  )
}

/** Whether a part of a message that was not sent goes along by itself again, so that it need not be attached. */
export const isAutomatic = (part: PromptPart): boolean =>
  isChanges(part) || isEnvironment(part) || (isInstructions(part) && part.uri !== undefined)

const isEnvironment = (part: PromptPart) => part.kind === 'attachment' && part.source === 'environment'
