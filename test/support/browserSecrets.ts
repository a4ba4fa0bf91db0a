// Secret storages as an editor in a browser has them: each window knows what lay there when it first looked, and each
// write of a window writes all that it knows.
import type { SecretStorage } from 'vscode'

export class BrowserSecrets {
  /** What lies in the browser's own storage; all windows write it, each reads it once. */
  sealed: Readonly<Record<string, string>> = {}

  window(): SecretStorage {
    let known: Record<string, string> | undefined
    const all = () => (known ??= { ...this.sealed })
    return {
      get: async key => all()[key],
      keys: async () => Object.keys(all()),
      store: async (key, value) => {
        all()[key] = value
        this.sealed = { ...all() }
      },
      delete: async key => {
        delete all()[key]
        this.sealed = { ...all() }
      },
      // No window is notified of another's changes.
      onDidChange: () => ({ dispose() {} }),
    }
  }
}
