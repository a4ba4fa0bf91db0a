// `CommandWatch`: the port by which what a command changes in the user's files becomes changes that can be undone.

/** What a command changes can be undone in `files` of the `of` files that it may change. */
export interface Restorable {
  readonly files: number
  readonly of: number
}

/** One file that a command has changed, and that can be undone. */
export interface CommandChange {
  /** As the model names it. */
  readonly path: string
  readonly change: 'modified' | 'created' | 'deleted'
  readonly addedLines: number
  readonly removedLines: number
  /** While the command went on in the background: by it or by somebody else. */
  readonly isLate?: true
}

export interface CommandChanges {
  readonly changed: readonly CommandChange[]
  /** Paths of files that it has changed too, whose contents from before are not known. */
  readonly notRestorable: readonly string[]
  /** False where the files could not be looked at. */
  readonly isKnown: boolean
}

export interface WatchedCommand {
  readonly restorable: Restorable
  /** What it has changed and this has not returned before, recorded as changes of the turn. Does not reject. */
  changes(): Promise<CommandChanges>
  /** What changes from now on may also be the work of somebody else. */
  late(): void
  /** Called once: what changes from now on is not its. Does not reject. */
  end(): Promise<void>
}

export interface CommandWatch {
  /**
   * For the question about a command, before the first of a conversation too. Undefined where it is not known in time;
   * `nothing` where the files cannot be looked at.
   */
  restorable(signal: AbortSignal): Promise<Restorable | 'nothing' | undefined>
  /** Right before the command starts; from the first one on, contents are kept in the background. Rejects only for an abort. */
  begin(conversation: string, turn: string, signal: AbortSignal): Promise<WatchedCommand>
}
