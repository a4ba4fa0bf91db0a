// Asks the user for an API key that was made on the dashboard.
import { type InputBoxOptions, l10n, window } from 'vscode'
import type { Service } from '../../core/account/discovery.ts'
import { withToken } from '../ui/cancellation.ts'
import { sanitized } from '../ui/sanitize.ts'

/** Undefined when the user closes the input box. */
export async function askKey(service: Service, signal: AbortSignal): Promise<string | undefined> {
  const question: InputBoxOptions = {
    title: l10n.t('API key for {service}', sanitized({ service: service.name })),
    prompt: l10n.t(
      "Paste a key from the dashboard. It is kept in this editor's secret storage and sent to {host} only.",
      { host: new URL(service.baseUrl).host },
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: text =>
      /^[\x21-\x7e]{8,512}$/.test(text.trim()) ? undefined : l10n.t('A key is one word of letters, digits and signs.'),
  }
  const typed = await withToken(signal, token => window.showInputBox(question, token))
  return typed?.trim()
}
