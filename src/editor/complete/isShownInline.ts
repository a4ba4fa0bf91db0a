// `isShownInline`: whether the editor shows what extensions suggest inline; the user can switch that off, for a language too.
import { type TextDocument, workspace } from 'vscode'

export function isShownInline(document: TextDocument): boolean {
  return workspace.getConfiguration('editor', document).get('inlineSuggest.enabled') !== false
}
