// `DocumentSnapshot`: one version of a document as a value, with the cursor, the language and the edit log.
import type { FileFacts } from './accessPolicy.ts'
import type { EditLog } from './editLog.ts'

export interface DocumentSnapshot {
  /** Identifies the document; the same for all its versions. */
  readonly id: string
  /** Path as shown to the model, relative to its workspace folder where there is one. Forward slashes. */
  readonly path: string
  /** Path on the disk, if it has one. Only for the access policy; never shown to the model. */
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

export interface TextAroundCursor {
  /** Everything before the cursor. */
  readonly prefix: string
  /** Everything after the cursor. */
  readonly suffix: string
  readonly lineBefore: string
  readonly lineAfter: string
}

/** The snapshot as the access policy takes it. */
export function factsOf({ id, path, fullPath, isInWorkspace, language, text }: DocumentSnapshot): FileFacts {
  return { uri: id, path, ...(fullPath && { fullPath }), isInWorkspace, language, size: text.length, text }
}

export function splitAtCursor({ text, offset }: DocumentSnapshot): TextAroundCursor {
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
