// Open tabs and recent edits, as snapshots.
import { Position, TabInputText, type TextDocument, window, workspace } from 'vscode'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import { isExcluded } from '../../core/workspace/exclude.ts'
import { completionSettings } from './completionSettings.ts'
import { snapshotOf } from './documents.ts'

const MOST = 20

/** The documents the user has before them, those in sight first. Only what is open already; nothing is read for it. */
export function relatedDocuments(snapshot: DocumentSnapshot): readonly DocumentSnapshot[] {
  const documents = [...window.visibleTextEditors.map(editor => editor.document), ...documentsInTabs()]
  return [...new Set(documents)]
    .filter(document => document.uri.toString() !== snapshot.id)
    .slice(0, MOST)
    .flatMap(document => snapshotOf(document, new Position(0, 0)) ?? [])
    .filter(other => !isExcluded(other, completionSettings(other).exclude))
}

function documentsInTabs(): TextDocument[] {
  const open = new Map(workspace.textDocuments.map(document => [document.uri.toString(), document]))
  const inputs = window.tabGroups.all.flatMap(group => group.tabs.map(tab => tab.input))
  return inputs.flatMap(input => (input instanceof TabInputText ? (open.get(input.uri.toString()) ?? []) : []))
}
