// Documents whose text a test sets as a whole; each step is followed by the smallest change, as an editor reports it.
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { TextEdit } from '../../../src/core/workspace/textEdit.ts'
import { type Look, snapshotAt } from './snapshots.ts'

export class FollowedDocuments {
  readonly documents = new Documents()

  /** The document has this text from now on, in its next version; the first time it is opened. */
  change(marked: string, look: Look = {}, reason?: 'undo' | 'redo' | 'reload'): DocumentSnapshot {
    const { id: uri, text, language } = snapshotAt(marked, look)
    const before = this.documents.get(uri)
    if (!before) {
      this.documents.open({ uri, language, version: look.version ?? 1, text, lineEnd: '\n' })
      return this.look(marked, look)
    }
    const { replacements } = TextEdit.of(before.text, [{ start: 0, end: before.text.length, text }])
    this.documents.change(uri, {
      version: look.version ?? before.version + 1,
      lineEnd: '\n',
      changes: replacements.map(({ start, end, text }) => ({ offset: start, length: end - start, text })),
      reason: reason === 'reload' ? undefined : reason,
      lengthAfter: text.length,
      readText: () => text,
    })
    if (reason === 'reload') this.documents.recordReload(uri)
    return this.look(marked, look)
  }

  /** The document as it is, with the cursor at the `|`. */
  look(marked: string, look: Look = {}): DocumentSnapshot {
    const snapshot = snapshotAt(marked, look)
    const document = this.documents.get(snapshot.id)
    if (document?.text !== snapshot.text) throw new Error('the document has another text')
    return { ...snapshot, version: document.version, log: document.log }
  }
}
