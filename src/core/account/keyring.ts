// Port: the editor's secret storage; and a timeout for its operations.
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

/**
 * A locked keyring asks the user for its password, which may take ten seconds and more. One that takes longer than this
 * probably waits for a dialog that is not visible.
 */
const TIMEOUT_MS = 15_000

/** Rejects with a `KeyringError` on failure, and where the keyring does not answer in time. */
export function withTimeout<T>(operation: PromiseLike<T>, clock: Clock, timeoutMs = TIMEOUT_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.later(timeoutMs, () => reject(new KeyringError('silent')))
    operation.then(resolve, fault => reject(new KeyringError('failed', fault))).then(cancelTimer)
  })
}
