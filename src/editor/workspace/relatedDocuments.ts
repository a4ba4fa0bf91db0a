// `relatedDocuments`: snapshots of the other documents that the user has open.
import { Position, TabInputText, type TextDocument, window, workspace } from 'vscode'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import type { EditorDocuments } from './editorDocuments.ts'

const MOST = 20

/** The visible ones first. Only documents that are open already; the access policy is applied by the completer. */
export function relatedDocuments(
  snapshot: DocumentSnapshot,
  documents: Pick<EditorDocuments, 'snapshotOf'>,
): readonly DocumentSnapshot[] {
  const open = [...window.visibleTextEditors.map(editor => editor.document), ...documentsInTabs()]
  return [...new Set(open)]
    .filter(document => document.uri.toString() !== snapshot.id)
    .slice(0, MOST)
    .flatMap(document => documents.snapshotOf(document, new Position(0, 0)) ?? [])
}

function documentsInTabs(): TextDocument[] {
  const open = new Map(workspace.textDocuments.map(document => [document.uri.toString(), document]))
  const inputs = window.tabGroups.all.flatMap(group => group.tabs.map(tab => tab.input))
  return inputs.flatMap(input => (input instanceof TabInputText ? (open.get(input.uri.toString()) ?? []) : []))
}
