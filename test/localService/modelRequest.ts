// What a caller asks of the model, whichever surface the request came by.
import type { JsonObject } from './json.ts'

export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** The address is a data: or https: one. */
  | { readonly kind: 'image'; readonly url: string }

/** A call that the model made earlier; its arguments are the text of a JSON object. */
export interface MadeCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface Message {
  readonly role: Role
  readonly parts: readonly Part[]
  /** All texts of the parts, each on a line of its own. */
  readonly text: string
  /** The calls of an assistant message. */
  readonly calls: readonly MadeCall[]
  /** The call that a tool message answers. */
  readonly callId: string | undefined
}

export interface Tool {
  readonly name: string
  readonly description: string | undefined
  /** A JSON schema. */
  readonly parameters: JsonObject | undefined
  readonly strict: boolean | undefined
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface ModelRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice
  /** The most tokens that the answer may have. */
  readonly maxTokens: number | undefined
  readonly stops: readonly string[]
  readonly isStream: boolean
  /** Whether a stream of chat completions reports its usage; the others always do. */
  readonly wantsUsage: boolean
  /** What else matters to a model, as the fields of a chat completion request. */
  readonly extras: JsonObject
  /** As it came. */
  readonly json: JsonObject
}

export const textParts = (text: string): Part[] => [{ kind: 'text', text }]

export function messageOf(
  role: Role,
  parts: readonly Part[],
  more: { readonly calls?: readonly MadeCall[]; readonly callId?: string } = {},
): Message {
  const text = parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n')
  return { role, parts, text, calls: more.calls ?? [], callId: more.callId }
}

/** Two messages of one role as one, for models whose turns must alternate; a blank line parts their texts. */
export function joinedMessage(first: Message, second: Message): Message {
  const [next, ...rest] = second.parts
  const last = first.parts.at(-1)
  const calls = [...first.calls, ...second.calls]
  if (last?.kind !== 'text' || next?.kind !== 'text')
    return messageOf(first.role, [...first.parts, ...second.parts], { calls })
  const seam = [last.text, next.text].filter(text => text !== '').join('\n\n')
  return messageOf(first.role, [...first.parts.slice(0, -1), ...textParts(seam), ...rest], { calls })
}

export const imagesOf = ({ parts }: Message): string[] =>
  parts.flatMap(part => (part.kind === 'image' ? [part.url] : []))

/** The fields that were given a value. */
export const given = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
