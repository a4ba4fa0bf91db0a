// `answerLine`: one line of the log about an answer, without any text of a file.
import { textTokens } from '../model/tokenEstimate.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Answer } from './answer.ts'
import type { CursorContext } from './cursorContext.ts'
import type { PromptMode } from './prompt.ts'
import type { Shape } from './trigger.ts'
import {
  cutAtBlockEnd,
  cutAtLineBelow,
  cutAtRepeat,
  cutAtUnmatchedCloser,
  cutInString,
  dropOverlap,
  keepOneLine,
} from './trim.ts'

/**
 * `too late`: the user has typed something else. `held back`: such texts are hardly ever taken. `not needed`: another
 * answer is shown.
 */
export type Fate = 'shown' | 'kept for what follows' | 'too late' | 'nothing fitted' | 'held back' | 'not needed'

export interface AnswerFacts {
  readonly answer: Answer
  /** Where it was requested. */
  readonly snapshot: DocumentSnapshot
  readonly shape: Shape
  readonly mode: PromptMode
  readonly firstTextMs: number
  readonly fate: Fate
}

export function answerLine({ answer, snapshot, shape, mode, firstTextMs, fate }: AnswerFacts): string {
  const cut = cutBy(answer)
  return [
    `Completion at ${snapshot.path}:${placeOf(snapshot)}`,
    `shape ${shape}`,
    `mode ${mode}`,
    `first text after ${Math.round(firstTextMs)} ms`,
    `${Math.round(textTokens(answer.received))} tokens`,
    ...(answer.roughness.length === 0 ? [] : [`cleaned of ${answer.roughness.join(' and ')}`]),
    ...(cut === undefined ? [] : [`cut by ${cut}`]),
    fate,
  ].join(', ')
}

function placeOf({ text, offset }: DocumentSnapshot): string {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    start = at + 1
  }
  return `${line}:${offset - start + 1}`
}

/** In the order of `fitTo`. */
const steps: Readonly<Record<string, (text: string, cursor: CursorContext) => string>> = {
  'the code behind the cursor': keepOneLine,
  'the end of the string': cutInString,
  'a closer that closes nothing': (text, cursor) => text.slice(0, cutAtUnmatchedCloser(text, cursor).end),
  repetition: cutAtRepeat,
  'the end of the block': cutAtBlockEnd,
  'the line below': cutAtLineBelow,
  'the rest of the line': dropOverlap,
}

/** The first step that takes something away from it. */
function cutBy(answer: Answer): string | undefined {
  if (answer.received !== '' && answer.text.trim() === '') return 'cleaning'
  const text = answer.text.trimEnd()
  const step = Object.entries(steps).find(([, run]) => run(text, answer.cursor).trimEnd().length < text.length)
  return step?.[0]
}
