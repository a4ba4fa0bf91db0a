// `takeNextEdit`: goes to the place of the next edit, or makes it where the cursor is there already.
import { Selection, Uri, window } from 'vscode'
import type { Hint } from '../../core/nextEdit/nextEdits.ts'
import type { TrackedDocument } from '../../core/workspace/documents.ts'
import { positionIn, rangeIn } from '../ui/positionIn.ts'

/** Whether the edit was made; `document` is the one of the edit, in its version. */
export async function takeNextEdit({ edit }: Hint, document: TrackedDocument): Promise<boolean> {
  const [first] = edit.replacements
  const editor = window.activeTextEditor
  if (!first) return false
  const start = positionIn(document.text, first.start)
  const isInFront = editor?.document.uri.toString() === edit.documentId
  if (!isInFront || editor.selection.active.line !== start.line) {
    await window.showTextDocument(Uri.parse(edit.documentId, true), { selection: new Selection(start, start) })
    return false
  }
  if (editor.document.version !== edit.version) return false
  const ranges = edit.replacements.map(one => ({ range: rangeIn(document.text, one), text: one.text }))
  const isMade = await editor.edit(
    builder => {
      for (const { range, text } of ranges) builder.replace(range, text)
    },
    { undoStopBefore: true, undoStopAfter: true },
  )
  return isMade
}
