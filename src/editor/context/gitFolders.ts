// `gitFolders`, `placeInGitFolder`: the folders of the workspace in which git can be asked.
import { Uri, workspace } from 'vscode'
import type { GitFolder } from '../../core/context/gitSources.ts'
import { workspacePath, workspaceUri } from '../ui/workspacePath.ts'

/** None while the workspace is not trusted, because a repository's configuration is untrusted then. */
export function gitFolders(): readonly GitFolder[] {
  if (!workspace.isTrusted) return []
  return (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => gitFolder(uri))
}

function gitFolder(root: Uri): GitFolder {
  return {
    uri: root.toString(),
    name: workspacePath(root),
    diskPath: root.fsPath,
    fileOf: path => {
      const uri = Uri.joinPath(root, path)
      return { uri: uri.toString(), path: workspacePath(uri) }
    },
  }
}

export function placeInGitFolder(text: string): { readonly folder: GitFolder; readonly path: string } | undefined {
  const uri = workspaceUri(text)
  const root = workspace.getWorkspaceFolder(uri)?.uri
  const folder = root && gitFolders().find(one => one.uri === root.toString())
  return folder && root ? { folder, path: uri.path.slice(root.path.length + 1) } : undefined
}
