// What the editor hands to the extension when it activates it, for the features in plain Node.
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { ExtensionContext } from 'vscode'
import { FakeMemento } from '../support/fakeMemento.ts'
import { fakeEditor, Uri } from './recordedEditor.ts'

export const resource = 'http://127.0.0.1:9'

/** That of a user who is signed in at an address where nobody answers. */
export const credential = {
  version: 1,
  key: 'sk-bf-of-a-window',
  resource,
  issuer: resource,
  service: 'Example',
  origin: 'pasted',
}

export interface ContextParts {
  readonly folder: string
  readonly credential: object
  readonly globalState?: FakeMemento
  readonly workspaceState?: FakeMemento
}

export function extensionContext({ folder, credential, ...states }: ContextParts): ExtensionContext {
  const secrets = new Map([['kourier.credential', JSON.stringify(credential)]])
  const extensionUri = Uri.file('/extension')
  // Tests draw no page.
  for (const name of ['page.js.br', 'chat.css.br'])
    fakeEditor.files.set(Uri.joinPath(extensionUri, 'dist', name).toString(), brotliCompressSync(''))
  const context = {
    subscriptions: [],
    extension: { packageJSON: { version: '0.0.0' }, extensionKind: 2 },
    extensionUri,
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
