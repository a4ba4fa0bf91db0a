// `askUnlessMessage`: asks the user a question; a message that the user queues meanwhile ends the question.
import { linkedAbort, raceAbort } from '../../base/abort.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import type { TurnLog } from './turnPorts.ts'

export type Asked<T> =
  | { readonly is: 'answered'; readonly answer: T }
  | { readonly is: 'message'; readonly parts: readonly PromptPart[] }

/** The signal of `ask` aborts when the message is queued. */
export async function askUnlessMessage<T>(
  log: TurnLog,
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Asked<T>> {
  const question = linkedAbort(signal)
  const sent: PromptPart[][] = []
  const listening = log.onDidAppend(event => {
    if (event.kind !== 'message-queued') return
    sent.push([...event.parts])
    question.stop()
  })
  try {
    return { is: 'answered', answer: await raceAbort(ask(question.signal), question.signal) }
  } catch (fault) {
    const [parts] = sent
    if (!parts || signal.aborted) throw fault
    return { is: 'message', parts }
  } finally {
    listening.dispose()
    question.unlink()
  }
}
