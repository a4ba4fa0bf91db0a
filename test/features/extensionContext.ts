// What the editor hands to the extension when it activates it, for the features in plain Node.
import { join } from 'node:path'
import type { ExtensionContext } from 'vscode'
import { Uri } from './recordedEditor.ts'

/** `onUpdate` receives what is kept from now on. */
export class FakeMemento {
  readonly #values: Map<string, unknown>
  readonly #onUpdate: (key: string, value: unknown) => void

  constructor(values: Iterable<readonly [string, unknown]> = [], onUpdate = (_key: string, _value: unknown) => {}) {
    this.#values = new Map(values)
    this.#onUpdate = onUpdate
  }

  keys(): string[] {
    return [...this.#values.keys()]
  }

  get(key: string, fallback?: unknown): unknown {
    return this.#values.get(key) ?? fallback
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, value)
    this.#onUpdate(key, value)
  }

  setKeysForSync(): void {}
}

export interface ContextParts {
  readonly folder: string
  readonly credential: object
  readonly globalState?: FakeMemento
  readonly workspaceState?: FakeMemento
}

export function extensionContext({ folder, credential, ...states }: ContextParts): ExtensionContext {
  const secrets = new Map([['kourier.credential', JSON.stringify(credential)]])
  const context = {
    subscriptions: [],
    extension: { packageJSON: { version: '0.0.0' }, extensionKind: 2 },
    extensionUri: Uri.file('/extension'),
    globalStorageUri: Uri.file(folder),
    storageUri: Uri.file(join(folder, 'workspace')),
    globalState: states.globalState ?? new FakeMemento(),
    workspaceState: states.workspaceState ?? new FakeMemento(),
    secrets: {
      get: async (key: string) => secrets.get(key),
      store: async (key: string, value: string) => void secrets.set(key, value),
      delete: async (key: string) => void secrets.delete(key),
      onDidChange: () => ({ dispose() {} }),
    },
  }
  return context as unknown as ExtensionContext // the parts that features use
}
