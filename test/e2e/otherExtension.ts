// `otherExtension`: an extension with a notebook of a kind of its own, and with completions that it offers on request.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAtEnd } from '../support/processGroup.ts'

/** What its completions insert. */
export const otherText = 'other_way()'

/** Returns its folder. A notebook is a file `*.cells`: a list of the Python code of its cells. */
export function otherExtension(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-other-'))
  removeAtEnd(folder)
  const manifest = {
    name: 'other',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '^1.100.0' },
    main: './extension.cjs',
    activationEvents: ['onStartupFinished'],
    contributes: {
      notebooks: [{ type: 'cells', displayName: 'Cells', selector: [{ filenamePattern: '*.cells' }] }],
    },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'extension.cjs'), program)
  return folder
}

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
