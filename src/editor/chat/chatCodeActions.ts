// `chatCodeActions`: what the lightbulb offers: to explain, fix and test code in the chat.
import {
  CodeAction,
  type CodeActionContext,
  CodeActionKind,
  type CodeActionProvider,
  type Command,
  type Diagnostic,
  l10n,
  type Range,
  type TextDocument,
} from 'vscode'
import type { CommandId } from '../ui/commands.ts'

export const chatCodeActionKinds = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite]

/** Only with a problem or a selection, so that the lightbulb does not appear everywhere. */
export const chatCodeActions: CodeActionProvider = {
  provideCodeActions(document: TextDocument, range: Range, { diagnostics, only }: CodeActionContext): CodeAction[] {
    const wants = (kind: CodeActionKind) => only === undefined || only.contains(kind)
    const fixes = wants(CodeActionKind.QuickFix)
      ? diagnostics.slice(0, 1).flatMap(one => fixActions(document, one))
      : []
    const asks = !range.isEmpty && wants(CodeActionKind.RefactorRewrite) ? askActions(document, range) : []
    return [...fixes, ...asks.filter(({ title }) => !fixes.some(one => one.title === title))]
  },
}

/** With the place of the problem, because the cursor may be elsewhere. */
function fixActions({ uri }: TextDocument, diagnostic: Diagnostic): CodeAction[] {
  const kind = CodeActionKind.QuickFix
  const { range, message } = diagnostic
  const made = [
    action(l10n.t('Fix with Kourier'), kind, 'kourier.fix', [uri, range, message]),
    action(l10n.t('Explain with Kourier'), kind, 'kourier.explain', [uri, range, message]),
    action(l10n.t('Add Problem to Kourier Chat'), kind, 'kourier.addProblem', [uri, range, message]),
  ]
  for (const one of made) one.diagnostics = [diagnostic]
  return made
}

function askActions({ uri }: TextDocument, range: Range): CodeAction[] {
  const kind = CodeActionKind.RefactorRewrite
  return [
    action(l10n.t('Explain with Kourier'), kind, 'kourier.explain', [uri, range]),
    action(l10n.t('Generate Tests with Kourier'), kind, 'kourier.generateTests', [uri, range]),
  ]
}

function action(title: string, kind: CodeActionKind, command: CommandId, args: readonly unknown[]): CodeAction {
  const made = new CodeAction(title, kind)
  const run: Command = { title, command, arguments: [...args] }
  made.command = run
  return made
}
