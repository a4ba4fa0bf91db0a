// A document as a value: text, place, language, version.

export interface DocumentSnapshot {
  /** Identifies the document; the same for all its versions. */
  readonly id: string
  /** Path as shown to the model, relative to its workspace folder where there is one. Forward slashes. */
  readonly path: string
  /** Where it lies on the disk, if it does. Only for telling which files are kept from the model; never shown to it. */
  readonly fullPath?: string
  readonly language: string
  readonly version: number
  /** The whole text with `\n` line ends. */
  readonly text: string
  /** Offset of the cursor in `text`. */
  readonly offset: number
  /** One level of indentation: a tab, or so many spaces. */
  readonly indent: string
}

export interface Place {
  /** Everything before the cursor. */
  readonly prefix: string
  /** Everything after the cursor. */
  readonly suffix: string
  readonly lineBefore: string
  readonly lineAfter: string
}

export function placeOf({ text, offset }: DocumentSnapshot): Place {
  const prefix = text.slice(0, offset)
  const suffix = text.slice(offset)
  const lineEnd = suffix.indexOf('\n')
  return {
    prefix,
    suffix,
    lineBefore: prefix.slice(prefix.lastIndexOf('\n') + 1),
    lineAfter: lineEnd < 0 ? suffix : suffix.slice(0, lineEnd),
  }
}
