// A cancellation token as an abort signal, and back.
import type { CancellationToken } from 'vscode'
import { Stopped } from '../base/abort.ts'
import type { Disposable } from '../base/disposable.ts'

/** Dispose it when the work is over: the token may live much longer and would keep its listener. */
export function signalOf(token: CancellationToken): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  const stop = () => controller.abort(new Stopped())
  if (token.isCancellationRequested) stop()
  const listening = token.onCancellationRequested(stop)
  return { signal: controller.signal, dispose: () => listening.dispose() }
}
