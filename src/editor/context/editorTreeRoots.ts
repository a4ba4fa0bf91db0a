// `editorTreeRoots`: the folders of the workspace with what is left out of a search; `unsavedTexts`: what is not on the disk.
import { Uri, workspace } from 'vscode'
import { textWithLineFeeds } from '../../core/workspace/lineEnds.ts'
import type { TreeRoot, UnsavedText } from '../../core/workspace/treeSearch.ts'
import { excludedByEditor } from './excludedByEditor.ts'

/** `unsent`: the globs of the user's for what is never sent. */
export function editorTreeRoots(unsent: (folder: Uri) => readonly string[]): readonly TreeRoot[] {
  const folders = workspace.workspaceFolders ?? []
  return folders.map(({ uri, name }) => ({
    uri: uri.toString(),
    path: diskPath(uri.toString()),
    name: folders.length > 1 ? name : '',
    excluded: excludedByEditor(uri),
    unsent: unsent(uri),
  }))
}

/** Undefined for a virtual file. */
export function diskPath(text: string): string | undefined {
  const uri = Uri.parse(text, true)
  return uri.scheme === 'file' ? uri.fsPath : undefined
}

/** Of the files of the workspace. */
export function unsavedTexts(): readonly UnsavedText[] {
  return workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && workspace.getWorkspaceFolder(uri) !== undefined)
    .map(document => ({ uri: document.uri.toString(), text: textWithLineFeeds(document.getText()) }))
}
