// `LanguageServer`: a port to what the editor's languages know of a document.
import type { LineRange } from '../../protocol/conversation.ts'
import type { TrackedDocument } from '../workspace/documents.ts'
import type { Replacement } from '../workspace/replacement.ts'

export interface LanguageServer {
  /** All places that renaming the name there would change, its own among them; none where no language knows it. */
  occurrencesOf(documentId: string, offset: number, signal: AbortSignal): Promise<readonly Occurrence[]>
  /** The one fix that the language prefers; undefined without one, and where it changes other documents as well. */
  fixOf(documentId: string, problem: Problem, signal: AbortSignal): Promise<Fix | undefined>
  /** The document as it is now, opened if needed; undefined where that is not possible or not permitted. */
  open(documentId: string): Promise<TrackedDocument | undefined>
}

/** One place of a name. Counted from 0. */
export interface Occurrence {
  readonly documentId: string
  readonly line: number
  readonly character: number
  /** What the language writes around the new name there: `{ a }` becomes `{ a: b }`. */
  readonly before: string
  readonly after: string
}

export interface Problem {
  readonly range: LineRange
  readonly message: string
}

export interface Fix {
  readonly version: number
  readonly replacements: readonly Replacement[]
  /** What the language wants done once the replacements are applied. */
  readonly finish?: () => void
}
