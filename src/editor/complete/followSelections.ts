// `followSelections`: where the cursor is, and what is selected, for what is gathered about the place.
import { window } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import type { PromptSources } from '../../core/complete/promptSources.ts'
import { textWithLineFeeds } from '../../core/workspace/lineEnds.ts'
import type { CompletedDocuments } from './inlineProvider.ts'

/** More is not sent. */
const MOST_SELECTED_LINES = 60

export function followSelections(sources: PromptSources, snapshotOf: CompletedDocuments['snapshotOf']): Disposable {
  return window.onDidChangeTextEditorSelection(({ textEditor: { document }, selections: [selection, another] }) => {
    if (!selection || another) return
    const snapshot = snapshotOf(document, selection.active)
    if (!snapshot) return
    if (selection.isEmpty) return sources.follow(snapshot)
    if (selection.end.line - selection.start.line <= MOST_SELECTED_LINES)
      sources.select({ from: snapshot, text: textWithLineFeeds(document.getText(selection)) })
  })
}
