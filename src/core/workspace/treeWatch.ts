// `TreeWatch`: the port that knows which files of the workspace have changed since it last looked, and what was in them.
import type { TreeRoot } from './treeSearch.ts'

export interface TreeChange {
  readonly uri: string
  /** As the model names it. */
  readonly path: string
  readonly change: 'modified' | 'created' | 'deleted'
  /** The file as it was; undefined where there was none, or where its content was not kept. */
  readonly before?: { readonly bytes: Uint8Array; readonly mode: number | undefined }
  /** The identity of the file that had the name, where another one or none has it now. */
  readonly taken?: string
  /** The identity of the file that has the name now: that of another change that was taken where it was moved. */
  readonly put?: string
  /** It was made before the last look, so it was moved to here. */
  readonly isOlder?: true
}

/** How many of the files have a content that is kept, or will be. */
export interface Kept {
  readonly files: number
  readonly of: number
}

/** The command whose changes are found, by the turn that called it. `since`: in milliseconds since 1970. */
export interface WatchedTurn {
  readonly conversation: string
  readonly turn: string
  readonly since: number
}

export interface TreeWatch {
  /** What has changed since the last look, without what git ignores; nothing at the first one. */
  look(roots: readonly TreeRoot[], signal: AbortSignal): Promise<readonly TreeChange[]>
  /** Keeps the contents of the files as they were at the last look, until all are kept, there is no more room, or the signal aborts. */
  keep(signal: AbortSignal): Promise<void>
  readonly kept: Kept | undefined
  /**
   * Leaves on the disk what is known, for the next window: what is found from now on is of this command, even if this
   * window crashes. Undefined: no command runs any more.
   */
  leave(command: WatchedTurn | undefined): Promise<void>
  /** A file was changed by somebody who is known. */
  forget(uri: string): Promise<void>
  dispose(): void
}
