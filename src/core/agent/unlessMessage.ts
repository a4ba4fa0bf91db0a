// `unlessMessage`: asks the user something, and takes a message that is sent meanwhile as the answer.
import { linkedAbort, raceAbort } from '../../base/abort.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import type { TurnLog } from './turnPorts.ts'

export type Asked<T> =
  | { readonly is: 'answered'; readonly answer: T }
  | { readonly is: 'message'; readonly parts: readonly PromptPart[] }

/** The question's signal stops when the message comes. */
export async function unlessMessage<T>(
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
