// `signalOf` and `withToken`: a cancellation token as an abort signal, and a signal as a token.
import { type CancellationToken, CancellationTokenSource } from 'vscode'
import { AbortedError, throwIfAborted } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'

/** Must be disposed when the work is over, because the token may outlive it and would keep its listener. */
export function signalOf(token: CancellationToken): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  const stop = () => controller.abort(new AbortedError())
  if (token.isCancellationRequested) stop()
  const subscription = token.onCancellationRequested(stop)
  return { signal: controller.signal, dispose: () => subscription.dispose() }
}

/** Runs `ask` with a token that the signal cancels, so that a question on screen closes when its work is aborted. */
export async function withToken<T>(signal: AbortSignal, ask: (token: CancellationToken) => Thenable<T>): Promise<T> {
  const source = new CancellationTokenSource()
  const cancel = () => source.cancel()
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answer = await ask(source.token)
    throwIfAborted(signal)
    return answer
  } finally {
    signal.removeEventListener('abort', cancel)
    source.dispose()
  }
}
