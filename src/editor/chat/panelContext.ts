// `PanelContext`: the attachments of the conversation that one panel shows: its chips, its offers and its suggestions.
import { l10n, window, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Event } from '../../base/event.ts'
import { isAutomatic, wholeRepository } from '../../core/context/automaticContext.ts'
import type { ContextSources, Offers, Suggestion } from '../../core/context/contextSources.ts'
import { distinctFileName } from '../../core/context/distinctFileName.ts'
import type { Consent, DraftContext, Taken } from '../../core/context/draftContext.ts'
import type { PromptFile } from '../../core/context/promptFiles.ts'
import { sentParts } from '../../core/conversation/sentTurns.ts'
import type { SlashCommand } from '../../core/conversation/slashCommands.ts'
import { exclusionOf } from '../../core/workspace/exclude.ts'
import type { ContextReference, ReferenceOf } from '../../protocol/contextReference.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import { promptText } from '../../protocol/conversationPath.ts'
import { type ConversationState, type Turn, turnOf } from '../../protocol/conversationState.ts'
import type { Chip, OfferedChip } from '../../protocol/draft.ts'
import type { FromPage, ToPage } from '../../protocol/panel.ts'
import { CommandContext, commandState, type Written } from './commandContext.ts'
import type { DraftContexts } from './draftContexts.ts'
import { RecalledContext } from './recalledContext.ts'
import { attachedName, showAttached, textOf } from './showAttached.ts'
import { mentionText, Suggestions } from './suggestions.ts'
import { usePrompt } from './usePrompt.ts'

export interface PanelContextOptions {
  readonly contexts: DraftContexts
  readonly sources: ContextSources
  /** Of a file or folder; undefined where there is none. */
  readonly referenceOf: (uri: string, signal: AbortSignal) => Promise<ReferenceOf<'file' | 'folder'> | undefined>
  readonly promptFiles: (signal: AbortSignal) => Promise<readonly PromptFile[]>
  /** Shows which files the whole repository consists of. */
  readonly showRepository: () => Promise<void>
  /** Shows a text that is in no file, under a name. */
  readonly showText: (name: string, text: string) => Promise<void>
  /** What the user looks at has changed, if only by a line. */
  readonly onDidChangeSituation: Event<void>
  /** Files of the workspace have changed; watched only for a conversation that has the whole repository. */
  readonly onDidChangeFiles: Event<void>
  /** Has pages scale images. */
  readonly images: PageImageUser
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

/** `PageImages`, as far as a panel uses it. */
export interface PageImageUser {
  addPage(page: object, send: (message: ToPage) => void): void
  removePage(page: object): void
  receive(message: Extract<FromPage, { kind: 'scaled-image' }>): void
}

/** How long after a change what goes along by itself is read again: more changes may follow. */
const REFRESH_MS = 300
/** How often the whole repository is read again at most, because it takes its time. */
const REPOSITORY_MS = 10_000

/** The messages of the page that are about what is attached. */
export type ContextMessage = Extract<
  FromPage,
  {
    kind:
      | 'suggest'
      | 'take-suggestion'
      | 'take-offer'
      | 'remove-chip'
      | 'open-chip'
      | 'show-picture'
      | 'attach-uris'
      | 'attach-image'
      | 'attach-text'
      | 'begin-edit'
      | 'end-edit'
  }
>

/** A message that was sent and is not in the conversation yet. */
export interface Outgoing {
  readonly id: string
  readonly conversation: string
  readonly command: Written | undefined
}

/** A question that is being changed. `automatic`: what goes along with it by itself, as it did. */
export interface EditedQuestion {
  readonly turn: string
  readonly automatic: readonly PromptPart[]
  readonly chips: readonly Chip[]
}

export class PanelContext implements Disposable {
  readonly #options: PanelContextOptions
  readonly #send: (message: ToPage) => void
  readonly #state: () => ConversationState
  readonly #suggestions: Suggestions
  readonly #command: CommandContext
  /** Those of questions that are being changed, by their turn. */
  readonly #editCommands = new Map<string, CommandContext>()
  readonly #recalled: RecalledContext
  readonly #disposables = new DisposableStore()
  #cancelRefresh: (() => void) | undefined
  #cancelLooking: (() => void) | undefined
  #looking: AbortController | undefined
  #watchedFiles: Disposable | undefined
  #cancelReading: (() => void) | undefined
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(
    options: PanelContextOptions,
    panel: {
      readonly send: (message: ToPage) => void
      readonly state: () => ConversationState
    },
  ) {
    this.#options = options
    this.#send = panel.send
    this.#state = panel.state
    this.#suggestions = new Suggestions({ ...options, send: panel.send })
    this.#recalled = new RecalledContext(options.report)
    this.#command = this.#newCommand(conversation => options.contexts.of(conversation))
    this.#disposables.add(
      options.contexts.onDidChange(conversation => {
        if (conversation !== this.#conversation) return
        this.sendState()
        this.refreshSoon()
      }),
    )
    this.#disposables.add(options.sources.onDidChangeOffers(() => this.sendState()))
    this.#disposables.add(options.onDidChangeSituation(() => this.#lookSoon()))
  }

  /** What is attached to the unsent message. */
  get current(): DraftContext {
    return this.#options.contexts.of(this.#conversation)
  }

  /** What goes along by itself, and what is attached. */
  get chips(): readonly Chip[] {
    return [...this.#options.contexts.automatic(this.#conversation).chips, ...this.current.chips]
  }

  #newCommand(contextOf: (conversation: string) => DraftContext): CommandContext {
    const { sources } = this.#options
    return new CommandContext({
      ...this.#options,
      contextOf,
      subjectOf: command => this.#subjectOf(command),
      usePrompt: prompt => usePrompt(prompt, sources, workspace.workspaceFolders?.[0]?.uri.toString()),
    })
  }

  get #conversation(): string {
    return this.#state().conversation
  }

  /** A message is sent: what is attached goes with it. */
  send(text: string): Outgoing {
    const outgoing = {
      id: crypto.randomUUID(),
      conversation: this.#conversation,
      command: this.#command.send(this.#conversation, text),
    }
    this.current.send(outgoing.id)
    return outgoing
  }

  /** What is attached to it. */
  chipsOf({ id }: Outgoing): readonly Chip[] {
    return this.current.chipsOf(id)
  }

  /** Whether it may go. `shown`: the chips that the user saw; `unseen`: its command has attached another one. */
  stateOf(outgoing: Outgoing, shown: readonly string[]): Promise<'ready' | 'unseen' | 'fault'> {
    const { id, conversation, command } = outgoing
    const context = this.#options.contexts.of(conversation)
    return commandState(command, () => [...context.chips, ...context.chipsOf(id), ...this.chipsOfEdit(id)], shown)
  }

  /** All that goes with it beside its text. */
  take({ id }: Outgoing, signal: AbortSignal): Promise<Taken> {
    return this.#options.contexts.take(this.#state(), signal, id)
  }

  /** The conversation has it. */
  forget({ id, conversation }: Outgoing): void {
    const { contexts } = this.#options
    contexts.of(conversation).forget(id)
    contexts.automatic(conversation).onSent()
  }

  /** It was not sent after all: what was attached to it is attached to the unsent message of the shown conversation. */
  takeBack({ id, conversation, command }: Outgoing): void {
    this.current.takeFrom(this.#options.contexts.of(conversation), id)
    if (command) this.#command.takeBack(this.#conversation, command)
  }

  /** Brings what goes along by itself up to date, soon. */
  refreshSoon(): void {
    const { clock, contexts } = this.#options
    this.#cancelRefresh?.()
    this.#cancelRefresh = clock.later(REFRESH_MS, () => {
      this.#watchFiles()
      void contexts.refresh(this.#state())
    })
  }

  /** The model is sent the whole repository already. */
  get #hasRepository(): boolean {
    return wholeRepository(sentParts(this.#state())) !== undefined
  }

  #watchFiles(): void {
    if (!this.#watchedFiles && this.#hasRepository)
      this.#watchedFiles = this.#disposables.add(this.#options.onDidChangeFiles(() => this.#readRepositorySoon()))
  }

  /** So that its changes have a chip and are counted before they are sent. */
  #readRepositorySoon(): void {
    if (this.#cancelReading) return
    const { clock, contexts } = this.#options
    const restMs = this.#readAtMs + REPOSITORY_MS - clock.elapsed()
    this.#cancelReading = clock.later(Math.max(REFRESH_MS, restMs), () => {
      this.#cancelReading = undefined
      if (!this.#hasRepository) return
      this.#readAtMs = clock.elapsed()
      contexts.automatic(this.#conversation).forgetChanges()
      void contexts.refresh(this.#state())
    })
  }

  #lookSoon(): void {
    const { clock, contexts } = this.#options
    this.#cancelLooking?.()
    this.#cancelLooking = clock.later(REFRESH_MS, () => {
      this.#looking?.abort()
      this.#looking = new AbortController()
      void contexts.refreshSurroundings(this.#conversation, this.#looking.signal)
    })
  }

  sendState(): void {
    const conversation = this.#conversation
    const { chips } = this
    const offers = this.#offers(this.current)
    // as: the schema infers mutable arrays, and no reader changes a chip.
    this.#send({ kind: 'draft-context', conversation, chips, offers } as ToPage)
    for (const turn of this.#options.contexts.editsIn(this.#state())) this.#sendEdit(turn)
  }

  #sendEdit(turn: Turn): void {
    const conversation = this.#conversation
    const context = this.#options.contexts.ofEdit(conversation, turn)
    const [{ chips }, offers] = [context, this.#offers(context)]
    // as: see above.
    this.#send({ kind: 'draft-context', conversation, edited: turn.id, chips, offers } as ToPage)
  }

  /** What is attached to the message that is named; undefined if the conversation does not have its turn. */
  #contextOf(edited: string | undefined): DraftContext | undefined {
    if (edited === undefined) return this.current
    const turn = turnOf(this.#state(), edited)
    return turn && this.#options.contexts.ofEdit(this.#conversation, turn)
  }

  /** The editor of a question is open. */
  #beginEdit(edited: string): void {
    const turn = turnOf(this.#state(), edited)
    if (!turn) return
    this.#sendEdit(turn)
    this.#commandOfEdit(edited)
  }

  /** Its own command has attached what it attaches, when it was sent. */
  #commandOfEdit(edited: string): CommandContext {
    const known = this.#editCommands.get(edited)
    if (known) return known
    const made = this.#newCommand(() => this.#contextOf(edited) ?? this.current)
    this.#editCommands.set(edited, made)
    const turn = turnOf(this.#state(), edited)
    made.bringBack(this.#conversation, turn ? promptText(turn.prompt) : '')
    return made
  }

  /** The texts of the editors of questions have changed. */
  writeEdits(edits: Readonly<Record<string, string>>): void {
    for (const [edited, text] of Object.entries(edits))
      if (turnOf(this.#state(), edited)) this.#commandOfEdit(edited).write(this.#conversation, text)
  }

  /** A changed question is sent; see `send`. */
  sendEdit(edited: string, text: string): Outgoing {
    const conversation = this.#conversation
    return { id: edited, conversation, command: this.#commandOfEdit(edited).send(conversation, text) }
  }

  /** What is attached to a question that is being changed. */
  chipsOfEdit(edited: string): readonly Chip[] {
    return this.#contextOf(edited)?.chips ?? []
  }

  /** All that goes with a changed question beside its text: what went along with it by itself stays as it was. */
  async takeEdit(edited: string, signal: AbortSignal): Promise<Taken> {
    const taken = (await this.#contextOf(edited)?.take(signal)) ?? { is: 'ready', parts: [] }
    return taken.is === 'ready' ? { ...taken, parts: [...this.#automaticOf(edited), ...taken.parts] } : taken
  }

  #automaticOf(edited: string): readonly PromptPart[] {
    return turnOf(this.#state(), edited)?.prompt.filter(isAutomatic) ?? []
  }

  /** It was asked, or is as it was. */
  endEdit(conversation: string, edited: string): void {
    this.#editCommands.delete(edited)
    this.#options.contexts.endEdit(conversation, edited)
  }

  /** It was not sent, and its editor opens again. */
  takeBackCommand({ id, conversation, command }: Outgoing): void {
    if (command) this.#commandOfEdit(id).takeBack(conversation, command)
  }

  /** The questions that are being changed: what goes along with each as it did, and what is attached. */
  get edits(): readonly EditedQuestion[] {
    return this.#options.contexts.editsIn(this.#state()).map(({ id: turn }) => {
      return { turn, automatic: this.#automaticOf(turn), chips: this.chipsOfEdit(turn) }
    })
  }

  /** It was not sent, and has no place in the conversation any more: what was attached is attached to the unsent message. */
  takeBackEdit({ id, command }: Outgoing): void {
    const context = this.#contextOf(id)
    if (context) this.current.takeFrom(context)
    if (command) this.#command.takeBack(this.#conversation, command)
    this.endEdit(this.#conversation, id)
  }

  /** The page is ready. */
  onReady(): void {
    this.sendState()
    this.#options.images.addPage(this, this.#send)
  }

  receiveImage(message: Extract<FromPage, { kind: 'scaled-image' }>): void {
    this.#options.images.receive(message)
  }

  receive(message: ContextMessage): void {
    const { report } = this.#options
    switch (message.kind) {
      case 'suggest':
        return void this.#suggestions.ask(message)
      case 'take-suggestion':
        return this.#take(message)
      case 'take-offer':
        return this.#takeOffer(message)
      case 'remove-chip':
        return this.#options.contexts.remove(this.#state(), message.chip)
      case 'open-chip':
        return void this.#open(message.chip).catch(report)
      case 'show-picture':
        return this.#showPicture(message.chip)
      case 'attach-uris':
        return void this.#attachUris(message).catch(report)
      case 'attach-image': {
        const { kind: _, conversation: __, edited, ...image } = message
        const context = this.#contextOf(edited)
        const name = image.name && distinctName(image.name, context)
        return void context?.addContent({ kind: 'image', id: 'image', ...image, ...(name && { name }) }).catch(report)
      }
      case 'attach-text': {
        const context = this.#contextOf(message.edited)
        const file = { ...message, name: distinctName(message.name, context) }
        return void context?.addContent(textFile(file), againstFile(message)).catch(report)
      }
      case 'begin-edit':
        return this.#beginEdit(message.edited)
      case 'end-edit':
        return this.endEdit(this.#conversation, message.edited)
    }
  }

  /** The attachments of one conversation go along into another. */
  carry(from: string, to: string): void {
    const { contexts } = this.#options
    contexts.of(to).takeFrom(contexts.of(from))
    this.#command.carry(from, to)
  }

  /** `edited`: to the question of this turn, which is being changed; else to the unsent message. */
  attach(reference: ContextReference, edited?: string): void {
    const isThere = reference.source === 'repository' && edited === undefined && this.#hasRepository
    if (isThere) return informOfChanges()
    this.#contextOf(edited)?.add(reference).catch(this.#options.report)
  }

  /** The mention is in the message already; where the user declines what it is about, it is taken out again. */
  async #mention({ reference, label }: Suggestion): Promise<void> {
    const conversation = this.#conversation
    const context = this.#contextOf(undefined)
    await context?.add(reference)
    if (context?.has(reference) === false)
      this.#send({ kind: 'declined-mention', conversation, text: mentionText(label) })
  }

  /** The unsent text has changed. */
  write(text: string): void {
    this.#command.write(this.#conversation, text)
  }

  /** A message with all that it had attached is unsent again. */
  bringBack(text: string): void {
    this.#command.bringBack(this.#conversation, text)
  }

  /** A past message is in the composer again, of which this was sent; its command has attached what it attaches. */
  async recall(text: string, sent: Promise<readonly PromptPart[]>): Promise<void> {
    if (text !== '') this.bringBack(text)
    await this.#recalled.show(this.current, sent)
  }

  /** It is written on. */
  keepRecalled(): void {
    this.#recalled.keep()
  }

  #subjectOf({ attaches }: SlashCommand): ContextReference | undefined {
    const { selection, activeFile } = this.#options.sources.offers
    if (attaches === 'changes') return { source: 'git-change' }
    if (attaches === 'for-commit') return { source: 'git-change', isForCommit: true }
    return attaches === 'code' ? (selection ?? activeFile) : undefined
  }

  #take(message: Extract<FromPage, { kind: 'take-suggestion' }>): void {
    const { edited } = message
    const { report } = this.#options
    const selected = this.#suggestions.selected(message)
    if (selected?.is === 'context') {
      const { reference } = selected.suggestion
      const isSimple = edited === undefined && reference.source !== 'repository'
      if (isSimple) return void this.#mention(selected.suggestion).catch(report)
      return this.attach(reference, edited)
    }
    const command = edited === undefined ? this.#command : this.#commandOfEdit(edited)
    if (selected?.is === 'prompt') command.choose(this.#conversation, selected.prompt)
    else if (selected?.is === 'command') command.choose(this.#conversation, selected.command)
  }

  #takeOffer({ offer, edited }: Extract<FromPage, { kind: 'take-offer' }>): void {
    const { selection, activeFile } = this.#options.sources.offers
    const reference = offer === 'selection' ? selection : activeFile
    if (reference) this.attach(reference, edited)
  }

  /** Without those that are attached already. */
  #offers(context: DraftContext): OfferedChip[] {
    const { selection, activeFile }: Offers = this.#options.sources.offers
    const all = [
      { offer: 'selection', reference: selection },
      { offer: 'active-file', reference: activeFile },
    ] as const
    return all.flatMap(({ offer, reference }) => {
      if (!reference || context.has(reference)) return []
      const { label, detail, icon: kind } = this.#options.sources.describe(reference)
      return [{ offer, kind, label, ...(detail && { detail }) }]
    })
  }

  async #attachUris({ uris, edited }: Extract<FromPage, { kind: 'attach-uris' }>): Promise<void> {
    for (const uri of uris) {
      const found = await this.#options.referenceOf(uri, new AbortController().signal)
      this.attach(found ?? { source: 'file', uri }, edited)
    }
  }

  #holding(chip: string): DraftContext {
    return this.#options.contexts.holding(this.#state(), chip)
  }

  #showPicture(chip: string): void {
    const { mediaType, base64 } = this.#holding(chip).image(chip) ?? {}
    if (mediaType === undefined || base64 === undefined) return
    this.#send({ kind: 'chip-picture', conversation: this.#conversation, chip, mediaType, base64 })
  }

  /** Shows what the chip is about. */
  async #open(chip: string): Promise<void> {
    const automatic = this.#options.contexts.automatic(this.#conversation)
    const reference = this.#holding(chip).reference(chip) ?? automatic.reference(chip)
    if (reference?.source === 'repository') return this.#options.showRepository()
    const showText = () => this.#showText(chip, automatic.text(chip))
    await (reference ? showAttached(reference, showText) : showText())
  }

  /** Nothing where it cannot be read; its chip has the reason. */
  async #showText(chip: string, given: string | undefined): Promise<void> {
    const context = this.#holding(chip)
    const shown = [...this.chips, ...context.chips].find(({ id }) => id === chip)
    const text = given ?? textOf(await context.read(chip))
    if (shown && text !== '') await this.#options.showText(attachedName(shown), text)
  }

  dispose(): void {
    this.#options.images.removePage(this)
    this.#cancelRefresh?.()
    this.#cancelLooking?.()
    this.#cancelReading?.()
    this.#looking?.abort()
    this.#disposables.dispose()
  }
}

/** Among what is attached. */
function distinctName(name: string, context: DraftContext | undefined): string {
  return distinctFileName(name, context?.chips.map(({ label }) => label) ?? [])
}

function informOfChanges(): void {
  const text = l10n.t(
    'The repository is part of this chat already. What has changed in it is sent with your next message.',
  )
  void window.showInformationMessage(text)
}

/** A file that the page has read is of no workspace, so its name and its content alone show that it is secret. */
function againstFile({ name, text }: { readonly name: string; readonly text: string }): Consent | undefined {
  return exclusionOf({ path: name, text }, []) && { why: 'secret', name }
}

function textFile({ name, text }: { readonly name: string; readonly text: string }) {
  return { kind: 'attachment', id: 'text', source: 'file', name, sizeChars: text.length, text } as const
}
