// `Tool`: the interface of a tool that the model can call.
import type { CallConcern, CallPreview, PartOf, ToolResult } from '../../protocol/conversation.ts'
import type { CheckedArguments } from './checkArguments.ts'
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
  /** The JSON schema that is sent in place of `parameters`, where it is somebody else's and no flat one. */
  readonly schema?: object
  readonly rights: ToolRights
  /** Checks the arguments, in place of a comparison with `parameters`. */
  check?(given: unknown): CheckedArguments
  /**
   * What the call would do, found before the user is asked and without doing any of it. Not called where the mode refuses
   * the call. Called for all calls of an answer, in their order, before the first of them is carried out; once more for a
   * call that was outdated. Rejects only for internal faults.
   */
  prepare?(input: ToolInput, context: CallContext, signal: AbortSignal): Promise<PreparedCall>
  /** Rejects only for internal faults; a mistake that the model can correct is reported as a result. */
  run(input: ToolInput, context: ToolContext, signal: AbortSignal): Promise<ToolOutput>
  /** Called after the calls of an answer, also where some of them were declined, failed or stopped. */
  finish?(context: Omit<CallContext, 'part'>): Promise<void>
}

/** Where a call belongs. `part`: its id in the conversation; `answer`: the same for all calls of one answer. */
export interface CallContext {
  readonly conversation: string
  readonly turn: string
  readonly answer: string
  readonly part: string
  /** The mode has what needs no question run in the sandbox. */
  readonly isSandboxed?: boolean
}

/**
 * `concerns`: why the user is asked also where the mode would not ask. `boundTo`: the hash of what `preview` was made of,
 * such as the file to be edited. `remembered`: what is allowed when the user allows the same for the conversation, such as
 * a path or an exact command; without it each call is asked about. `isAllowedBySetting`: the user's own settings allow
 * exactly this, so that nobody is asked where there are no concerns.
 */
export type PreparedCall =
  | {
      readonly is: 'ready'
      readonly concerns: readonly CallConcern[]
      readonly preview?: CallPreview
      readonly boundTo?: string
      readonly remembered?: string
      readonly isAllowedBySetting?: boolean
      /** The files that the call changes. After a failed change of one of them, later ones of the answer are not tried. */
      readonly changes?: readonly { readonly uri: string; readonly path: string }[]
      /**
       * The whole text that a file would have, where the preview shows a change of one file; empty for no file. `before`:
       * its text, where it is shown in another form than it has.
       */
      readonly proposed?: { readonly uri: string; readonly text: string; readonly before?: string }
    }
  | { readonly is: 'refused'; readonly output: string }
  /** There is nothing to do, such as for an edit that was made before. */
  | { readonly is: 'answered'; readonly output: ToolOutput }

/**
 * The context of one call that may be carried out. `approved`: the user was asked about it; `boundTo`: as it was prepared.
 * A tool whose file is another one by now returns `isOutdated`, and is prepared and asked about again.
 */
export interface ToolContext extends CallContext {
  readonly approved: boolean
  readonly boundTo: string | undefined
  /** Stores the changes that the tool has made to the user's files in the conversation. */
  record(changes: PartOf<'change-set'>): Promise<void>
  /** Shows how far the call is, in place of what it showed before. It is not kept. */
  progress?(text: string): void
}

/**
 * `isError`: the arguments were valid but the call was not carried out as asked. `isOutdated`: it was not carried out,
 * because what was approved has changed or is not enough; `content` is then what came of it, for the case that the user
 * declines. The other members as in `ToolResult`.
 */
export interface ToolOutput extends Omit<ToolResult, 'outcome'> {
  readonly isError?: boolean
  readonly isOutdated?: boolean
  /** Equal for results that count as the same, although `content` differs each time, such as by how long it took. */
  readonly repeatKey?: string
}
