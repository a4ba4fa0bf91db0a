// `EditorProblems`: what the editor lists as problems.
import { type Diagnostic, DiagnosticSeverity, languages, type Uri, window } from 'vscode'
import type { Problem, Problems } from '../../core/workspace/problems.ts'
import { lineRange } from '../ui/lineRange.ts'
import { workspacePath, workspaceUri } from '../ui/workspacePath.ts'

export class EditorProblems implements Problems {
  of(uri: string | undefined): readonly Problem[] {
    if (uri !== undefined) {
      const one = workspaceUri(uri)
      return languages.getDiagnostics(one).map(diagnostic => problemOf(one, diagnostic))
    }
    return languages.getDiagnostics().flatMap(([one, all]) => all.map(diagnostic => problemOf(one, diagnostic)))
  }

  get activeFile(): string | undefined {
    return window.activeTextEditor?.document.uri.toString()
  }
}

function problemOf(uri: Uri, { range, severity, message, source, code }: Diagnostic): Problem {
  const value = typeof code === 'object' ? code.value : code
  return {
    uri: uri.toString(),
    path: workspacePath(uri),
    range: lineRange(range),
    severity: severityOf(severity),
    message,
    ...(source !== undefined && { source }),
    ...(value !== undefined && { code: String(value) }),
  }
}

function severityOf(severity: DiagnosticSeverity): Problem['severity'] {
  switch (severity) {
    case DiagnosticSeverity.Error:
      return 'error'
    case DiagnosticSeverity.Warning:
      return 'warning'
    case DiagnosticSeverity.Information:
      return 'info'
    case DiagnosticSeverity.Hint:
      return 'hint'
  }
}
