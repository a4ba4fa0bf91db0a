// `Approvals`: asks the user about calls, a port; and which actions the user has allowed for a conversation.
import type { Tool, ToolInput } from './tool.ts'

export interface Approvals {
  /**
   * Asks about one call. All calls of an answer that need a question are asked about at once, so that they can be shown
   * together. The question is withdrawn when the signal stops.
   */
  ask(call: PendingCall, signal: AbortSignal): Promise<Approval>
}

/** A call whose arguments fit and which waits for the user's word. */
export interface PendingCall {
  readonly conversation: string
  readonly turn: string
  readonly part: string
  readonly tool: Tool
  readonly input: ToolInput
}

/** `boundTo`: the hash of the file that was shown with the question. `reason`: the user's own words. */
export type Approval =
  | { readonly is: 'allowed'; readonly scope: 'once' | 'conversation'; readonly boundTo?: string }
  | { readonly is: 'denied'; readonly reason?: string }

/**
 * What was allowed for a conversation, by the hash of the exact action: one character more or less is another action. It
 * lives in memory alone, since a file on disk could be edited to claim a consent.
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
