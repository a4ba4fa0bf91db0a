// `unsavedChanges`: the files that the agent has changed in the editor and that are not saved yet.
import { type TextDocument, workspace } from 'vscode'
import type { Changes } from '../../core/tools/changes.ts'
import type { UnsavedFiles } from '../../core/tools/runCommandTool.ts'
import { workspacePath } from '../ui/workspacePath.ts'

/** Those that the user had not saved before are left as they are until a command needs them. */
export function unsavedChanges(changes: Changes): UnsavedFiles {
  const unsaved = (conversation: string): readonly TextDocument[] => {
    const changed = new Set(changes.openFiles(conversation))
    return workspace.textDocuments.filter(
      ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && changed.has(uri.toString()),
    )
  }
  return {
    paths: async conversation => unsaved(conversation).map(({ uri }) => workspacePath(uri)),
    async save(conversation) {
      const saved = await Promise.all(
        unsaved(conversation).map(async document => ({ document, isSaved: await document.save() })),
      )
      return saved.filter(({ isSaved }) => !isSaved).map(({ document }) => workspacePath(document.uri))
    },
  }
}
