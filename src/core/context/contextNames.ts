// `ContextNames`: the short phrases, in the user's language, for what has no name of its own.
export interface ContextNames {
  readonly openEditors: string
  readonly problems: string
  readonly staged: string
  readonly notStaged: string
  readonly changes: string
  readonly repository: string
  readonly terminal: string
}
