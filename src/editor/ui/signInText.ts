// A sign-in under way as text: for the notification, the status bar and the page.
import type { SignIn } from '../../core/account/signIn.ts'
import type { SignInState } from '../../core/account/signInState.ts'
import { sanitize } from './sanitize.ts'

export interface WorkText {
  /** The name of the service, or its host as long as that is all that is known. */
  readonly service: string
  readonly text: string
}

/** Undefined where nothing is under way, where there is only a question to see, and where a code says everything. */
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
      return 'Looking for your email'
    case 'waiting for email':
      return 'Waiting for your email'
    case 'asking about the server':
    case 'waiting for consent':
      return 'Waiting for your consent'
    case 'registering':
      return 'Registering'
    case 'browser':
      return `Waiting for your approval in the browser, at ${new URL(state.service.issuer).host}`
    case 'fetching the key':
      return 'Fetching the key'
    case 'waiting for a key':
      return 'Waiting for your key'
    case 'checking the key':
      return 'Checking the key'
    case 'keeping the key':
      return 'Keeping the key'
  }
}

export function searchText(host: string): string {
  return `Looking for the service at ${host}`
}

/** The name of the service for a sentence. */
export function serviceNameOf({ serviceName }: Pick<SignIn, 'serviceName'>): string {
  return sanitize(serviceName ?? 'Kourier')
}
