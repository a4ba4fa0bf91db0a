// `loadChanges`: the owner of changes and what shows them; loaded at their first use.
import { type ExtensionContext, languages, Uri, window, workspace } from 'vscode'
import type { Clock } from '../base/clock.ts'
import type { DisposableStore } from '../base/disposable.ts'
import { ChangeSetRecorder } from '../core/agent/changeSetRecorder.ts'
import type { Sessions } from '../core/agent/sessions.ts'
import { ModelPlacer } from '../core/edit/modelPlacer.ts'
import type { ModelClient } from '../core/model/modelClient.ts'
import type { ChangeFiles } from '../core/tools/changePorts.ts'
import { Changes } from '../core/tools/changes.ts'
import { Checkpoints } from '../core/tools/checkpoints.ts'
import { WriteGuard } from '../core/tools/writeGuard.ts'
import type { AccessPolicy } from '../core/workspace/accessPolicy.ts'
import { PathResolver } from '../core/workspace/pathResolver.ts'
import type { EditorContext } from '../editor/context/editorContext.ts'
import { askWrite } from '../editor/edit/askWrite.ts'
import { ChangeLenses } from '../editor/edit/changeLenses.ts'
import { ChangeReview } from '../editor/edit/changeReview.ts'
import { ChangeSourceControl } from '../editor/edit/changeSourceControl.ts'
import { CodeActions } from '../editor/edit/codeActions.ts'
import { editorCodec } from '../editor/edit/editorCodec.ts'
import { EditorFiles } from '../editor/edit/editorFiles.ts'
import { editorPaths } from '../editor/edit/editorPaths.ts'
import { followDiffs } from '../editor/edit/followDiffs.ts'
import type { LastEditor } from '../editor/edit/lastEditor.ts'
import { protectedGlobs } from '../editor/edit/protectedGlobs.ts'
import { settleEdits } from '../editor/edit/settleEdits.ts'
import type { ModelSelection } from '../editor/models/modelSelection.ts'
import { setContextKey } from '../editor/ui/contextKeys.ts'
import type { EditorDocuments } from '../editor/workspace/editorDocuments.ts'
import { ChangeFolder } from '../node/changes/changeFolder.ts'
import { SystemFiles } from '../node/changes/systemFiles.ts'
import { homeFolder, systemPaths } from '../node/changes/systemPaths.ts'
import type { Conversations } from './conversations.ts'

export interface ChangeServices {
  readonly changes: Changes
  readonly review: ChangeReview
  readonly actions: CodeActions
  readonly resolver: PathResolver
  readonly store: ChangeFolder
  readonly files: ChangeFiles
  readonly guard: WriteGuard
  readonly checkpoints: Checkpoints
}

export interface ChangeNeeds {
  readonly sessions: Sessions
  readonly stored: Conversations['stored']
  readonly models: ModelClient
  readonly selection: ModelSelection
  readonly access: AccessPolicy
  readonly editorDocuments: EditorDocuments
  readonly context: () => Promise<EditorContext>
  readonly lastEditor: LastEditor
  readonly clock: Clock
  readonly life: DisposableStore
  readonly report: (fault: unknown) => void
}

export async function loadChanges(
  context: ExtensionContext,
  needs: ChangeNeeds,
  keepOpen: (hasOpen: boolean) => void,
): Promise<ChangeServices> {
  const { sessions, models, selection, access, editorDocuments, lastEditor, clock, life, report } = needs
  const storage = context.storageUri ?? context.globalStorageUri
  const { pathOf } = editorPaths(systemPaths)
  const disk = new SystemFiles({ pathOf, codec: editorCodec })
  const files = new EditorFiles(editorDocuments, disk)
  const resolver = new PathResolver(editorPaths(systemPaths))
  const store = new ChangeFolder(Uri.joinPath(storage, 'changes').fsPath)
  const guard = new WriteGuard({ resolver, home: homeFolder(), protectedGlobs })
  const changes = life.add(
    new Changes({
      store,
      files,
      guard,
      consent: { ask: askWrite },
      now: () => clock.now(),
    }),
  )
  const recorder = life.add(new ChangeSetRecorder(changes, sessions))
  life.add(
    changes.onDidChange(() => {
      const hasOpen = changes.openConversations.length > 0
      setContextKey('kourier.hasChanges', hasOpen)
      keepOpen(hasOpen)
    }),
  )
  life.add(followDiffs(isInFront => setContextKey('kourier.isChangeDiff', isInFront)))
  life.add(languages.registerCodeLensProvider({ pattern: '**' }, life.add(new ChangeLenses(changes))))
  life.add(settleEdits(changes, clock))
  life.add(workspace.onDidSaveTextDocument(({ uri }) => void changes.saved(uri.toString()).catch(report)))
  // The window that was in front may have reviewed what is listed here.
  life.add(window.onDidChangeWindowState(({ focused }) => focused && void changes.loadAll().catch(report)))
  const checkpoints = new Checkpoints({ changes, files, newId: () => crypto.randomUUID() })
  const review = new ChangeReview(changes, checkpoints, report)
  life.add(new ChangeSourceControl(changes))
  const placer = new ModelPlacer({ models, model: signal => selection.forChat(signal) })
  const actions = life.add(
    new CodeActions({
      ...{ changes, files, review, resolver, placer, access, lastEditor },
      search: async () => (await needs.context()).search,
    }),
  )
  const stored = await needs.stored()
  if (stored.length > 0) await store.keepOnly(new Set(stored))
  await changes.loadAll()
  // What cannot be removed now can be by the next window.
  void store.removeUnused(clock.now()).catch(() => {})
  void recorder.recordAll().catch(report)
  return { changes, review, actions, resolver, store, files, guard, checkpoints }
}
