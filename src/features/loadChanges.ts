// `loadChanges`: the owner of changes and what shows them; loaded at their first use.
import { type ExtensionContext, languages, Uri } from 'vscode'
import type { Clock } from '../base/clock.ts'
import type { DisposableStore } from '../base/disposable.ts'
import { ChangeSetRecorder } from '../core/agent/changeSetRecorder.ts'
import type { Sessions } from '../core/agent/sessions.ts'
import { ModelPlacer } from '../core/edit/modelPlacer.ts'
import type { ModelClient } from '../core/model/modelClient.ts'
import { Changes } from '../core/tools/changes.ts'
import { WriteGuard } from '../core/tools/writeGuard.ts'
import type { AccessPolicy } from '../core/workspace/accessPolicy.ts'
import { PathResolver } from '../core/workspace/pathResolver.ts'
import { askWrite } from '../editor/edit/askWrite.ts'
import { ChangeLenses } from '../editor/edit/changeLenses.ts'
import { ChangeReview } from '../editor/edit/changeReview.ts'
import { CodeActions } from '../editor/edit/codeActions.ts'
import { EditorFiles } from '../editor/edit/editorFiles.ts'
import { editorPaths } from '../editor/edit/editorPaths.ts'
import { followDiffs } from '../editor/edit/followDiffs.ts'
import { settleEdits } from '../editor/edit/settleEdits.ts'
import type { ModelSelection } from '../editor/models/modelSelection.ts'
import { setContextKey } from '../editor/ui/contextKeys.ts'
import type { EditorDocuments } from '../editor/workspace/editorDocuments.ts'
import { ChangeFolder } from '../node/changes/changeFolder.ts'
import { homeFolder, systemPaths } from '../node/changes/systemPaths.ts'

export interface ChangeServices {
  readonly changes: Changes
  readonly review: ChangeReview
  readonly actions: CodeActions
}

export interface ChangeNeeds {
  readonly sessions: Sessions
  readonly models: ModelClient
  readonly selection: ModelSelection
  readonly access: AccessPolicy
  readonly editorDocuments: EditorDocuments
  readonly clock: Clock
  readonly life: DisposableStore
  readonly report: (fault: unknown) => void
}

export async function loadChanges(
  context: ExtensionContext,
  needs: ChangeNeeds,
  keepOpen: (hasOpen: boolean) => void,
): Promise<ChangeServices> {
  const { sessions, models, selection, access, editorDocuments, clock, life, report } = needs
  const storage = context.storageUri ?? context.globalStorageUri
  const files = new EditorFiles(document => editorDocuments.track(document))
  const resolver = new PathResolver(editorPaths(systemPaths))
  const changes = life.add(
    new Changes({
      store: new ChangeFolder(Uri.joinPath(storage, 'changes').fsPath),
      files,
      guard: new WriteGuard({ resolver, home: homeFolder() }),
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
  const review = new ChangeReview(changes)
  const placer = new ModelPlacer({ models, model: signal => selection.forChat(signal) })
  const actions = life.add(new CodeActions({ changes, files, review, resolver, placer, access }))
  await changes.loadAll()
  void recorder.recordAll().catch(report)
  return { changes, review, actions }
}
