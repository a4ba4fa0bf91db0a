// `Tool`: the interface of a tool that the model can call.
import type { PartOf, ToolResult } from '../../protocol/conversation.ts'
import type { FlatSchema } from './flatSchema.ts'

/** What a tool can access; the mode decides for each whether the user is asked. */
export type ToolRights = 'none' | 'read' | 'write' | 'run'

/** The arguments of a call, after they have been checked against the schema of the tool. */
export type ToolInput = Readonly<Record<string, unknown>>

export interface Tool {
  /** In the form that services accept: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string
  /** What it does and its limits, so that the model pages through long results instead of repeating the call. */
  readonly description: string
  readonly parameters: FlatSchema
  readonly rights: ToolRights
  /** What the call changes, such as paths. After a failed change, later changes of the same name are not tried. */
  changes?(input: ToolInput): readonly string[]
  /** Rejects only for internal faults; a mistake that the model can correct is reported as a result. */
  run(input: ToolInput, context: ToolContext, signal: AbortSignal): Promise<ToolOutput>
}

/** The context of one call. `boundTo`: the hash of the file that was approved; the approval holds for no other. */
export interface ToolContext {
  readonly conversation: string
  readonly turn: string
  readonly part: string
  readonly boundTo: string | undefined
  /** Stores the changes that the tool has made to the user's files in the conversation. */
  record(changes: PartOf<'change-set'>): Promise<void>
}

/**
 * `isError`: the arguments were valid but the call was not carried out as asked. The other members as in `ToolResult`.
 */
export interface ToolOutput extends Omit<ToolResult, 'outcome'> {
  readonly isError?: boolean
}
