// `answerEndings`: the name of the sentence with the reason why an answer has ended before its end, by its state.
import type { AnswerState } from '../state/messages.ts'

export const answerEndings = {
  whole: undefined,
  streaming: undefined,
  stopped: 'stopped',
  interrupted: 'interrupted',
  failed: 'interrupted',
  length: 'cutByLength',
  filtered: 'filtered',
  refused: 'declined',
} as const satisfies Record<AnswerState, string | undefined>
