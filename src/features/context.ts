// `createContext`: what can be attached to a question; loaded when it is first asked for.
import { type ExtensionContext, Uri } from 'vscode'
import type { Clock } from '../base/clock.ts'
import type { DisposableStore } from '../base/disposable.ts'
import { lazy } from '../base/lazy.ts'
import type { ModelWindow } from '../core/context/fittingRepository.ts'
import type { KeyText } from '../core/log/keyText.ts'
import type { AccessPolicy } from '../core/workspace/accessPolicy.ts'
import type { Git } from '../core/workspace/git.ts'
import type { IgnoredFiles } from '../core/workspace/ignoredFiles.ts'
import type { FileListing } from '../core/workspace/textFiles.ts'
import type { EditorContext } from '../editor/context/editorContext.ts'
import { EditorTerminal } from '../editor/context/editorTerminal.ts'
import type { EditorSettings } from '../editor/ui/editorSettings.ts'

/** What asks git about the workspace. */
export interface WorkspaceGit {
  readonly git: Git
  readonly listing: FileListing
  readonly ignored: IgnoredFiles
}

export interface ContextNeeds {
  readonly access: AccessPolicy
  readonly workspaceGit: () => Promise<WorkspaceGit>
  readonly settings: EditorSettings
  readonly clock: Clock
  readonly life: DisposableStore
  /** Of the model that is selected. */
  readonly window: ModelWindow
  readonly keys: KeyText
}

export function createWorkspaceGit(clock: Clock): () => Promise<WorkspaceGit> {
  return lazy(async () => {
    const [{ gitProgram: git }, { EditorFileListing }, { IgnoredFiles }] = await Promise.all([
      import('../node/git/gitProgram.ts'),
      import('../editor/context/editorFileListing.ts'),
      import('../core/workspace/ignoredFiles.ts'),
    ])
    const listing = new EditorFileListing(git)
    return { git, listing, ignored: new IgnoredFiles(listing, clock) }
  })
}

export function createContext(extension: ExtensionContext, needs: ContextNeeds): () => Promise<EditorContext> {
  // From the start, because of a command that runs already nothing can be read.
  const terminal = needs.life.add(new EditorTerminal())
  return lazy(async () => {
    const [{ editorContext }, { realPath }, { leadsInside }, git] = await Promise.all([
      import('../editor/context/editorContext.ts'),
      import('../node/files/realPath.ts'),
      import('../node/files/leadsInside.ts'),
      needs.workspaceGit(),
    ])
    // Beside the storage of all extensions, in the folder of the profile.
    const promptsFolder = Uri.joinPath(extension.globalStorageUri, '..', '..', 'prompts')
    const newId = () => crypto.randomUUID()
    return needs.life.add(editorContext({ ...needs, ...git, terminal, realPath, leadsInside, promptsFolder, newId }))
  })
}
