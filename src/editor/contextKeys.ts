// Every context key with its type.
import { commands } from 'vscode'

interface ContextKeys {
  'kourier.account': 'unknown' | 'out' | 'signing-in' | 'in' | 'refused'
  'kourier.browserSignIn': boolean
}

export const contextKeyNames: readonly (keyof ContextKeys)[] = ['kourier.account', 'kourier.browserSignIn']

export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  void commands.executeCommand('setContext', key, value)
}
