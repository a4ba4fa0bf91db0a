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
    const asks = !range.isEmpty && wants(CodeActionKind.RefactorRewrite) ? askActions() : []
    return [...fixes, ...asks]
  },
}

function fixActions({ uri }: TextDocument, diagnostic: Diagnostic): CodeAction[] {
  const fix = action(l10n.t('Fix with Kourier'), CodeActionKind.QuickFix, 'kourier.fix')
  const add = action(l10n.t('Add Problem to Kourier Chat'), CodeActionKind.QuickFix, 'kourier.addProblem', [
    uri,
    diagnostic.range,
  ])
  for (const made of [fix, add]) made.diagnostics = [diagnostic]
  return [fix, add]
}

function askActions(): CodeAction[] {
  const kind = CodeActionKind.RefactorRewrite
  return [
    action(l10n.t('Explain with Kourier'), kind, 'kourier.explain'),
    action(l10n.t('Generate Tests with Kourier'), kind, 'kourier.generateTests'),
  ]
}

function action(title: string, kind: CodeActionKind, command: CommandId, args?: readonly unknown[]): CodeAction {
  const made = new CodeAction(title, kind)
  const run: Command = { title, command, ...(args && { arguments: [...args] }) }
  made.command = run
  return made
}
