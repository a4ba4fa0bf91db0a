// The environment key in the editor: keeps its allowed origins in the global state, and asks before another one gets it.
import { l10n, type Memento, window } from 'vscode'
import { ENVIRONMENT_NAME, EnvironmentKey } from '../../core/account/environmentKey.ts'
import type { Redactor } from '../../core/log/redact.ts'
import { listOf, textOf } from '../../protocol/json.ts'
import { sanitized } from '../ui/sanitize.ts'

const ORIGINS_KEY = 'kourier.environmentKeyOrigins'

export function rememberedEnvironmentKey(
  value: string | undefined,
  memory: Memento,
  redactor: Redactor,
): EnvironmentKey {
  const allowed = {
    read: () =>
      listOf(memory.get(ORIGINS_KEY))
        .map(textOf)
        .filter(origin => URL.canParse(origin)),
    write: (allowedOrigins: readonly string[]) => void memory.update(ORIGINS_KEY, allowedOrigins),
  }
  return new EnvironmentKey(value, allowed, redactor)
}

/** See `AskForKey`. Closing the notification counts as no. */
export async function askForEnvironmentKey(has: string, wants: string): Promise<boolean> {
  const text = l10n.t(
    'The key of the environment variable {variable} has been used at {has} so far, and the address leads to {wants} now. Send the key there as well?',
    { variable: ENVIRONMENT_NAME, ...sanitized({ has, wants }) },
  )
  return (await window.showWarningMessage(text, l10n.t('Send It There'))) !== undefined
}
