// `PastPrompts`: what the user has asked before, in a conversation and then in the other ones of the workspace.
import { isAbort } from '../../base/abort.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import { pathOf, promptText } from '../../protocol/conversationPath.ts'
import { type ConversationState, turnOf } from '../../protocol/conversationState.ts'
import type { PastPrompt } from '../../protocol/panel.ts'
import type { ConversationList } from '../conversation/conversationList.ts'
import type { Sessions } from './sessions.ts'

export interface PastPromptsOptions {
  readonly sessions: Pick<Sessions, 'use'>
  readonly list: () => Promise<Pick<ConversationList, 'list'>>
  /** As a URI; without one, the conversations that belong to none. */
  readonly workspace: string | undefined
}

export interface FoundPrompts {
  readonly prompts: readonly PastPrompt[]
  /** There are no others. */
  readonly isComplete: boolean
}

/** How many are read ahead. */
const BATCH = 20

/** Reads one conversation after the other, as far as it is asked for, and begins anew for another place. */
export class PastPrompts {
  readonly #options: PastPromptsOptions
  /** Conversations that the panel has left, the last one first: the list may not have them yet. */
  #left: readonly string[] = []
  #place = ''
  #found: PastPrompt[] = []
  #rest: AsyncGenerator<PastPrompt, void, void> | undefined
  #reading: Promise<unknown> = Promise.resolve()

  constructor(options: PastPromptsOptions) {
    this.#options = options
  }

  leave(conversation: string): void {
    this.#left = [conversation, ...this.#left.filter(other => other !== conversation)]
  }

  /** Newest first, from number `from` on: those of the conversation before the turn, without one all, and then others. */
  async find(
    state: ConversationState,
    before: string | undefined,
    from: number,
    signal: AbortSignal,
  ): Promise<FoundPrompts> {
    const reading = this.#reading.then(() => this.#read(state, before, from, signal))
    this.#reading = reading.catch(() => {})
    return await reading
  }

  /** What was sent with the message; nothing if it cannot be read. */
  async promptOf(
    shown: ConversationState,
    { conversation, turn }: Pick<PastPrompt, 'conversation' | 'turn'>,
    signal: AbortSignal,
  ): Promise<readonly PromptPart[]> {
    const partsIn = (state: ConversationState) => turnOf(state, turn)?.prompt ?? []
    return conversation === shown.conversation ? partsIn(shown) : await this.#use(conversation, partsIn, signal)
  }

  async #read(state: ConversationState, before: string | undefined, from: number, signal: AbortSignal) {
    const place = JSON.stringify([state.conversation, before])
    if (place !== this.#place || from === 0) {
      this.#place = place
      this.#found = []
      this.#rest = this.#prompts(state, before, signal)
    }
    while (this.#rest && this.#found.length < from + BATCH) {
      const next = await this.#rest.next()
      if (next.done) this.#rest = undefined
      else this.#found.push(next.value)
    }
    return { prompts: this.#found.slice(from), isComplete: this.#rest === undefined }
  }

  async *#prompts(state: ConversationState, before: string | undefined, signal: AbortSignal) {
    yield* promptsOf(state, before)
    for (const conversation of await this.#others(state.conversation, signal))
      yield* await this.#readOne(conversation, signal)
  }

  /** The one that was changed last first. */
  async #others(shown: string, signal: AbortSignal): Promise<readonly string[]> {
    const { list, workspace } = this.#options
    const all = await (await list()).list(workspace === undefined ? {} : { workspace }, signal)
    const listed = all.filter(summary => summary.workspace === workspace).toSorted((a, b) => b.updatedAt - a.updatedAt)
    const ids = new Set([...this.#left, ...listed.map(({ conversation }) => conversation)])
    ids.delete(shown)
    return [...ids]
  }

  #readOne(conversation: string, signal: AbortSignal): Promise<readonly PastPrompt[]> {
    return this.#use(conversation, state => promptsOf(state), signal)
  }

  /** Nothing of one that cannot be read. */
  async #use<T>(
    conversation: string,
    read: (state: ConversationState) => readonly T[],
    signal: AbortSignal,
  ): Promise<readonly T[]> {
    try {
      return await this.#options.sessions.use(conversation, async session => read(session.conversation), signal)
    } catch (fault) {
      if (isAbort(fault)) throw fault
      return []
    }
  }
}

/** Newest first. */
function promptsOf(state: ConversationState, before?: string): readonly PastPrompt[] {
  const path = pathOf(state)
  const end = before === undefined ? -1 : path.findIndex(({ id }) => id === before)
  return (end < 0 ? path : path.slice(0, end))
    .map(({ id: turn, prompt }) => ({
      ...{ text: promptText(prompt), conversation: state.conversation, turn },
      hasAttached: prompt.some(({ kind }) => kind !== 'text'),
    }))
    .filter(({ text }) => text.trim() !== '')
    .toReversed()
}
