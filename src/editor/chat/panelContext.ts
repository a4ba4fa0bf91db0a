// `PanelContext`: the attachments of the conversation that one panel shows: its chips, its offers and its suggestions.
import { FileType, l10n, Uri, window, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { wholeRepository } from '../../core/context/automaticContext.ts'
import type { ContextSources, Offers } from '../../core/context/contextSources.ts'
import type { Consent, DraftContext, Taken } from '../../core/context/draftContext.ts'
import type { PromptFile } from '../../core/context/promptFiles.ts'
import { sentParts } from '../../core/conversation/sentTurns.ts'
import type { SlashCommand } from '../../core/conversation/slashCommands.ts'
import { exclusionOf } from '../../core/workspace/exclude.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import type { Chip, OfferedChip } from '../../protocol/draft.ts'
import type { FromPage, ToPage } from '../../protocol/panel.ts'
import { CommandContext } from './commandContext.ts'
import type { DraftContexts } from './draftContexts.ts'
import { showFile } from './showFile.ts'
import { Suggestions } from './suggestions.ts'

export interface PanelContextOptions {
  readonly contexts: DraftContexts
  readonly sources: ContextSources
  readonly promptFiles: (signal: AbortSignal) => Promise<readonly PromptFile[]>
  /** Shows which files the whole repository consists of. */
  readonly showRepository: () => Promise<void>
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

/** How long after a change what goes along by itself is read again: more changes may follow. */
const REFRESH_MS = 300

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
      | 'attach-uris'
      | 'attach-image'
      | 'attach-text'
  }
>

export class PanelContext implements Disposable {
  readonly #options: PanelContextOptions
  readonly #send: (message: ToPage) => void
  readonly #state: () => ConversationState
  readonly #suggestions: Suggestions
  readonly #command: CommandContext
  readonly #disposables = new DisposableStore()
  #cancelRefresh: (() => void) | undefined

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
    this.#command = new CommandContext({
      ...options,
      contextOf: conversation => options.contexts.of(conversation),
      subjectOf: command => this.#subjectOf(command),
    })
    this.#disposables.add(
      options.contexts.onDidChange(conversation => {
        if (conversation !== this.#conversation) return
        this.sendState()
        this.refreshSoon()
      }),
    )
    this.#disposables.add(options.sources.onDidChangeOffers(() => this.sendState()))
  }

  /** What is attached to the unsent message. */
  get current(): DraftContext {
    return this.#options.contexts.of(this.#conversation)
  }

  /** What goes along by itself, and what is attached. */
  get chips(): readonly Chip[] {
    return [...this.#options.contexts.automatic(this.#conversation).chips, ...this.current.chips]
  }

  get #conversation(): string {
    return this.#state().conversation
  }

  /** All that is sent with the message beside its text. */
  take(signal: AbortSignal): Promise<Taken> {
    return this.#options.contexts.take(this.#state(), signal)
  }

  /** Brings what goes along by itself up to date, soon. */
  refreshSoon(): void {
    const { clock, contexts } = this.#options
    this.#cancelRefresh?.()
    this.#cancelRefresh = clock.later(REFRESH_MS, () => void contexts.refresh(this.#state()))
  }

  sendState(): void {
    const conversation = this.#conversation
    const { chips } = this
    const offers = this.#offers()
    // as: the schema infers mutable arrays, and no reader changes a chip.
    this.#send({ kind: 'draft-context', conversation, chips, offers } as ToPage)
  }

  receive(message: ContextMessage): void {
    const { report } = this.#options
    switch (message.kind) {
      case 'suggest':
        return void this.#suggestions.ask(message)
      case 'take-suggestion':
        return this.#take(message)
      case 'take-offer':
        return this.#takeOffer(message.offer)
      case 'remove-chip':
        return this.#options.contexts.remove(this.#conversation, message.chip)
      case 'open-chip':
        return void this.#open(message.chip).catch(report)
      case 'attach-uris':
        return void this.#attachUris(message.uris).catch(report)
      case 'attach-image': {
        const { kind: _, conversation: __, ...image } = message
        return void this.current.addContent({ kind: 'image', id: 'image', ...image }).catch(report)
      }
      case 'attach-text':
        return void this.current.addContent(textFile(message), againstFile(message)).catch(report)
    }
  }

  /** The attachments of one conversation go along into another. */
  carry(from: string, to: string): void {
    const { contexts } = this.#options
    contexts.of(to).takeFrom(contexts.of(from))
    this.#command.carry(from, to)
  }

  attach(reference: ContextReference): void {
    if (reference.source === 'repository' && wholeRepository(sentParts(this.#state()))) return informOfChanges()
    this.current.add(reference).catch(this.#options.report)
  }

  /** The unsent text has changed. */
  write(text: string): void {
    this.#command.write(this.#conversation, text)
  }

  /** A message with all that it had attached is unsent again. */
  bringBack(text: string): void {
    this.#command.bringBack(this.#conversation, text)
  }

  /** Attaches what the command of the text is about, if that has not been done. `shown`: the chips that the user saw. */
  beforeSend(text: string, shown: readonly string[]): Promise<'ready' | 'unseen' | 'fault'> {
    return this.#command.beforeSend(this.#conversation, text, shown)
  }

  /** What was attached goes with the message. */
  onSent(text: string): void {
    this.current.clear()
    this.#command.onSent(text)
  }

  #subjectOf({ attaches }: SlashCommand): ContextReference | undefined {
    const { selection, activeFile } = this.#options.sources.offers
    if (attaches === 'changes') return { source: 'git-change' }
    if (attaches === 'staged') return { source: 'git-change', isStaged: true }
    return attaches === 'code' ? (selection ?? activeFile) : undefined
  }

  #take(message: Extract<FromPage, { kind: 'take-suggestion' }>): void {
    const selected = this.#suggestions.selected(message)
    if (selected?.is === 'context') this.attach(selected.suggestion.reference)
    else if (selected?.is === 'prompt') this.#command.choose(this.#conversation, selected.prompt)
    else if (selected?.is === 'command') this.#command.choose(this.#conversation, selected.command)
  }

  #takeOffer(offer: OfferedChip['offer']): void {
    const { selection, activeFile } = this.#options.sources.offers
    const reference = offer === 'selection' ? selection : activeFile
    if (reference) this.attach(reference)
  }

  /** Without those that are attached already. */
  #offers(): OfferedChip[] {
    const { selection, activeFile }: Offers = this.#options.sources.offers
    const all = [
      { offer: 'selection', reference: selection },
      { offer: 'active-file', reference: activeFile },
    ] as const
    return all.flatMap(({ offer, reference }) => {
      if (!reference || this.current.has(reference)) return []
      const { label, detail, icon: kind } = this.#options.sources.describe(reference)
      return [{ offer, kind, label, ...(detail && { detail }) }]
    })
  }

  async #attachUris(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const stat = await Promise.resolve(workspace.fs.stat(Uri.parse(uri, true))).catch(() => undefined)
      this.attach(stat?.type === FileType.Directory ? { source: 'folder', uri } : { source: 'file', uri })
    }
  }

  /** Shows the file of a chip, with its selection. */
  async #open(chip: string): Promise<void> {
    const { contexts, showRepository } = this.#options
    const reference = this.current.reference(chip) ?? contexts.automatic(this.#conversation).reference(chip)
    if (reference?.source === 'repository') return showRepository()
    if (!reference || !('uri' in reference) || !reference.uri || reference.source === 'folder') return
    await showFile(reference.uri, 'range' in reference ? reference.range : undefined)
  }

  dispose(): void {
    this.#cancelRefresh?.()
    this.#disposables.dispose()
  }
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
