// `editorSurroundings`: what of the editor and its workspace goes along with a question by itself.
import { type TextEditor, window, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Environment, type Situation, type Surroundings, treeOf } from '../../core/agent/surroundings.ts'
import type { AccessPolicy } from '../../core/workspace/accessPolicy.ts'
import type { FileListing } from '../../core/workspace/textFiles.ts'
import { workspacePath } from '../ui/workspacePath.ts'

export interface SurroundingsNeeds {
  readonly listing: FileListing
  readonly access: AccessPolicy
  /** Such as `Linux`. */
  readonly system: string
  /** What reads the commands of the agent, which may be another one than in the user's terminal. */
  readonly shell: string
  readonly today: () => Date
  readonly skills: Surroundings['skills']
  readonly isDeclined: Surroundings['isDeclined']
  readonly clock: Clock
  readonly newId: () => string
}

/** A listing that takes longer is left out: the model can list the files itself. */
const LISTING_MS = 3_000
/** For how long a listing is used again: the chat shows what would go along before it does. */
const FRESH_MS = 10_000

export function editorSurroundings(needs: SurroundingsNeeds): Surroundings {
  const { access, system, shell, today, skills, isDeclined, newId } = needs
  const files = new ListedFiles(needs)
  return {
    newId,
    skills,
    isDeclined,
    async environment(signal): Promise<Environment> {
      const folders = workspace.workspaceFolders ?? []
      const hasDisk = folders.some(({ uri }) => uri.scheme === 'file')
      return {
        system,
        shell: hasDisk ? shell : undefined,
        day: today().toISOString().slice(0, 10),
        folders: folders.map(({ name }) => name),
        ...treeOf(await files.paths(signal)),
      }
    },
    async situation(): Promise<Situation> {
      const active = window.activeTextEditor
      const shown = active && pathOf(active, access)
      const others = window.visibleTextEditors.filter(editor => editor !== active)
      return {
        ...(active && shown && { active: { ...lineOf(active), path: shown, isUnsaved: active.document.isDirty } }),
        visible: [...new Set(others.flatMap(editor => pathOf(editor, access) ?? []))].filter(path => path !== shown),
      }
    },
  }
}

class ListedFiles {
  readonly #needs: Pick<SurroundingsNeeds, 'listing' | 'clock'>
  #last: { readonly folders: string; readonly at: number; readonly paths: readonly string[] } | undefined

  constructor(needs: Pick<SurroundingsNeeds, 'listing' | 'clock'>) {
    this.#needs = needs
  }

  async paths(signal: AbortSignal): Promise<readonly string[]> {
    const { listing, clock } = this.#needs
    const folders = JSON.stringify(workspace.workspaceFolders?.map(({ uri }) => uri.toString()))
    const known = this.#last
    if (known?.folders === folders && clock.elapsed() - known.at < FRESH_MS) return known.paths
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LISTING_MS)])
    try {
      const { files } = await listing.list(undefined, {}, limit)
      const paths = files.map(({ path }) => path)
      this.#last = { folders, at: clock.elapsed(), paths }
      return paths
    } catch (fault) {
      if (signal.aborted) throw fault
      return []
    }
  }
}

const lineOf = ({ selection }: TextEditor) => ({ line: selection.active.line + 1 })

/** Undefined for what the model may not read, such as a secret file, and for what is outside of the workspace. */
function pathOf({ document: { uri, languageId: language } }: TextEditor, access: AccessPolicy): string | undefined {
  const isInWorkspace = workspace.getWorkspaceFolder(uri) !== undefined
  if (!isInWorkspace) return undefined
  const path = workspacePath(uri)
  const facts = { uri: uri.toString(), language, path, fullPath: uri.path, isInWorkspace, isOpen: true, size: 0 }
  return access.refusalOf(facts, 'context') ? undefined : path
}
