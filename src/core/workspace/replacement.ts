// `Replacement` and `TextRange`: a change of one range of a text, and such a range.

/** Replaces `start` to `end` of the text before the edit by `text`. */
export interface Replacement extends TextRange {
  readonly text: string
}

/** Offsets of a text in UTF-16 code units, `end` not included. */
export interface TextRange {
  readonly start: number
  readonly end: number
}
