// `PlannedEdit`: a change in one document that the user has not made yet, followed through the changes that the user makes.
import type { TrackedDocument } from '../workspace/documents.ts'
import type { Replacement } from '../workspace/replacement.ts'
import { TextEdit } from '../workspace/textEdit.ts'

export interface PlannedEdit {
  readonly documentId: string
  readonly version: number
  /** In order, and without what the old and the new text have in common. */
  readonly replacements: readonly Replacement[]
}

export function plannedEdit(document: TrackedDocument, replacements: readonly Replacement[]): PlannedEdit | undefined {
  const ordered = replacements.toSorted((a, b) => a.start - b.start)
  const isApart = ordered.every(({ start, end }, at) => start >= (ordered[at - 1]?.end ?? 0) && end >= start)
  if (!isApart || (ordered.at(-1)?.end ?? 0) > document.text.length) return undefined
  const edit = TextEdit.of(document.text, ordered)
  if (edit.isEmpty) return undefined
  return { documentId: document.uri, version: document.version, replacements: edit.replacements }
}

/** The same change of the document as it is now; undefined where a change has touched its places. */
export function rebased(planned: PlannedEdit, { uri, version, log }: TrackedDocument): PlannedEdit | undefined {
  if (planned.documentId !== uri) return undefined
  if (planned.version === version) return planned
  const moved: Replacement[] = []
  for (const { start, end, text } of planned.replacements) {
    const range = log.mapRange({ start, end }, planned.version, version)
    if (!range || range.isChanged) return undefined
    moved.push({ start: range.start, end: range.end, text })
  }
  return { documentId: uri, version, replacements: moved }
}

export function textAfter({ text }: TrackedDocument, { replacements }: PlannedEdit): string {
  return TextEdit.of(text, replacements).apply(text)
}
