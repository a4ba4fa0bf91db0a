// `otherExtension`: an extension with completions that it offers on request.
import { writtenExtension } from '../editor/writtenExtension.ts'

/** What its completions insert. */
export const otherText = 'other_way()'

/** Returns its folder. */
export const otherExtension = (): string => writtenExtension({ name: 'other', program })

const program = `
const { languages } = require('vscode')
const provideInlineCompletionItems = (_, __, { triggerKind }) => triggerKind === 0 ? [{ insertText: '${otherText}' }] : []
exports.activate = () => {
  languages.registerInlineCompletionItemProvider({ language: 'python' }, { provideInlineCompletionItems })
}
`
