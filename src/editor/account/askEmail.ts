// Asks the user for the email of a sign-in, and for the consent to send it.
import { type InputBoxOptions, l10n, type QuickPickItem, type QuickPickOptions, window } from 'vscode'
import type { Service } from '../../core/account/discovery.ts'
import { type EmailSource, isEmail } from '../../core/account/email.ts'
import type { Consent } from '../../core/account/signInUi.ts'
import { withToken } from '../ui/cancellation.ts'
import { sanitized } from '../ui/sanitize.ts'

interface EmailItem extends QuickPickItem {
  readonly email?: string
}

/** Offers the found addresses with their sources; the user can always type another one. */
export async function askEmail(
  found: readonly EmailSource[],
  service: Service,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (found.length === 0) return typeEmail('', service, signal)
  const other: EmailItem = { label: `$(edit) ${l10n.t('Type another address…')}`, alwaysShow: true }
  const items: EmailItem[] = found.map(({ email, source }) => ({ label: email, description: source, email }))
  const question: QuickPickOptions = { title: titleOf(service), placeHolder: promptOf(service), ignoreFocusOut: true }
  const chosen = await withToken(signal, token => window.showQuickPick([...items, other], question, token))
  return chosen && (chosen.email ?? typeEmail(found[0]?.email ?? '', service, signal))
}

async function typeEmail(guess: string, service: Service, signal: AbortSignal): Promise<string | undefined> {
  const question: InputBoxOptions = {
    title: titleOf(service),
    prompt: promptOf(service),
    placeHolder: 'you@example.com',
    value: guess,
    ignoreFocusOut: true,
    validateInput: text =>
      isEmail(text.trim()) ? undefined : l10n.t('Type an email address, such as you@example.com.'),
  }
  const typed = await withToken(signal, token => window.showInputBox(question, token))
  return typed?.trim()
}

/** Asks before anything that carries the email is sent. */
export async function askConsent(service: Service, email: string): Promise<Consent> {
  const proceed = l10n.t('Continue')
  const other = l10n.t('Use Another Email')
  const chosen = await window.showInformationMessage(
    l10n.t('Sign in to {service} as {email}?', sanitized({ service: service.name, email })),
    { modal: true, detail: consentDetail(service) },
    proceed,
    other,
  )
  if (chosen === proceed) return 'continue'
  return chosen === other ? 'use another email' : 'stop'
}

function consentDetail(service: Service): string {
  const host = hostOf(service)
  const api = new URL(service.baseUrl).host
  const sentences = [
    l10n.t(
      'Your email and the name of this machine are sent to {host}, which makes an API key for this editor once you approve it there.',
      { host },
    ),
    ...(api === host ? [] : [l10n.t('The key is then used at {api}.', { api })]),
    l10n.t('The key can use your plan until you revoke it, by signing out here or on the dashboard.'),
  ]
  return sentences.join('\n\n')
}

function titleOf({ name }: Service): string {
  return l10n.t('Sign in to {service}: your email', sanitized({ service: name }))
}

function promptOf(service: Service): string {
  return l10n.t('The address of your account at {host}. Nothing is sent yet.', { host: hostOf(service) })
}

function hostOf({ issuer }: Service): string {
  return new URL(issuer).host
}
