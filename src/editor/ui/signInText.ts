// The state of a sign-in that is under way as text: for the notification, the status bar and the page.
import { l10n } from 'vscode'
import type { SignIn } from '../../core/account/signIn.ts'
import type { SignInState } from '../../core/account/signInState.ts'
import { sanitize } from './sanitize.ts'

export interface WorkText {
  /** The name of the service, or its host while the name is not known. */
  readonly service: string
  readonly text: string
}

/** Undefined where no sign-in is under way, a question is on screen, or a code is shown. */
export function workText(state: SignInState): WorkText | undefined {
  const text = textOf(state)
  if (text === undefined) return undefined
  if ('service' in state) return { service: sanitize(state.service.name), text }
  return { service: 'host' in state ? state.host : '', text }
}

function textOf(state: SignInState): string | undefined {
  switch (state.is) {
    case 'idle':
    case 'ended':
    case 'code':
    case 'asking about another window':
    case 'asking for the address':
      return undefined
    case 'finding the service':
      return searchText(state.host)
    case 'looking for a key':
      return searchText(new URL(state.service.baseUrl).host)
    case 'looking for email':
      return l10n.t('Looking for your email')
    case 'waiting for email':
      return l10n.t('Waiting for your email')
    case 'asking about the server':
    case 'waiting for consent':
      return l10n.t('Waiting for your consent')
    case 'registering':
      return l10n.t('Registering')
    case 'browser':
      return l10n.t('Waiting for your approval in the browser, at {host}', { host: new URL(state.service.issuer).host })
    case 'fetching the key':
      return l10n.t('Fetching the key')
    case 'waiting for a key':
      return l10n.t('Waiting for your key')
    case 'checking the key':
      return l10n.t('Checking the key')
    case 'keeping the key':
      return l10n.t('Keeping the key')
  }
}

export function searchText(host: string): string {
  return l10n.t('Looking for the service at {host}', { host })
}

/** The name of the service for a sentence. */
export function serviceNameOf({ serviceName }: Pick<SignIn, 'serviceName'>): string {
  return sanitize(serviceName ?? 'Kourier')
}
