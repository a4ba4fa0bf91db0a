// `thinkingNotice`: reports that the model completes nothing, because its thinking cannot be switched off, and offers another one.
import { l10n } from 'vscode'
import { inform } from '../ui/inform.ts'
import { sanitize } from '../ui/sanitize.ts'

export function thinkingNotice(model: string, select: () => unknown): Promise<void> {
  const text = l10n.t('The model {model} thinks before each answer, so completions are off for it.', {
    model: sanitize(model),
  })
  return inform(text, l10n.t('Select Model for Completions'), select)
}
