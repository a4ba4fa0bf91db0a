// Every context key with its type.
import { commands } from 'vscode'
import type { AccountState } from '../../core/account/account.ts'

/** `environment`: a key of the environment is in use, so one can work, and sign in, and there is nobody to sign out. */
export const accountKeys = ['unknown', 'out', 'signing-in', 'in', 'environment', 'refused'] as const

interface ContextKeys {
  'kourier.account': (typeof accountKeys)[number]
  'kourier.browserSignIn': boolean
}

export const contextKeyNames: readonly (keyof ContextKeys)[] = ['kourier.account', 'kourier.browserSignIn']

/** As they were set last. */
const told = new Map<keyof ContextKeys, unknown>()

/** Each setting costs the editor two messages, so one that changes nothing is left out. */
export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (told.get(key) === value) return
  told.set(key, value)
  void commands.executeCommand('setContext', key, value)
}

export function accountKey(account: AccountState, isSigningIn: boolean): ContextKeys['kourier.account'] {
  if (isSigningIn) return 'signing-in'
  return account.is === 'in' && account.account.origin === 'environment' ? 'environment' : account.is
}
