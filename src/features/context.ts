// `createContext`: what can be attached to a question; loaded when it is first asked for.
import type { Clock } from '../base/clock.ts'
import type { DisposableStore } from '../base/disposable.ts'
import { lazy } from '../base/lazy.ts'
import type { ContextSources } from '../core/context/contextSources.ts'
import type { AccessPolicy } from '../core/workspace/accessPolicy.ts'
import type { IgnoredFiles } from '../core/workspace/ignoredFiles.ts'
import type { FileListing } from '../core/workspace/textFiles.ts'

/** What asks git about the workspace. */
export interface WorkspaceGit {
  readonly listing: FileListing
  readonly ignored: IgnoredFiles
}

export interface ContextNeeds {
  readonly access: AccessPolicy
  readonly workspaceGit: () => Promise<WorkspaceGit>
  readonly clock: Clock
  readonly life: DisposableStore
}

export function createWorkspaceGit(clock: Clock): () => Promise<WorkspaceGit> {
  return lazy(async () => {
    const [{ gitProgram }, { EditorFileListing }, { IgnoredFiles }] = await Promise.all([
      import('../node/git/gitProgram.ts'),
      import('../editor/context/editorFileListing.ts'),
      import('../core/workspace/ignoredFiles.ts'),
    ])
    const listing = new EditorFileListing(gitProgram)
    return { listing, ignored: new IgnoredFiles(listing, clock) }
  })
}

export function createContext(needs: ContextNeeds): () => Promise<ContextSources> {
  return lazy(async () => {
    const [{ editorContext }, { realPath }, git] = await Promise.all([
      import('../editor/context/editorContext.ts'),
      import('../node/files/realPath.ts'),
      needs.workspaceGit(),
    ])
    return needs.life.add(editorContext({ ...needs, ...git, realPath, newId: () => crypto.randomUUID() }))
  })
}
