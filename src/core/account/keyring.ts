// The editor's storage for secrets, and how long a caller waits for it: a port.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { KeyringError } from './credentialStore.ts'

/** Named texts, sealed by the keyring of the machine or of the browser. */
export interface Secrets {
  get(name: string): PromiseLike<string | undefined>
  store(name: string, text: string): PromiseLike<void>
  delete(name: string): PromiseLike<void>
  onDidChange(listener: (change: { readonly key: string }) => void): Disposable
}

/** Rejects with a `KeyringError`, and after `waitMs` also where the keyring waits for a window that nobody sees. */
export function inTime<T>(asked: PromiseLike<T>, clock: Clock, waitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = clock.later(waitMs, () => reject(new KeyringError('silent')))
    asked.then(resolve, fault => reject(new KeyringError('failed', fault))).then(callOff)
  })
}
