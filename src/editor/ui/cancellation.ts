// A cancellation token as an abort signal, and back.
import { type CancellationToken, CancellationTokenSource } from 'vscode'
import { AbortedError, throwIfAborted } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'

/** Dispose it when the work is over: the token may live much longer and would keep its listener. */
export function signalOf(token: CancellationToken): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  const stop = () => controller.abort(new AbortedError())
  if (token.isCancellationRequested) stop()
  const listening = token.onCancellationRequested(stop)
  return { signal: controller.signal, dispose: () => listening.dispose() }
}

/** Runs `ask` with a token that follows the signal: a question on screen goes away with what it was asked for. */
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
