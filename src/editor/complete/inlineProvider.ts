// Our completer as the editor's inline completion provider.
import {
  commands,
  type InlineCompletionContext,
  InlineCompletionItem,
  InlineCompletionTriggerKind,
  languages,
  type Position,
  type TextDocument,
  window,
  workspace,
} from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Completer, CompletionRequest } from '../../core/complete/completer.ts'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import { signalOf } from '../ui/cancellation.ts'
import { offsetIn, rangeOf } from './lineRange.ts'

/** Undefined for a document that is never completed. */
export type SnapshotOf = (document: TextDocument, position: Position) => DocumentSnapshot | undefined

export function inlineProvider(completer: Completer, snapshotOf: SnapshotOf): Disposable {
  const life = new DisposableStore()
  const late = new LateAnswers(snapshotOf)
  life.add(completer.onDidArriveLate(snapshot => late.bring(snapshot)))
  life.add(workspace.onDidCloseTextDocument(document => completer.forget(document.uri.toString())))
  life.add(
    languages.registerInlineCompletionItemProvider(
      { pattern: '**' },
      {
        async provideInlineCompletionItems(document, position, context, token) {
          const snapshot = hasOneCursor(document) ? snapshotOf(document, position) : undefined
          if (!snapshot) return undefined
          const { signal, dispose } = signalOf(token)
          try {
            const request = requestOf(snapshot, position, context, late.isBringing(snapshot))
            const suggestion = await completer.complete(snapshot, request, signal)
            if (!suggestion) return undefined
            return [new InlineCompletionItem(suggestion.text, rangeOf(snapshot, position, suggestion.range))]
          } finally {
            dispose()
          }
        },
      },
    ),
  )
  return life
}

function requestOf(
  snapshot: DocumentSnapshot,
  position: Position,
  { triggerKind, selectedCompletionInfo }: InlineCompletionContext,
  isBringing: boolean,
): CompletionRequest {
  const isExplicit = triggerKind === InlineCompletionTriggerKind.Invoke && !isBringing
  if (!selectedCompletionInfo?.range.isSingleLine) return { isExplicit }
  const { range, text } = selectedCompletionInfo
  const start = offsetIn(snapshot, position, range.start.character)
  return { isExplicit, selected: { start, end: offsetIn(snapshot, position, range.end.character), text } }
}

/** With several cursors the same text would go in at each of them; a selection would be overwritten. */
function hasOneCursor(document: TextDocument): boolean {
  const editor = window.activeTextEditor
  if (editor?.document !== document) return true
  return editor.selections.length === 1 && editor.selection.isEmpty
}

/**
 * The editor has no door for an answer that comes after its call went without: it has to be made to ask again. That
 * call looks as if the user had made it, so we remember that it is ours.
 */
class LateAnswers {
  readonly #snapshotOf: SnapshotOf
  #brought = ''

  constructor(snapshotOf: SnapshotOf) {
    this.#snapshotOf = snapshotOf
  }

  bring(snapshot: DocumentSnapshot): void {
    const editor = window.activeTextEditor
    const now = editor && this.#snapshotOf(editor.document, editor.selection.active)
    if (!editor?.selection.isEmpty || !now || placeOf(now) !== placeOf(snapshot)) return
    this.#brought = placeOf(snapshot)
    void commands.executeCommand('editor.action.inlineSuggest.trigger')
  }

  /** True once for each that was brought. */
  isBringing(snapshot: DocumentSnapshot): boolean {
    const isIt = this.#brought === placeOf(snapshot)
    this.#brought = ''
    return isIt
  }
}

const placeOf = ({ id, version, offset }: DocumentSnapshot) => `${id} ${version} ${offset}`
