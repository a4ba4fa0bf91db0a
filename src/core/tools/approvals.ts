// `Approvals`: the port that asks the user to approve a call; and the actions that are allowed for a conversation.
import { contentHash } from '../../base/contentHash.ts'
import type { CallContext, PreparedCall, Tool, ToolInput } from './tool.ts'

export interface Approvals {
  /**
   * Asks about one call. It is called for all calls of an answer that need an approval at once, so that they can be
   * shown together. The question is withdrawn when the signal aborts.
   */
  ask(call: PendingCall, signal: AbortSignal): Promise<Approval>
}

/** A call whose arguments fit and which needs the user's approval. */
export interface PendingCall extends CallContext {
  readonly tool: Tool
  readonly input: ToolInput
  readonly prepared: Extract<PreparedCall, { is: 'ready' }>
}

/** `reason`: a text by the user. */
export type Approval =
  | { readonly is: 'allowed'; readonly scope: 'once' | 'conversation' }
  | { readonly is: 'denied'; readonly reason?: string }

/**
 * The actions that the user has allowed for a conversation, by the hash of the exact action: another character is
 * another action. They are kept in memory only, because another program could edit a file to claim a consent.
 */
export class AllowedActions {
  readonly #hashes = new Set<string>()

  /** Does nothing for a call that must be asked about each time. */
  async add(call: PendingCall): Promise<void> {
    const hash = await hashOf(call)
    if (hash !== undefined) this.#hashes.add(hash)
  }

  async has(call: PendingCall): Promise<boolean> {
    const hash = await hashOf(call)
    return hash !== undefined && this.#hashes.has(hash)
  }
}

async function hashOf({ conversation, tool, prepared }: PendingCall): Promise<string | undefined> {
  const { remembered } = prepared
  return remembered === undefined ? undefined : contentHash(JSON.stringify([conversation, tool.name, remembered]))
}
