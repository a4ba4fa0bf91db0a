// `linkFolders`: the workspace's folders as the links of answers need them.
import { FileType, Uri, workspace } from 'vscode'
import type { LinkFolder } from '../../core/context/answerLinks.ts'

/** Whether the path below the folder exists and stays in it, on this machine's disk. */
export type LeadsInside = (folder: string, path: string) => Promise<boolean>

export function linkFolders(leadsInside: LeadsInside): readonly LinkFolder[] {
  return (workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    fullPath: (uri.scheme === 'file' ? uri.fsPath : uri.path).replaceAll('\\', '/'),
    uriOf: path => Uri.joinPath(uri, path).toString(),
    pathOf: text => pathBelow(uri, text),
    hasInside: (path, signal) => hasInside(uri, path, leadsInside, signal),
  }))
}

function pathBelow(folder: Uri, text: string): string | undefined {
  const uri = Uri.parse(text)
  const root = folder.path.endsWith('/') ? folder.path : `${folder.path}/`
  const isSamePlace = uri.scheme === folder.scheme && uri.authority === folder.authority
  return isSamePlace && uri.path.startsWith(root) ? uri.path.slice(root.length) : undefined
}

async function hasInside(folder: Uri, path: string, leadsInside: LeadsInside, signal: AbortSignal): Promise<boolean> {
  const has =
    folder.scheme === 'file' ? await leadsInside(folder.fsPath, path) : await isFile(Uri.joinPath(folder, path))
  signal.throwIfAborted()
  return has
}

/** Where links lead is unknown in other file systems, so they lead nowhere. */
async function isFile(uri: Uri): Promise<boolean> {
  try {
    const { type } = await workspace.fs.stat(uri)
    return type === FileType.File
  } catch {
    return false
  }
}
