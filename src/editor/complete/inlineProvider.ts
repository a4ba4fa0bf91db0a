// `inlineProvider`: registers the completer as an inline completion provider.
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
import { lazy } from '../../base/lazy.ts'
import type { Completer, CompletionRequest } from '../../core/complete/completer.ts'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import { signalOf } from '../ui/cancellation.ts'
import { isReload } from '../ui/isReload.ts'
import { cursorAfterChange } from './cursorAfterChange.ts'
import { offsetIn, rangeOf } from './lineRange.ts'

/** Undefined for a document that is never completed. */
export type SnapshotOf = (document: TextDocument, position: Position) => DocumentSnapshot | undefined

export interface InlineProvider extends Disposable {
  /** Hides the suggestion as the editor does on Escape, and remembers that the user has refused it. */
  hide(): void
}

/** `load` is called at the first change of a document that may be completed, or at the editor's first call for one. */
export function inlineProvider(load: () => Promise<Completer>, snapshotOf: SnapshotOf): InlineProvider {
  const disposables = new DisposableStore()
  const late = new LateAnswerTrigger(snapshotOf)
  let loaded: Completer | undefined
  const completer = lazy(async () => {
    loaded = await load()
    disposables.add(loaded.onDidArriveLate(snapshot => late.trigger(snapshot)))
    disposables.add(loaded.onDidFindOthers(snapshot => late.triggerAgain(snapshot)))
    return loaded
  })
  /** The versions that have come from the disk: nobody is writing there. */
  const reloaded = new WeakMap<TextDocument, number>()
  const isReloaded = (document: TextDocument) => reloaded.get(document) === document.version
  disposables.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && isReload(document)) reloaded.set(document, document.version)
    }),
  )
  disposables.add(
    cursorAfterChange(async (document, position) => {
      const snapshot = hasOneCursor(document) && !isReloaded(document) ? snapshotOf(document, position) : undefined
      if (!snapshot) return
      const made = loaded ?? (await completer())
      // A change that came while it was loaded has a call of its own.
      if (document.version === snapshot.version) made.changed(snapshot)
    }),
  )
  disposables.add(workspace.onDidCloseTextDocument(document => loaded?.forget(document.uri.toString())))
  disposables.add(
    languages.registerInlineCompletionItemProvider(
      { pattern: '**' },
      {
        async provideInlineCompletionItems(document, position, context, token) {
          const snapshot = hasOneCursor(document) ? snapshotOf(document, position) : undefined
          if (!snapshot) return undefined
          const { signal, dispose } = signalOf(token)
          try {
            const request = requestOf(snapshot, position, context, late.isOwnCall(snapshot))
            if (isReloaded(document) && !request.isExplicit) return undefined
            const suggestions = await (await completer()).complete(snapshot, request, signal)
            if (suggestions.length === 0) return undefined
            return suggestions.map(one => new InlineCompletionItem(one.text, rangeOf(snapshot, position, one)))
          } finally {
            dispose()
          }
        },
      },
    ),
  )
  return {
    hide() {
      loaded?.dismiss()
      void commands.executeCommand('editor.action.inlineSuggest.hide')
    },
    dispose: () => disposables.dispose(),
  }
}

function requestOf(
  snapshot: DocumentSnapshot,
  position: Position,
  { triggerKind, selectedCompletionInfo }: InlineCompletionContext,
  isOwnCall: boolean,
): CompletionRequest {
  const isExplicit = triggerKind === InlineCompletionTriggerKind.Invoke && !isOwnCall
  if (!selectedCompletionInfo?.range.isSingleLine) return { isExplicit }
  const { range, text } = selectedCompletionInfo
  const start = offsetIn(snapshot, position, range.start.character)
  return { isExplicit, selected: { start, end: offsetIn(snapshot, position, range.end.character), text } }
}

/** With several cursors the editor would insert the same text at each; a selection would be overwritten. */
function hasOneCursor(document: TextDocument): boolean {
  const editor = window.activeTextEditor
  if (editor?.document !== document) return true
  return editor.selections.length === 1 && editor.selection.isEmpty
}

/**
 * The editor's API cannot deliver an answer after its call has returned, so this has the editor call again. Such a call
 * has the trigger kind `Invoke`, like a user's, so its position is kept to recognize it.
 */
class LateAnswerTrigger {
  readonly #snapshotOf: SnapshotOf
  #triggeredAt = ''

  constructor(snapshotOf: SnapshotOf) {
    this.#snapshotOf = snapshotOf
  }

  trigger(snapshot: DocumentSnapshot): void {
    const editor = window.activeTextEditor
    const now = editor && this.#snapshotOf(editor.document, editor.selection.active)
    if (!editor?.selection.isEmpty || !now || positionKeyOf(now) !== positionKeyOf(snapshot)) return
    this.#triggeredAt = positionKeyOf(snapshot)
    void commands.executeCommand('editor.action.inlineSuggest.trigger')
  }

  /** The editor does not call again for what the user has asked for, unless it is hidden first. */
  triggerAgain(snapshot: DocumentSnapshot): void {
    void commands.executeCommand('editor.action.inlineSuggest.hide')
    this.trigger(snapshot)
  }

  /** True for the first call after `trigger`, if it is for the same position. */
  isOwnCall(snapshot: DocumentSnapshot): boolean {
    const isIt = this.#triggeredAt === positionKeyOf(snapshot)
    this.#triggeredAt = ''
    return isIt
  }
}

const positionKeyOf = ({ id, version, offset }: DocumentSnapshot) => `${id} ${version} ${offset}`
