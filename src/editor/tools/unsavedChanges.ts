// `unsavedChanges`: the files that the agent has changed in the editor and that are not saved yet.
import { type TextDocument, workspace } from 'vscode'
import type { Changes } from '../../core/tools/changes.ts'
import type { PlannedChanges } from '../../core/tools/plannedChanges.ts'
import type { UnsavedFiles } from '../../core/tools/runCommandTool.ts'
import { workspacePath } from '../ui/workspacePath.ts'

/**
 * `realPath`: of a path on the disk, without links.
 *
 * Those that the user had not saved before are left as they are until a command needs them.
 */
export function unsavedChanges(
  changes: Changes,
  planned: PlannedChanges,
  realPath: (path: string) => Promise<string | undefined>,
): UnsavedFiles {
  const unsaved = (conversation: string): readonly TextDocument[] => {
    const changed = new Set(changes.openFiles(conversation))
    return workspace.textDocuments.filter(
      ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && changed.has(uri.toString()),
    )
  }
  const textsOf = async (documents: readonly TextDocument[]) => {
    const onDisk = documents.filter(({ uri }) => uri.scheme === 'file')
    const paths = await Promise.all(onDisk.map(({ uri }) => realPath(uri.fsPath)))
    return new Map(onDisk.map((document, at) => [paths[at] ?? document.uri.fsPath, document.getText()]))
  }
  return {
    texts: conversation => textsOf(unsaved(conversation)),
    paths: context =>
      // After the calls before it, because they may change what is open.
      planned.inOrder(async () => {
        const soon = new Set(planned.urisOf(context))
        const open = workspace.textDocuments.filter(({ uri }) => soon.has(uri.toString()))
        return [...new Set([...unsaved(context.conversation), ...open])].map(({ uri }) => workspacePath(uri))
      }),
    async save(conversation) {
      const saved = await Promise.all(
        unsaved(conversation).map(async document => ({ document, isSaved: await document.save() })),
      )
      const failed = saved.filter(({ isSaved }) => !isSaved).map(({ document }) => workspacePath(document.uri))
      return { failed, texts: await textsOf(saved.map(({ document }) => document)) }
    },
  }
}
