// A piece of a text that another one takes the place of.

/** Puts `text` where `start` to `end` was in the text before the edit. */
export interface Replacement extends TextRange {
  readonly text: string
}

/** Offsets of a text in UTF-16 code units, `end` not included. */
export interface TextRange {
  readonly start: number
  readonly end: number
}
