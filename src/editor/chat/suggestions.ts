// `Suggestions`: what may be inserted into the message: slash commands, prompts and context.
import { l10n } from 'vscode'
import { isAbort } from '../../base/abort.ts'
import type { ContextSources, Suggestion } from '../../core/context/contextSources.ts'
import type { PromptFile } from '../../core/context/promptFiles.ts'
import { type SlashCommand, type SlashCommandName, slashCommands } from '../../core/conversation/slashCommands.ts'
import type { SuggestionItem } from '../../protocol/draft.ts'
import type { FromPage, ToPage } from '../../protocol/panel.ts'

const MOST_ITEMS = 30

/** What an item does when it is selected, beside its text. */
export type Selected =
  | { readonly is: 'context'; readonly suggestion: Suggestion }
  | { readonly is: 'command'; readonly command: SlashCommand }
  | { readonly is: 'prompt'; readonly prompt: PromptFile }

export interface SuggestionsOptions {
  readonly sources: ContextSources
  readonly promptFiles: (signal: AbortSignal) => Promise<readonly PromptFile[]>
  readonly send: (message: ToPage) => void
  readonly report: (fault: unknown) => void
}

/** One request of one page at a time; a new one ends the one before. */
export class Suggestions {
  readonly #options: SuggestionsOptions
  #running: AbortController | undefined
  #shown: { readonly request: number; readonly selected: readonly Selected[] } = { request: -1, selected: [] }

  constructor(options: SuggestionsOptions) {
    this.#options = options
  }

  async ask(message: Extract<FromPage, { kind: 'suggest' }>): Promise<void> {
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    try {
      if (message.trigger === '/') await this.#commands(message, running.signal)
      else await this.#context(message, running.signal)
    } catch (fault) {
      if (!isAbort(fault)) this.#options.report(fault)
    }
  }

  /** Undefined if the page shows other suggestions by now. */
  selected({ request, item }: Extract<FromPage, { kind: 'take-suggestion' }>): Selected | undefined {
    return request === this.#shown.request ? this.#shown.selected[item] : undefined
  }

  async #context(message: Extract<FromPage, { kind: 'suggest' }>, signal: AbortSignal): Promise<void> {
    const { sources } = this.#options
    const { kind, text } = narrowed(message.text)
    const query = { text, limit: MOST_ITEMS }
    let last: readonly Suggestion[] = []
    for await (const suggestions of sources.suggest(query, signal)) {
      if (signal.aborted) return
      const wanted = suggestions.filter(one => (kind === undefined || one.icon === kind) && hasSpaced(one, text))
      last = wanted.slice(0, MOST_ITEMS)
      this.#show(message, contextItems(last), last.map(contextSelected), false)
    }
    if (!signal.aborted) this.#show(message, contextItems(last), last.map(contextSelected), true)
  }

  async #commands(message: Extract<FromPage, { kind: 'suggest' }>, signal: AbortSignal): Promise<void> {
    const typed = message.text.toLowerCase()
    const commands = slashCommands.filter(({ name }) => name.startsWith(typed))
    const own = commands.map(command => ({ item: commandItem(command, typed), selected: commandSelected(command) }))
    this.#showAll(message, own, false)
    const prompts = await this.#options.promptFiles(signal)
    if (signal.aborted) return
    const found = prompts.filter(({ name }) => name.includes(typed) && !slashCommands.some(one => one.name === name))
    const items = found.map(prompt => ({ item: promptItem(prompt, typed), selected: promptSelected(prompt) }))
    this.#showAll(message, [...own, ...items].slice(0, MOST_ITEMS), true)
  }

  #showAll(
    message: Extract<FromPage, { kind: 'suggest' }>,
    all: readonly { item: SuggestionItem; selected: Selected }[],
    isComplete: boolean,
  ): void {
    this.#show(
      message,
      all.map(({ item }) => item),
      all.map(({ selected }) => selected),
      isComplete,
    )
  }

  #show(
    { conversation, request }: Extract<FromPage, { kind: 'suggest' }>,
    items: readonly SuggestionItem[],
    selected: readonly Selected[],
    isComplete: boolean,
  ): void {
    this.#shown = { request, selected }
    // as: the schema infers mutable arrays, and no reader changes an item.
    this.#options.send({ kind: 'suggestions', conversation, request, items, isComplete } as ToPage)
  }
}

/** As other chats write it, a mention begins with what it is of, such as `#file:a.ts`. */
function narrowed(typed: string): { readonly kind?: string; readonly text: string } {
  const { word, text = typed } = /^(?<word>file|folder|sym|symbol):(?<text>.*)$/is.exec(typed)?.groups ?? {}
  const kind = word?.toLowerCase()
  return { ...(kind !== undefined && { kind: kind === 'sym' ? 'symbol' : kind }), text }
}

/** With a space, which would else begin the text behind the mention, the name has to be typed as it is. */
function hasSpaced({ label, detail }: Suggestion, typed: string): boolean {
  return !/\s/.test(typed) || `${detail}/${label}`.toLowerCase().includes(typed.toLowerCase())
}

const contextSelected = (suggestion: Suggestion): Selected => ({ is: 'context', suggestion })
const commandSelected = (command: SlashCommand): Selected => ({ is: 'command', command })
const promptSelected = (prompt: PromptFile): Selected => ({ is: 'prompt', prompt })

export const mentionText = (label: string) => `@${label}`

function contextItems(suggestions: readonly Suggestion[]): SuggestionItem[] {
  return suggestions.map(({ label, detail, icon: kind, labelMatches, detailMatches }) => ({
    kind,
    label,
    ...(detail && { detail }),
    labelMatches,
    detailMatches,
    insert: `${mentionText(label)} `,
  }))
}

function commandItem({ name, acts }: SlashCommand & { name: SlashCommandName }, typed: string): SuggestionItem {
  const detail = commandText(name)
  if (acts === undefined) return item('command', name, detail, typed, `/${name} `)
  return { ...item('command', name, detail, typed, `/${name}`), acts: true }
}

const promptItem = ({ name, description }: PromptFile, typed: string) =>
  item('prompt', name, description, typed, `/${name} `)

function item(kind: 'command' | 'prompt', name: string, detail: string, typed: string, insert: string): SuggestionItem {
  const at = name.indexOf(typed)
  const labelMatches = at < 0 ? [] : Array.from(typed, (_, index) => 1 + at + index)
  return { kind, label: `/${name}`, ...(detail && { detail }), labelMatches, detailMatches: [], insert }
}

function commandText(name: SlashCommandName): string {
  switch (name) {
    case 'explain':
      return l10n.t('Explain the code')
    case 'fix':
      return l10n.t('Find and fix what is wrong')
    case 'tests':
      return l10n.t('Write tests')
    case 'doc':
      return l10n.t('Write documentation comments')
    case 'review':
      return l10n.t('Review the changes')
    case 'commit':
      return l10n.t('Write a commit message')
    case 'compact':
      return l10n.t('Summarize the conversation so far')
    case 'clear':
      return l10n.t('Start a new chat')
  }
}
