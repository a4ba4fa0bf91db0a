// `setContextKey`: every context key with its type.
import { commands } from 'vscode'
import type { AccountState } from '../../core/account/account.ts'

/** `environment`: the environment key is in use, so chat and Sign In are available, but Sign Out is not. */
export const accountKeys = ['unknown', 'out', 'signing-in', 'in', 'environment', 'refused'] as const

interface ContextKeys {
  'kourier.account': (typeof accountKeys)[number]
  'kourier.browserSignIn': boolean
  /** The page of a chat has the keyboard focus. */
  'kourier.chatFocused': boolean
  /** There are changes to keep or undo. */
  'kourier.hasChanges': boolean
  /** There is a hint for the next edit. */
  'kourier.hasNextEdit': boolean
  /** The editor in front is a diff of changes. */
  'kourier.isChangeDiff': boolean
  /** Tab takes the hint for the next edit, and does not indent. */
  'kourier.tabTakesNextEdit': boolean
}

export const contextKeyNames: readonly (keyof ContextKeys)[] = [
  'kourier.account',
  'kourier.browserSignIn',
  'kourier.chatFocused',
  'kourier.hasChanges',
  'kourier.hasNextEdit',
  'kourier.isChangeDiff',
  'kourier.tabTakesNextEdit',
]

const current = new Map<keyof ContextKeys, { readonly value: unknown; readonly isSet: PromiseLike<void> }>()

/**
 * Resolves when the editor has it. Does not repeat a value, because each `setContext` costs two messages to the editor.
 */
export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): PromiseLike<void> {
  const known = current.get(key)
  if (known?.value === value) return known.isSet
  const isSet = commands.executeCommand<void>('setContext', key, value)
  current.set(key, { value, isSet })
  return isSet
}

export function accountKey(account: AccountState, isSigningIn: boolean): ContextKeys['kourier.account'] {
  if (isSigningIn) return 'signing-in'
  return account.is === 'in' && account.account.origin === 'environment' ? 'environment' : account.is
}
