// `editorContextNames`: the phrases of `ContextNames` in the editor's language.
import { l10n } from 'vscode'
import type { ContextNames } from '../../core/context/contextNames.ts'
import { sanitize } from '../ui/sanitize.ts'

export function editorContextNames(): ContextNames {
  return {
    selection: l10n.t('Selection'),
    openEditors: l10n.t('Open editors'),
    problems: l10n.t('Problems'),
    staged: l10n.t('Staged changes'),
    notStaged: l10n.t('Changes not staged'),
    forCommit: l10n.t('Changes to commit'),
    changes: l10n.t('All changes'),
    changesIn: name => l10n.t('Changes in {name}', { name: sanitize(name) }),
    repository: l10n.t('Whole repository'),
    terminal: l10n.t('Terminal'),
    runningCommand: command => l10n.t('{command}, still running', { command: sanitize(command) }),
  }
}
