// `workspaceUri`, `fileOf`, `workspacePath`, `isElsewhere`: a file as the workspace names it, whichever part of the editor named it.
import { Uri, workspace } from 'vscode'

/** The page of a remote window names files by the address of the machine; the extension, which runs there, as its own. */
export function workspaceUri(text: string): Uri {
  const uri = Uri.parse(text)
  const isHere = workspace.workspaceFolders?.[0]?.uri.scheme === 'file'
  return uri.scheme === 'vscode-remote' && isHere ? uri.with({ scheme: 'file', authority: '' }) : uri
}

/** The notebook that a cell is in; any other file itself. */
export function fileOf(uri: Uri): Uri {
  if (uri.scheme !== 'vscode-notebook-cell') return uri
  const isCell = (document: { readonly uri: Uri }) => document.uri.toString() === uri.toString()
  const notebook = workspace.notebookDocuments.find(one => one.getCells().some(({ document }) => isCell(document)))
  return notebook?.uri ?? uri
}

/** Relative to its workspace folder, after that folder's name where there are several; outside of all its name alone. */
export function workspacePath(given: Uri): string {
  const uri = fileOf(given)
  const folder = workspace.getWorkspaceFolder(uri)
  if (!folder) return uri.path.slice(uri.path.lastIndexOf('/') + 1)
  const isFolder = uri.toString() === folder.uri.toString()
  return isFolder ? folder.name : workspace.asRelativePath(uri).replaceAll('\\', '/')
}

/**
 * On a machine that no folder of the workspace is on. On Windows, to look for such a file sends the user's name and
 * password to that machine.
 */
export function isElsewhere({ scheme, authority, path }: Uri): boolean {
  if (scheme === 'vscode-notebook-cell') return false
  if (authority === '') return /^\/[\\/]/.test(path)
  const isSame = ({ uri }: { readonly uri: Uri }) =>
    uri.scheme === scheme && uri.authority.toLowerCase() === authority.toLowerCase()
  return !(workspace.workspaceFolders ?? []).some(isSame)
}
