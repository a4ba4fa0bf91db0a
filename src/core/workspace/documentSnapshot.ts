// A document as a value, with the cursor in it: text, place, language, version, edits.
import type { FileFacts } from './accessPolicy.ts'
import type { EditLog } from './editLog.ts'

export interface DocumentSnapshot {
  /** Identifies the document; the same for all its versions. */
  readonly id: string
  /** Path as shown to the model, relative to its workspace folder where there is one. Forward slashes. */
  readonly path: string
  /** Where it lies on the disk, if it does. Only for telling which files are kept from the model; never shown to it. */
  readonly fullPath?: string
  readonly isInWorkspace: boolean
  readonly language: string
  readonly version: number
  /** The edits that led to this version. */
  readonly log: EditLog
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

/** What the access policy judges it by. */
export function factsOf({ id, path, fullPath, isInWorkspace, language, text }: DocumentSnapshot): FileFacts {
  return { uri: id, path, ...(fullPath && { fullPath }), isInWorkspace, language, size: text.length, text }
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
