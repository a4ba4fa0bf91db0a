// `otherExtension`: an extension with a notebook of a kind of its own, and with completions that it offers on request.
import { writtenExtension } from '../editor/writtenExtension.ts'

/** What its completions insert. */
export const otherText = 'other_way()'

/** Returns its folder. A notebook is a file `*.cells`: a list of the Python code of its cells. */
export const otherExtension = (): string =>
  writtenExtension({
    name: 'other',
    contributes: {
      notebooks: [{ type: 'cells', displayName: 'Cells', selector: [{ filenamePattern: '*.cells' }] }],
    },
    program,
  })

const program = `
const { workspace, languages, NotebookCellData, NotebookCellKind, NotebookData } = require('vscode')
const serializer = {
  deserializeNotebook: bytes => new NotebookData(
    JSON.parse(new TextDecoder().decode(bytes)).map(code => new NotebookCellData(NotebookCellKind.Code, code, 'python'))),
  serializeNotebook: ({ cells }) => new TextEncoder().encode(JSON.stringify(cells.map(({ value }) => value))),
}
const provideInlineCompletionItems = (_, __, { triggerKind }) => triggerKind === 0 ? [{ insertText: '${otherText}' }] : []
exports.activate = () => {
  workspace.registerNotebookSerializer('cells', serializer)
  languages.registerInlineCompletionItemProvider({ language: 'python' }, { provideInlineCompletionItems })
}
`
