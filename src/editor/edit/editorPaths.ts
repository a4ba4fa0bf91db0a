// `editorPaths`: the folders of the workspace and the editor's URIs, for `PathResolver`.
import { Uri, workspace } from 'vscode'
import type { DiskPaths, ResolverPorts } from '../../core/workspace/pathResolver.ts'

export function editorPaths(disk: DiskPaths): ResolverPorts {
  return {
    disk,
    roots: () =>
      (workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name, path: diskPath(uri) })),
    uriOf: path => Uri.file(path).toString(),
    pathOf: uri => diskPath(Uri.parse(uri, true)),
  }
}

const diskPath = (uri: Uri) =>
  uri.scheme === 'file' ? uri.fsPath.replaceAll('\\', '/').replace(/(?<=.)\/$/, '') : undefined
