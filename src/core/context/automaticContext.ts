// `AutomaticContext`: what goes along with a question by itself: the workspace, instruction files, and what has changed in a repository that was attached.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ContextReference, ReferenceOf } from '../../protocol/contextReference.ts'
import type { PartOf, PromptPart } from '../../protocol/conversation.ts'
import type { Chip } from '../../protocol/draft.ts'
import { attachment } from './attachment.ts'
import type { ContextSources, Description, Differences, Omission } from './contextSources.ts'
import type { LeftOutInstructions, QuestionInstructions } from './instructions.ts'

type Attachment = PartOf<'attachment'>

export interface AutomaticContextOptions {
  readonly sources: Pick<ContextSources, 'describe' | 'resolve'>
  /** Those that apply to a question with these files attached; none where the user has them off. */
  readonly instructionsFor: (attached: readonly string[], signal: AbortSignal) => Promise<QuestionInstructions>
  /** The sentence that a file is left out. */
  readonly leftOutText: (file: LeftOutInstructions) => string
  /** As a patch against an earlier attachment of the repository. */
  readonly changesSince: (earlier: string, signal: AbortSignal) => Promise<string>
  /** The name of the attachment with the changes. */
  readonly changesName: string
  /** What is sent of the workspace and what the user looks at; the conversation adds it to its question itself. */
  readonly surroundingsOf: (conversation: string, signal: AbortSignal) => Promise<readonly Attachment[]>
  readonly surroundingsName: string
  /** What it is that goes along of the surroundings, as a short text. */
  readonly surroundingsText: (parts: readonly Attachment[]) => string
  readonly tokensOf: (parts: readonly PromptPart[]) => Promise<number>
  /** What of an instruction file is not sent as it is, as sentences; undefined where all is. */
  readonly differencesText: (differences: Differences) => string | undefined
  /** What was left out of it, as sentences; undefined where nothing was. */
  readonly omissionText: (omitted: readonly Omission[]) => string | undefined
  readonly newId: () => string
  readonly clock: Clock
}

export interface Question {
  readonly conversation: string
  /** The files that are attached to it. */
  readonly attached: readonly string[]
  /** What the model is sent of the conversation before it. */
  readonly sent: readonly PromptPart[]
}

interface Entry {
  readonly chip: Chip
  /** None of what is left out, nor of what the conversation adds itself. */
  readonly part?: Attachment
  readonly reference?: ContextReference
  /** What is sent, where it is in no file. */
  readonly text?: string
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
  #surroundings: Entry | undefined
  /** The files that were shown as left out with an earlier question. */
  readonly #shownBefore = new Set<string>()
  #changes: { readonly earlier: string; readonly at: number; readonly text: string } | undefined

  /** `declined`: what the user has removed before, by `declined`. */
  constructor(options: AutomaticContextOptions, declined: readonly string[]) {
    this.#options = options
    this.#declined = new Set(declined)
  }

  readonly onDidChange: Event<void> = this.#changed.event

  get chips(): readonly Chip[] {
    return this.#shown.map(({ chip }) => chip)
  }

  get #shown(): readonly Entry[] {
    return this.#surroundings ? [...this.#entries, this.#surroundings] : this.#entries
  }

  /** What the user has removed from this conversation. */
  get declined(): readonly string[] {
    return [...this.#declined]
  }

  /** The user has removed the surroundings. */
  get declinesSurroundings(): boolean {
    return this.#declined.has(SURROUNDINGS)
  }

  reference(chip: string): ContextReference | undefined {
    return this.#shown.find(one => one.chip.id === chip)?.reference
  }

  /** What is sent for a chip that has no file. */
  text(chip: string): string | undefined {
    return this.#shown.find(one => one.chip.id === chip)?.text
  }

  /** Removes it for the rest of the conversation. False if there is no such chip. */
  remove(chip: string): boolean {
    const [key] = [...this.#ids].find(([, id]) => id === chip) ?? []
    if (key === undefined) return false
    this.#running?.abort()
    this.#declined.add(key)
    this.#entries = this.#entries.filter(one => one.chip.id !== chip)
    if (key === SURROUNDINGS) this.#surroundings = undefined
    this.#changed.fire()
    return true
  }

  /** Reads what would go along now, for the chips. A later call takes the place of an earlier one. */
  async refresh(question: Question): Promise<void> {
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    const entries = await this.#read(question, CHANGES_MS, running.signal)
    const surroundings = await this.#readSurroundings(question, running.signal)
    if (running.signal.aborted) return
    this.#change(() => {
      this.#entries = entries
      this.#surroundings = surroundings
    })
  }

  /** The same for what the user looks at, which changes more often than anything else. */
  async refreshSurroundings(question: Pick<Question, 'conversation'>, signal: AbortSignal): Promise<void> {
    const surroundings = await this.#readSurroundings(question, signal)
    if (signal.aborted || this.declinesSurroundings) return
    this.#change(() => {
      this.#surroundings = surroundings
    })
  }

  /** What goes along with the question that is sent now, without the surroundings. */
  async take(question: Question, signal: AbortSignal): Promise<readonly Attachment[]> {
    return (await this.#read(question, 0, signal)).flatMap(({ part }) => part ?? [])
  }

  /** Files have changed, so that what is known of the changes in an attached repository may not be all. */
  forgetChanges(): void {
    this.#changes = undefined
  }

  /** The question was sent; what of it was shown as left out is not shown again. */
  onSent(): void {
    for (const { reference, chip } of this.#entries)
      if (chip.state === 'unavailable' && reference?.source === 'instructions') this.#shownBefore.add(reference.uri)
  }

  async #readSurroundings(
    { conversation }: Pick<Question, 'conversation'>,
    signal: AbortSignal,
  ): Promise<Entry | undefined> {
    const { surroundingsOf, surroundingsName: label, surroundingsText } = this.#options
    const parts = this.declinesSurroundings ? [] : await surroundingsOf(conversation, signal)
    if (parts.length === 0) return undefined
    const text = parts.map(part => part.text ?? '').join('\n\n')
    return { text, chip: await this.#chip(SURROUNDINGS, parts, { label, detail: surroundingsText(parts) }) }
  }

  async #read(question: Question, changesMs: number, signal: AbortSignal): Promise<readonly Entry[]> {
    const { sent, leftOut } = await this.#options.instructionsFor(question.attached, signal)
    const entries = await Promise.all(sent.map(reference => this.#instructions(reference, question, signal)))
    const changes = await this.#repositoryChanges(question, changesMs, signal)
    return [...entries, ...this.#leftOut(leftOut), changes].filter(entry => entry !== undefined)
  }

  #leftOut(files: readonly LeftOutInstructions[]): readonly Entry[] {
    const { sources, leftOutText } = this.#options
    const shown = files.filter(({ uri }) => !this.#declined.has(uri) && !this.#shownBefore.has(uri))
    return shown.map(file => {
      const reference = { source: 'instructions', uri: file.uri } as const
      const { label, detail } = sources.describe(reference)
      const about = { id: this.#idOf(file.uri), kind: 'instructions', label, ...(detail && { detail }) } as const
      return { reference, chip: { ...about, state: 'unavailable', problem: leftOutText(file), isAutomatic: true } }
    })
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
    const chip = await this.#chip(reference.uri, [part], { label, detail })
    const { differencesText, omissionText } = this.#options
    const warning = resolved.is === 'ready' ? differencesText(resolved) : undefined
    const notice = resolved.is === 'ready' ? omissionText(resolved.omitted) : undefined
    const about = { ...(warning !== undefined && { warning }), ...(notice !== undefined && { notice }) }
    return { part, reference, chip: { ...chip, ...about } }
  }

  async #repositoryChanges({ sent }: Question, changesMs: number, signal: AbortSignal): Promise<Entry | undefined> {
    const whole = wholeRepository(sent)
    const { changesName: name, newId } = this.#options
    if (whole?.text === undefined || this.#declined.has(CHANGES)) return undefined
    const text = (await this.#changesSince(whole.text, changesMs, signal)) || NO_CHANGES
    const before = sent.slice(sent.indexOf(whole)).findLast(isChanges)
    if (text === (before?.kind === 'attachment' ? before.text : NO_CHANGES)) return undefined
    const part = attachment(newId(), { source: 'repository', name, text, language: 'diff' })
    return { part, text, chip: await this.#chip(CHANGES, [part], { label: name, detail: '' }) }
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

  async #chip(
    key: string,
    parts: readonly Attachment[],
    { label, detail }: Pick<Description, 'label' | 'detail'>,
  ): Promise<Chip> {
    const tokens = await this.#options.tokensOf(parts)
    const kind = parts[0]?.source ?? 'instructions'
    const id = this.#idOf(key)
    return { id, kind, label, ...(detail && { detail }), state: 'ready', tokens, isAutomatic: true }
  }

  #idOf(key: string): string {
    const id = this.#ids.get(key) ?? this.#options.newId()
    this.#ids.set(key, id)
    return id
  }

  #change(change: () => void): void {
    const before = JSON.stringify(this.chips)
    change()
    if (JSON.stringify(this.chips) !== before) this.#changed.fire()
  }

  dispose(): void {
    this.#running?.abort()
    this.#changed.dispose()
  }
}

const CHANGES = 'repository changes'
const SURROUNDINGS = 'surroundings'

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
