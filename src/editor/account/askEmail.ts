// Asks for the email, and for the consent to send it.
import { type InputBoxOptions, type QuickPickItem, type QuickPickOptions, window } from 'vscode'
import type { Service } from '../../core/account/discovery.ts'
import { type EmailSource, isEmail } from '../../core/account/email.ts'
import type { Consent } from '../../core/account/signInUi.ts'
import { withToken } from '../ui/cancellation.ts'
import { sanitize } from '../ui/sanitize.ts'

interface EmailItem extends QuickPickItem {
  readonly email?: string
}

/** One list with the source of each; another address can always be typed. */
export async function askEmail(
  found: readonly EmailSource[],
  service: Service,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (found.length === 0) return typeEmail('', service, signal)
  const other: EmailItem = { label: '$(edit) Type another address…', alwaysShow: true }
  const items: EmailItem[] = found.map(({ email, source }) => ({ label: email, description: source, email }))
  const question: QuickPickOptions = {
    title: `Sign in to ${sanitize(service.name)}: your email`,
    placeHolder: `The address of your account at ${hostOf(service)}. Nothing is sent yet.`,
    ignoreFocusOut: true,
  }
  const chosen = await withToken(signal, token => window.showQuickPick([...items, other], question, token))
  return chosen && (chosen.email ?? typeEmail(found[0]?.email ?? '', service, signal))
}

async function typeEmail(guess: string, service: Service, signal: AbortSignal): Promise<string | undefined> {
  const question: InputBoxOptions = {
    title: `Sign in to ${sanitize(service.name)}: your email`,
    prompt: `The address of your account at ${hostOf(service)}. Nothing is sent yet.`,
    placeHolder: 'you@example.com',
    value: guess,
    ignoreFocusOut: true,
    validateInput: text => (isEmail(text.trim()) ? undefined : 'Type an email address, such as you@example.com.'),
  }
  const typed = await withToken(signal, token => window.showInputBox(question, token))
  return typed?.trim()
}

/** Nothing that carries the email has been sent yet. */
export async function askConsent(service: Service, email: string): Promise<Consent> {
  const host = hostOf(service)
  const api = new URL(service.baseUrl).host
  const chosen = await window.showInformationMessage(
    `Sign in to ${sanitize(service.name)} as ${sanitize(email)}?`,
    {
      modal: true,
      detail: [
        `Your email and the name of this machine are sent to ${host}, which makes an API key for this editor once you approve it there.`,
        api === host ? '' : `The key is then used at ${api}.`,
        'The key can use your plan until you revoke it, by signing out here or on the dashboard.',
      ]
        .filter(line => line)
        .join('\n\n'),
    },
    'Continue',
    'Use Another Email',
  )
  if (chosen === 'Continue') return 'continue'
  return chosen === 'Use Another Email' ? 'use another email' : 'stop'
}

function hostOf({ issuer }: Service): string {
  return new URL(issuer).host
}
