// `loadNextEdit`: makes what finds, draws and takes the next edit.
import { type ExtensionContext, languages, type TextDocument, Uri, window } from 'vscode'
import { type Disposable, DisposableStore, onEnd } from '../base/disposable.ts'
import { isEnabledFor } from '../core/complete/completionSettings.ts'
import { editPreview } from '../core/nextEdit/editPreview.ts'
import { ModelEdits } from '../core/nextEdit/modelEdits.ts'
import { NextEdits } from '../core/nextEdit/nextEdits.ts'
import { type DocumentSnapshot, factsOf } from '../core/workspace/documentSnapshot.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import { EditorLanguageServer, problemOf } from '../editor/nextEdit/editorLanguageServer.ts'
import { NextEditView } from '../editor/nextEdit/nextEditView.ts'
import { takeNextEdit } from '../editor/nextEdit/takeNextEdit.ts'
import { setContextKey } from '../editor/ui/contextKeys.ts'
import type { Services } from './services.ts'

export interface NextEditHints extends Disposable {
  /** The text, the cursor or the editor in front has changed. */
  follow(): void
  /** Goes to the place of the hint or makes its change. False where there is no hint for the text as it is now. */
  take(): Promise<boolean>
  refuse(): void
}

export function loadNextEdit(services: Services, { extensionUri }: ExtensionContext): NextEditHints {
  const { access, account, clock, documents, editorDocuments, log, models, scheduler, selection } = services
  const { settings, snooze, suggestions, thinking } = services
  const disposables = new DisposableStore()
  const mayOpen = (document: TextDocument) => {
    const facts = editorDocuments.factsOf(document)
    return facts !== undefined && access.refusalOf(facts, 'completion') === undefined
  }
  const isWanted = (snapshot: DocumentSnapshot) => {
    const applied = snooze.applied(completionSettings(snapshot))
    // A workspace can only switch it off.
    const isSet = settings.userValue('completions.nextEdit') && settings.get('completions.nextEdit')
    const isOn = isSet && applied.mode === 'eager'
    const isOpen = account.state.is === 'in' && isEnabledFor(snapshot.language, applied)
    return isOn && isOpen && access.refusalOf(factsOf(snapshot), 'completion') === undefined
  }
  const server = new EditorLanguageServer({ track: document => editorDocuments.track(document), mayOpen })
  const model = new ModelEdits({
    models,
    model: () => {
      const id = selection.completionModel
      return id === undefined || thinking.isUnstoppable(id) ? undefined : id
    },
    thinkingOff(id) {
      const thinkingOff = thinking.for(id)
      return thinkingOff ? { thinkingOff } : {}
    },
  })
  const isIdle = (snapshot: DocumentSnapshot) =>
    scheduler.state.holders.length === 0 && !suggestions.isActiveAt(snapshot)
  const mayRead = (document: DocumentSnapshot) => access.refusalOf(factsOf(document), 'context') === undefined
  const edits = disposables.add(new NextEdits({ documents, server, clock, isWanted, model, isIdle, mayRead, log }))
  const view = disposables.add(new NextEditView(Uri.joinPath(extensionUri, 'media', 'nextEdit.svg')))
  const draw = () => {
    const { hint } = edits
    const document = hint && documents.get(hint.edit.documentId)
    const isCurrent = document?.version === hint?.edit.version
    const { takesTab } = edits
    const preview = document && isCurrent ? editPreview(document, hint.edit) : undefined
    view.show(document && preview ? { document, preview, takesTab } : undefined)
  }
  let tookTab = false
  /** Tab takes a hint as soon as it is seen. */
  const update = () => {
    const { hint, takesTab } = edits
    tookTab = takesTab
    const areSet = [
      setContextKey('kourier.hasNextEdit', hint !== undefined),
      setContextKey('kourier.tabTakesNextEdit', takesTab),
    ]
    if (hint) void Promise.all(areSet).then(draw)
    else draw()
  }
  disposables.add(edits.onDidChange(update))
  disposables.add(
    languages.onDidChangeDiagnostics(({ uris }) => {
      const uri = window.activeTextEditor?.document.uri
      if (uri && uris.some(one => one.toString() === uri.toString()))
        edits.updateProblems(uri.toString(), problemsOf(uri))
    }),
  )
  disposables.add(onEnd(() => setContextKey('kourier.hasNextEdit', false)))
  disposables.add(onEnd(() => setContextKey('kourier.tabTakesNextEdit', false)))
  return {
    follow() {
      const editor = window.activeTextEditor
      // Between two files there is none for a moment.
      if (!editor) return
      const hasOneCursor = editor.selections.length === 1
      const snapshot = hasOneCursor ? editorDocuments.snapshotOf(editor.document, editor.selection.active) : undefined
      edits.follow(snapshot, problemsOf(editor.document.uri))
      if (edits.takesTab !== tookTab) update()
    },
    async take() {
      const { hint } = edits
      const document = hint && (await server.open(hint.edit.documentId))
      if (!hint || document?.version !== hint.edit.version) return false
      if (await takeNextEdit(hint, document)) {
        edits.applied(hint)
        hint.finish?.()
      }
      return true
    },
    refuse: () => edits.refuse(),
    dispose: () => disposables.dispose(),
  }
}

const problemsOf = (uri: Uri) => languages.getDiagnostics(uri).map(problemOf)
