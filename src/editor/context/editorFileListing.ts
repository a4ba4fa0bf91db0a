// `EditorFileListing`: the files of the workspace: git's where there is git, else those that the editor finds.
import { RelativePattern, Uri, workspace } from 'vscode'
import type { Git } from '../../core/workspace/git.ts'
import { gitFiles, ignoredByGit } from '../../core/workspace/gitFiles.ts'
import type { IgnoreCheck } from '../../core/workspace/ignoredFiles.ts'
import type { FileListing, ListedFile, Listing, ListOptions } from '../../core/workspace/textFiles.ts'
import { withToken } from '../ui/cancellation.ts'
import { workspacePath, workspaceUri } from '../ui/workspacePath.ts'
import { excludedByEditor } from './excludedByEditor.ts'

const MOST_FOUND = 200_000
/** Of a folder that is ignored as a whole, such as one of installed packages. */
const MOST_IGNORED = 5_000

export class EditorFileListing implements FileListing, IgnoreCheck {
  readonly #git: Git

  constructor(git: Git) {
    this.#git = git
  }

  async list(folder: string | undefined, options: ListOptions, signal: AbortSignal): Promise<Listing> {
    const roots =
      folder === undefined ? (workspace.workspaceFolders ?? []).map(({ uri }) => uri) : [workspaceUri(folder)]
    const listings = await Promise.all(roots.map(root => this.#listOne(root, options, signal)))
    return {
      files: listings.flatMap(({ files }) => files),
      ignored: listings.flatMap(({ ignored }) => ignored),
      untracked: listings.flatMap(({ untracked }) => untracked),
      isOfGit: listings.every(({ isOfGit }) => isOfGit),
    }
  }

  async ignoredOf(uris: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    if (!workspace.isTrusted) return new Set()
    const all = new Set<string>()
    const inFolders = Map.groupBy(uris, text => workspace.getWorkspaceFolder(workspaceUri(text))?.uri.toString())
    for (const [root, members] of inFolders) {
      const folder = root === undefined ? undefined : Uri.parse(root)
      if (folder?.scheme !== 'file') continue
      const inside = members.map(text => [relative(folder, workspaceUri(text)), text] as const)
      // git has no answer for the folder of the workspace itself.
      const byPath = new Map(inside.filter(([path]) => path !== ''))
      if (byPath.size === 0) continue
      const ignored = await ignoredByGit(this.#git, folder.fsPath, [...byPath.keys()], signal)
      for (const [path, text] of byPath) if (ignored.has(path)) all.add(text)
    }
    return all
  }

  async #listOne(
    root: Uri,
    { withIgnored = false, isTrackedOnly = false }: ListOptions,
    signal: AbortSignal,
  ): Promise<Listing> {
    const mayAskGit = workspace.isTrusted && root.scheme === 'file' && !withIgnored
    const found = mayAskGit ? await gitFiles(this.#git, root.fsPath, signal).catch(() => undefined) : undefined
    signal.throwIfAborted()
    if (!found) {
      const files = await this.#find(root, withIgnored, signal)
      return { files, ignored: [], untracked: [], isOfGit: false }
    }
    const prefix = prefixOf(root)
    const untracked = new Set(found.untracked)
    const paths = isTrackedOnly ? found.files.filter(path => !untracked.has(path)) : found.files
    return {
      files: paths.map(path => ({ uri: uriBelow(root, path), path: `${prefix}${path}` })),
      ignored: found.ignored.map(path => `${prefix}${path}`),
      untracked: found.untracked.map(path => `${prefix}${path}`),
      isOfGit: true,
    }
  }

  async #find(root: Uri, withIgnored: boolean, signal: AbortSignal): Promise<readonly ListedFile[]> {
    const globs = excludedByEditor(root)
    const exclude = globs.length > 0 && !withIgnored ? `{${globs.join(',')}}` : undefined
    const pattern = new RelativePattern(root, '**/*')
    const most = withIgnored ? MOST_IGNORED : MOST_FOUND
    const uris = await withToken(signal, token => workspace.findFiles(pattern, exclude, most, token))
    const prefix = prefixOf(root)
    return uris.map(uri => ({ uri: uri.toString(), path: `${prefix}${relative(root, uri)}` }))
  }
}

const relative = (root: Uri, uri: Uri) =>
  uri.path.slice(root.path.endsWith('/') ? root.path.length : root.path.length + 1)

/** What the paths of the files below begin with, ending in a slash; empty for the only folder of the workspace. */
function prefixOf(root: Uri): string {
  const folders = workspace.workspaceFolders ?? []
  const isOnly = folders.length === 1 && folders[0]?.uri.toString() === root.toString()
  return isOnly ? '' : `${workspacePath(root)}/`
}

/** Most paths need no escapes, for which the editor takes much longer. */
function uriBelow(root: Uri, path: string): string {
  if (!/^[\w./~-]*$/.test(path)) return Uri.joinPath(root, path).toString()
  const text = root.toString()
  return text.endsWith('/') ? `${text}${path}` : `${text}/${path}`
}
