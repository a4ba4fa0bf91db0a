// `otherExtension`: an extension with a notebook of a kind of its own, and with completions that it offers on request.
import { writtenExtension } from '../editor/writtenExtension.ts'

/** What its completions insert. */
export const otherText = 'other_way()'

/** Opens `rates.cells` of the workspace. A list of files may have been made before the editor knew this extension. */
export const openCells = 'Other: Open Cells'

/** Returns its folder. A notebook is a file `*.cells`: a list of the Python code of its cells. */
export const otherExtension = (): string =>
  writtenExtension({
    name: 'other',
    contributes: {
      notebooks: [{ type: 'cells', displayName: 'Cells', selector: [{ filenamePattern: '*.cells' }] }],
      commands: [{ command: 'other.openCells', title: openCells }],
    },
    program,
  })

const program = `
const vscode = require('vscode')
const { commands, languages, window, workspace, NotebookCellData, NotebookCellKind, NotebookData, Uri } = vscode
const serializer = {
  deserializeNotebook: bytes => new NotebookData(
    JSON.parse(new TextDecoder().decode(bytes)).map(code => new NotebookCellData(NotebookCellKind.Code, code, 'python'))),
  serializeNotebook: ({ cells }) => new TextEncoder().encode(JSON.stringify(cells.map(({ value }) => value))),
}
const openCells = async () => {
  const file = Uri.joinPath(workspace.workspaceFolders[0].uri, 'rates.cells')
  await window.showNotebookDocument(await workspace.openNotebookDocument(file))
}
const provideInlineCompletionItems = (_, __, { triggerKind }) => triggerKind === 0 ? [{ insertText: '${otherText}' }] : []
exports.activate = () => {
  workspace.registerNotebookSerializer('cells', serializer)
  commands.registerCommand('other.openCells', openCells)
  languages.registerInlineCompletionItemProvider({ language: 'python' }, { provideInlineCompletionItems })
}
`
