// `CommandContext`: what the slash command of an unsent message attaches: as soon as its word is written, and once.

import { textBehind } from '../../base/text.ts'
import type { DraftContext } from '../../core/context/draftContext.ts'
import type { PromptFile } from '../../core/context/promptFiles.ts'
import { type SlashCommand, slashCommands } from '../../core/conversation/slashCommands.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'

export interface CommandContextOptions {
  readonly contextOf: (conversation: string) => DraftContext
  /** What the command is about. */
  readonly subjectOf: (command: SlashCommand) => ContextReference | undefined
  readonly promptFiles: (signal: AbortSignal) => Promise<readonly PromptFile[]>
  readonly report: (fault: unknown) => void
}

/** The command that is being written, or the prompt that is named. */
interface Written {
  readonly conversation: string
  readonly name: string
  /** What was attached for it. */
  chips: readonly string[]
  /** False if what it attaches cannot be found out. */
  isAttached: Promise<boolean>
}

/** The user may remove what it attaches, and it stays removed for as long as the command is written. */
export class CommandContext {
  readonly #options: CommandContextOptions
  #written: Written | undefined
  /** The page reports the text of a message as unsent until it has seen that it was taken. */
  #sent: string | undefined

  constructor(options: CommandContextOptions) {
    this.#options = options
  }

  /** The unsent text has changed. What was attached for another command goes with its word. */
  write(conversation: string, text: string): void {
    if (this.#sent !== undefined && textBehind(text, this.#sent) !== undefined) return
    this.#sent = undefined
    const [, name] = /^\s*\/([\p{L}\p{N}_-]+)\s/u.exec(text) ?? []
    if (this.#isWritten(conversation, name)) return
    this.#leave(conversation)
    if (name !== undefined) this.#begin(conversation, name)
  }

  /** It was selected from the suggestions. */
  choose(conversation: string, chosen: SlashCommand | PromptFile): void {
    if (this.#isWritten(conversation, chosen.name)) return
    this.#leave(conversation)
    const context = this.#options.contextOf(conversation)
    const chips = 'body' in chosen ? this.#addPrompt(context, chosen) : this.#addSubject(context, chosen, true)
    this.#written = { conversation, name: chosen.name, chips, isAttached: Promise.resolve(true) }
  }

  /** A message with all that it had attached is unsent again. */
  bringBack(conversation: string, text: string): void {
    const name = nameIn(text)
    if (name !== undefined) this.#written = { conversation, name, chips: [], isAttached: Promise.resolve(true) }
  }

  carry(from: string, to: string): void {
    if (this.#written?.conversation === from) this.#written = { ...this.#written, conversation: to }
  }

  /** `shown`: the chips that the user saw. `unseen`: there is now one that was attached for the command. */
  async beforeSend(
    conversation: string,
    text: string,
    shown: readonly string[],
  ): Promise<'ready' | 'unseen' | 'fault'> {
    const name = nameIn(text)
    if (name === undefined) return 'ready'
    // What was attached for another command was seen, and is sent.
    if (!this.#isWritten(conversation, name)) this.#begin(conversation, name)
    const written = this.#written
    if (!written || !(await written.isAttached)) return 'fault'
    const { chips } = this.#options.contextOf(conversation)
    return chips.some(({ id }) => written.chips.includes(id) && !shown.includes(id)) ? 'unseen' : 'ready'
  }

  /** The message is no longer unsent. */
  onSent(text: string): void {
    this.#written = undefined
    this.#sent = text
  }

  #isWritten(conversation: string, name: string | undefined): boolean {
    return this.#written?.conversation === conversation && this.#written.name === name
  }

  #leave(conversation: string): void {
    const { chips = [], conversation: from } = this.#written ?? {}
    this.#written = undefined
    // That of another conversation stays with its text.
    if (from !== conversation) return
    const context = this.#options.contextOf(conversation)
    for (const { id } of context.chips) if (chips.includes(id)) context.remove(id)
  }

  #begin(conversation: string, name: string): void {
    const written: Written = { conversation, name, chips: [], isAttached: Promise.resolve(true) }
    this.#written = written
    const context = this.#options.contextOf(conversation)
    const command = slashCommands.find(one => one.name === name)
    if (command) written.chips = this.#addSubject(context, command, false)
    else written.isAttached = this.#findPrompt(context, written)
  }

  async #findPrompt(context: DraftContext, written: Written): Promise<boolean> {
    const { promptFiles, report } = this.#options
    try {
      const prompts = await promptFiles(new AbortController().signal)
      const prompt = prompts.find(({ name }) => name === written.name.toLowerCase())
      if (prompt && this.#written === written) written.chips = this.#addPrompt(context, prompt)
      return true
    } catch (fault) {
      if (this.#written === written) this.#written = undefined
      report(fault)
      return false
    }
  }

  /** A secret file is asked about when it is sent, and not while the user types, whose next key would be the answer. */
  #addSubject(context: DraftContext, command: SlashCommand, asksNow: boolean): readonly string[] {
    const { subjectOf, report } = this.#options
    const reference = subjectOf(command)
    const hasOther = command.attaches === 'code' && context.chips.length > 0
    if (!reference || hasOther || context.has(reference)) return []
    return added(context, () => {
      const adding = asksNow ? context.add(reference) : context.restore([{ reference }])
      adding.catch(report)
    })
  }

  #addPrompt(context: DraftContext, prompt: PromptFile): readonly string[] {
    const part = promptPart(prompt)
    if (context.chips.some(({ kind, label }) => kind === part.source && label === part.name)) return []
    return added(context, () => void context.addContent(part).catch(this.#options.report))
  }
}

/** The chips that come by it; they are there before what they stand for is read. */
function added(context: DraftContext, add: () => void): readonly string[] {
  const before = new Set(context.chips.map(({ id }) => id))
  add()
  return context.chips.map(({ id }) => id).filter(id => !before.has(id))
}

/** The word after the slash at the beginning of a message. */
function nameIn(text: string): string | undefined {
  return /^\/([\p{L}\p{N}_-]+)(?!\S)/u.exec(text.trim())?.[1]
}

function promptPart({ name, body: text }: PromptFile) {
  const sizeChars = text.length
  return { kind: 'attachment', id: 'prompt', source: 'instructions', name: `/${name}`, sizeChars, text } as const
}
