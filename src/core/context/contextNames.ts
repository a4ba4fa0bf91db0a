// `ContextNames`: the short phrases, in the user's language, for what has no name of its own.
export interface ContextNames {
  readonly selection: string
  readonly openEditors: string
  readonly problems: string
  readonly staged: string
  readonly notStaged: string
  /** What a commit would have. */
  readonly forCommit: string
  readonly changes: string
  /** Those of one file. */
  readonly changesIn: (name: string) => string
  readonly repository: string
  readonly terminal: string
  /** A command that has not ended. */
  readonly runningCommand: (command: string) => string
}
