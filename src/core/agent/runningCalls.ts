// `RunningCalls`: the calls of a conversation that are being carried out, each of which the user can stop alone.
import { type LinkedAbort, linkedAbort } from '../../base/abort.ts'

export class RunningCalls {
  readonly #calls = new Map<string, LinkedAbort>()

  /** `part`: the call. `work` gets a signal that also aborts when the call is stopped; it is then `stopped`. */
  async run<T>(part: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | 'stopped'> {
    const own = linkedAbort(signal)
    this.#calls.set(part, own)
    try {
      return await work(own.signal)
    } catch (fault) {
      if (own.signal.aborted && !signal.aborted) return 'stopped'
      throw fault
    } finally {
      this.#calls.delete(part)
      own.unlink()
    }
  }

  /** Nothing for a call that is not carried out. */
  stop(part: string): void {
    this.#calls.get(part)?.stop()
  }
}
