// `Tool`: something that the model can have done.
import type { PartOf, ToolResult } from '../../protocol/conversation.ts'
import type { FlatSchema } from './flatSchema.ts'

/** What a tool may touch; a mode says for each whether it may do so without a question. */
export type ToolRights = 'none' | 'read' | 'write' | 'run'

/** The arguments of a call, after they have been checked against the schema of the tool. */
export type ToolInput = Readonly<Record<string, unknown>>

export interface Tool {
  /** As services take it: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string
  /** What it does and which limits it has: the model then pages instead of trying again. */
  readonly description: string
  readonly parameters: FlatSchema
  readonly rights: ToolRights
  /** Names of what the call changes, such as paths: once a change of one has failed, later ones of it are not tried. */
  changes?(input: ToolInput): readonly string[]
  /** Rejects only for a fault of its own; what the model can correct is a result. */
  run(input: ToolInput, context: ToolContext, signal: AbortSignal): Promise<ToolOutput>
}

/** Which call it is. `boundTo`: the hash of the file that was approved; the approval holds for no other. */
export interface ToolContext {
  readonly conversation: string
  readonly turn: string
  readonly part: string
  readonly boundTo: string | undefined
  /** Keeps what the tool has changed in the user's files with the conversation. */
  record(changes: PartOf<'change-set'>): Promise<void>
}

/** `isError`: the call was understood but not carried out as asked. The other members as in `ToolResult`. */
export interface ToolOutput extends Omit<ToolResult, 'outcome'> {
  readonly isError?: boolean
}
