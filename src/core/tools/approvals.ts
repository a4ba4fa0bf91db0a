// `Approvals`: the port that asks the user to approve a call; and the actions that are allowed for a conversation.
import type { Tool, ToolInput } from './tool.ts'

export interface Approvals {
  /**
   * Asks about one call. It is called for all calls of an answer that need an approval at once, so that they can be
   * shown together. The question is withdrawn when the signal aborts.
   */
  ask(call: PendingCall, signal: AbortSignal): Promise<Approval>
}

/** A call whose arguments fit and which needs the user's approval. */
export interface PendingCall {
  readonly conversation: string
  readonly turn: string
  readonly part: string
  readonly tool: Tool
  readonly input: ToolInput
}

/** `boundTo`: the hash of the file that was shown with the question. `reason`: a text by the user. */
export type Approval =
  | { readonly is: 'allowed'; readonly scope: 'once' | 'conversation'; readonly boundTo?: string }
  | { readonly is: 'denied'; readonly reason?: string }

/**
 * The actions that the user has allowed for a conversation, by the hash of the exact action: another character is
 * another action. They are kept in memory only, because another program could edit a file to claim a consent.
 */
export class AllowedActions {
  readonly #hashes = new Set<string>()

  async add(call: PendingCall): Promise<void> {
    this.#hashes.add(await hashOf(call))
  }

  async has(call: PendingCall): Promise<boolean> {
    return this.#hashes.has(await hashOf(call))
  }
}

async function hashOf({ conversation, tool, input }: PendingCall): Promise<string> {
  const action = JSON.stringify([conversation, tool.name, sorted(input)])
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(action))
  return [...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/** The same members in another order are the same action. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}
