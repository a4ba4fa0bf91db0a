// Asks for the email, and for the consent to send it.
import { type InputBoxOptions, type QuickPickItem, type QuickPickOptions, window } from 'vscode'
import { throwIfAborted } from '../../base/abort.ts'
import type { Service } from '../../core/account/discovery.ts'
import { type EmailSource, isEmail } from '../../core/account/email.ts'
import { withToken } from '../ui/cancellation.ts'
import { sanitize } from '../ui/sanitize.ts'

interface EmailItem extends QuickPickItem {
  readonly email?: string
}

/**
 * The email that the user agreed to send; undefined when the user gave up. Nothing that carries it has been sent before
 * this resolves. `onAsking` is told which of the two questions stands.
 */
export async function askAgreedEmail(
  found: readonly EmailSource[],
  service: Service,
  onAsking: (what: 'email' | 'consent') => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    onAsking('email')
    const email = await askEmail(found, service, signal)
    if (!email) return undefined
    onAsking('consent')
    const answer = await askConsent(service, email)
    throwIfAborted(signal)
    if (answer === 'continue') return email
    if (answer === 'no') return undefined
  }
}

/** One list with the source of each; another address can always be typed. */
async function askEmail(
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

async function askConsent(service: Service, email: string): Promise<'continue' | 'another' | 'no'> {
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
  return chosen === 'Use Another Email' ? 'another' : 'no'
}

function hostOf({ issuer }: Service): string {
  return new URL(issuer).host
}
