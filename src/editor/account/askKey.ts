// Asks for an API key that was made on the dashboard.
import { type InputBoxOptions, window } from 'vscode'
import type { Service } from '../../core/account/discovery.ts'
import { withToken } from '../ui/cancellation.ts'
import { sanitize } from '../ui/sanitize.ts'

/** Undefined when the user gave up. */
export async function askKey(service: Service, signal: AbortSignal): Promise<string | undefined> {
  const question: InputBoxOptions = {
    title: `API key for ${sanitize(service.name)}`,
    prompt: `Paste a key from the dashboard. It is kept in this editor's secret storage and sent to ${new URL(service.baseUrl).host} only.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: text =>
      /^[\x21-\x7e]{8,512}$/.test(text.trim()) ? undefined : 'A key is one word of letters, digits and signs.',
  }
  const typed = await withToken(signal, token => window.showInputBox(question, token))
  return typed?.trim()
}
