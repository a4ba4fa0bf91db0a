// `CommandContext`: what the slash command of an unsent message attaches: as soon as its word is written, and once; `commandState`.
import type { DraftContext } from '../../core/context/draftContext.ts'
import type { PromptFile } from '../../core/context/promptFiles.ts'
import { type SlashCommand, slashCommands } from '../../core/conversation/slashCommands.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { Chip } from '../../protocol/draft.ts'
import type { UsedPrompt } from './usePrompt.ts'

export interface CommandContextOptions {
  readonly contextOf: (conversation: string) => DraftContext
  /** What the command is about. */
  readonly subjectOf: (command: SlashCommand) => ContextReference | undefined
  readonly promptFiles: (signal: AbortSignal) => Promise<readonly PromptFile[]>
  readonly usePrompt: (prompt: PromptFile) => UsedPrompt
  /** Of a file or folder; undefined where there is none. */
  readonly referenceOf: (uri: string, signal: AbortSignal) => Promise<ContextReference | undefined>
  readonly report: (fault: unknown) => void
}

/** The command that is being written or was sent, or the prompt that is named. */
export interface Written {
  readonly conversation: string
  readonly name: string
  /** What was attached for it. */
  chips: readonly string[]
  /** False if what it attaches cannot be found out. */
  isAttached: Promise<boolean>
  /** Its word is no longer there. */
  isLeft: boolean
}

/** The user may remove what it attaches, and it stays removed for as long as the command is written. */
export class CommandContext {
  readonly #options: CommandContextOptions
  #written: Written | undefined

  constructor(options: CommandContextOptions) {
    this.#options = options
  }

  /** The unsent text has changed. What was attached for another command goes with its word. */
  write(conversation: string, text: string): void {
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
    const written = newWritten(conversation, chosen.name)
    this.#written = written
    if ('body' in chosen)
      written.isAttached = this.#attach(written, async () => this.#addPrompt(context, chosen, written))
    else written.chips = this.#addSubject(context, chosen, true)
  }

  /** A message with all that it had attached is unsent again. */
  bringBack(conversation: string, text: string): void {
    const name = nameIn(text)
    if (name !== undefined) this.#written = newWritten(conversation, name)
  }

  carry(from: string, to: string): void {
    if (this.#written?.conversation === from) this.#written = { ...this.#written, conversation: to }
  }

  /** A message is sent: attaches what its command is about, if that has not been done. Undefined if it has none. */
  send(conversation: string, text: string): Written | undefined {
    const name = nameIn(text)
    // What was attached for another command was seen, and is sent.
    if (name !== undefined && !this.#isWritten(conversation, name)) this.#begin(conversation, name)
    const written = name === undefined ? undefined : this.#written
    this.#written = undefined
    return written
  }

  /** The message was not sent after all. */
  takeBack(conversation: string, written: Written): void {
    this.#written ??= { ...written, conversation }
  }

  #isWritten(conversation: string, name: string | undefined): boolean {
    return this.#written?.conversation === conversation && this.#written.name === name
  }

  #leave(conversation: string): void {
    const { chips = [], conversation: from } = this.#written ?? {}
    if (this.#written) this.#written.isLeft = true
    this.#written = undefined
    // That of another conversation stays with its text.
    if (from !== conversation) return
    const context = this.#options.contextOf(conversation)
    for (const { id } of context.chips) if (chips.includes(id)) context.remove(id)
  }

  #begin(conversation: string, name: string): void {
    const written = newWritten(conversation, name)
    this.#written = written
    const context = this.#options.contextOf(conversation)
    const command = slashCommands.find(one => one.name === name)
    if (command) written.chips = this.#addSubject(context, command, false)
    else written.isAttached = this.#attach(written, () => this.#findPrompt(context, written))
  }

  async #findPrompt(context: DraftContext, written: Written): Promise<void> {
    const prompts = await this.#options.promptFiles(new AbortController().signal)
    const prompt = prompts.find(({ name }) => name === written.name.toLowerCase())
    if (prompt && !written.isLeft) await this.#addPrompt(context, prompt, written)
  }

  async #attach(written: Written, attach: () => Promise<void>): Promise<boolean> {
    try {
      await attach()
      return true
    } catch (fault) {
      if (this.#written === written) this.#written = undefined
      this.#options.report(fault)
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

  /** Its text, then what it refers to. A secret file is asked about when it is sent. */
  async #addPrompt(context: DraftContext, prompt: PromptFile, written: Written): Promise<void> {
    const { usePrompt, report } = this.#options
    const { text, references, files, notice } = usePrompt(prompt)
    const part = promptPart(prompt.name, text)
    const isThere = context.chips.some(({ kind, label }) => kind === part.source && label === part.name)
    if (isThere) return
    written.chips = added(context, () => void context.addContent(part, undefined, notice).catch(report))
    const found = await Promise.all(files.map(places => this.#firstOf(places)))
    if (written.isLeft) return
    const missing = [...references, ...found.flatMap(one => one ?? [])].filter(one => !context.has(one))
    const more = added(context, () => void context.attachAgain(missing).catch(report))
    written.chips = [...written.chips, ...more]
  }

  async #firstOf(places: readonly string[]): Promise<ContextReference | undefined> {
    const { signal } = new AbortController()
    for (const uri of places) {
      const found = await this.#options.referenceOf(uri, signal)
      if (found) return found
    }
    return undefined
  }
}

const newWritten = (conversation: string, name: string): Written => ({
  ...{ conversation, name },
  ...{ chips: [], isAttached: Promise.resolve(true), isLeft: false },
})

/**
 * Whether the message of the command may go. `shown`: the chips that the user saw. `unseen`: there is now one among `chips`
 * that was attached for the command.
 */
export async function commandState(
  written: Written | undefined,
  chips: () => readonly Chip[],
  shown: readonly string[],
): Promise<'ready' | 'unseen' | 'fault'> {
  if (!written) return 'ready'
  if (!(await written.isAttached)) return 'fault'
  return chips().some(({ id }) => written.chips.includes(id) && !shown.includes(id)) ? 'unseen' : 'ready'
}

/** The chips that come by it; they are there before what they stand for is read. */
export function added(context: DraftContext, add: () => void): readonly string[] {
  const before = new Set(context.chips.map(({ id }) => id))
  add()
  return context.chips.map(({ id }) => id).filter(id => !before.has(id))
}

/** The word after the slash at the beginning of a message. */
function nameIn(text: string): string | undefined {
  return /^\/([\p{L}\p{N}_-]+)(?!\S)/u.exec(text.trim())?.[1]
}

function promptPart(name: string, text: string) {
  const sizeChars = text.length
  return { kind: 'attachment', id: 'prompt', source: 'instructions', name: `/${name}`, sizeChars, text } as const
}
