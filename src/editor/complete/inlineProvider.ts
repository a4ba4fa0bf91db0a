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
import { isAbort, sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { lazy } from '../../base/lazy.ts'
import type { Completer, CompletionRequest } from '../../core/complete/completer.ts'
import { EditorCalls } from '../../core/complete/editorCalls.ts'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import { signalOf } from '../ui/cancellation.ts'
import { Composition } from './composition.ts'
import { cursorAfterChange } from './cursorAfterChange.ts'
import { isShownInline } from './isShownInline.ts'
import { offsetIn, rangeOf } from './lineRange.ts'

export interface CompletedDocuments {
  /** Undefined for a document that is never completed. */
  snapshotOf(document: TextDocument, position: Position): DocumentSnapshot | undefined
  /** Its present version has come from the disk, as far as that is known yet. */
  isReloaded(document: TextDocument): boolean
  /** Its present version has come from a tool or an undo of the chat. */
  isOfExtension(document: TextDocument): boolean
}

export interface InlineProvider extends Disposable {
  /** Hides the suggestion as the editor does on Escape, and remembers that the user has refused it. */
  hide(): void
}

/** What is being composed is completed after so long without a further step: it may be something else with the next one. */
const COMPOSED_MS = 400

/** `load` is called at the first change of a document that may be completed, or at the editor's first call for one. */
export function inlineProvider(
  load: () => Promise<Completer>,
  documents: CompletedDocuments,
  clock: Clock,
): InlineProvider {
  const disposables = new DisposableStore()
  const snapshotOf = (document: TextDocument, position: Position) => documents.snapshotOf(document, position)
  const late = new LateAnswerTrigger(snapshotOf)
  let loaded: Completer | undefined
  const completer = lazy(async () => {
    loaded = await load()
    disposables.add(loaded.onDidArriveLate(snapshot => late.trigger(snapshot)))
    disposables.add(loaded.onDidFindOthers(snapshot => late.triggerAgain(snapshot)))
    return loaded
  })
  const calls = new EditorCalls(clock)
  /** What the completer knows last. */
  let place: Place | undefined
  const follow = async (document: TextDocument, position: Position) => {
    const snapshot = hasOneCursor(document) ? snapshotOf(document, position) : undefined
    if (!snapshot) return
    if (!calls.changed() || !isShownInline(document)) return leave()
    place = { document, version: document.version, position }
    const made = loaded ?? (await completer())
    // A change that came while it was loaded has a call of its own.
    if (document.version === snapshot.version) made.changed(snapshot)
  }
  const leave = () => {
    place = undefined
    loaded?.leave()
  }
  const leaveIfGone = () => {
    if (place && isLeft(place)) leave()
  }
  disposables.add(window.onDidChangeTextEditorSelection(leaveIfGone))
  disposables.add(
    window.onDidChangeActiveTextEditor(editor => {
      leaveIfGone()
      const snapshot = editor && loaded && snapshotOf(editor.document, editor.selection.active)
      if (snapshot) loaded?.enter(snapshot)
    }),
  )
  const composition = new Composition()
  disposables.add(workspace.onDidChangeTextDocument(event => composition.record(event)))
  /** A change that may be one of the file on the disk, until the document has unsaved changes. */
  let unsure: { readonly document: TextDocument; readonly version: number; readonly position: Position } | undefined
  disposables.add(
    cursorAfterChange((document, position) => {
      if (documents.isOfExtension(document)) return
      if (composition.isIn(document)) return leave()
      unsure = documents.isReloaded(document) ? { document, version: document.version, position } : undefined
      if (!unsure) void follow(document, position)
    }),
  )
  disposables.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (unsure?.document !== document || !document.isDirty) return
      const { version, position } = unsure
      unsure = undefined
      if (document.version === version) void follow(document, position)
    }),
  )
  disposables.add(workspace.onDidCloseTextDocument(document => loaded?.forget(document.uri.toString())))
  disposables.add(
    languages.registerInlineCompletionItemProvider(
      { pattern: '**' },
      {
        async provideInlineCompletionItems(document, position, context, token) {
          calls.called()
          const snapshot = hasOneCursor(document) ? snapshotOf(document, position) : undefined
          if (!snapshot) return undefined
          const { signal, dispose } = signalOf(token)
          try {
            const request = requestOf(snapshot, position, context, late.isOwnCall(snapshot))
            const isOfUser = !documents.isReloaded(document) && !documents.isOfExtension(document)
            if (!isOfUser && !request.isExplicit) return undefined
            if (!request.isExplicit && composition.isIn(document)) await sleep(clock, COMPOSED_MS, signal)
            place = { document, version: document.version, position }
            const suggestions = await (await completer()).complete(snapshot, request, signal)
            if (suggestions.length === 0) return undefined
            return suggestions.map(one => new InlineCompletionItem(one.text, rangeOf(snapshot, position, one)))
          } catch (fault) {
            if (!isAbort(fault)) throw fault
            return undefined
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

interface Place {
  readonly document: TextDocument
  readonly version: number
  readonly position: Position
}

/** The cursor is elsewhere in the same text, or there are several, or the file is no longer in front. A change moves it too. */
function isLeft({ document, version, position }: Place): boolean {
  const editor = window.activeTextEditor
  if (editor?.document !== document) return true
  const { line, character } = editor.selection.active
  const isThere = hasOneCursor(document) && line === position.line && character === position.character
  return document.version === version && !isThere
}

/**
 * The editor's API cannot deliver an answer after its call has returned, so this has the editor call again. Such a call
 * has the trigger kind `Invoke`, like a user's, so its position is kept to recognize it.
 */
class LateAnswerTrigger {
  readonly #snapshotOf: CompletedDocuments['snapshotOf']
  #triggeredAt = ''

  constructor(snapshotOf: CompletedDocuments['snapshotOf']) {
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
