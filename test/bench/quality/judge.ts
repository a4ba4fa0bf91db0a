// `judged`: how right an answer of a model is at a hole, and what is wrong with its form.
import { Answer } from '../../../src/core/complete/answer.ts'
import { type CompletionContext, candidateOf } from '../../../src/core/complete/candidate.ts'
import { type CursorContext, cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import type { PromptMode } from '../../../src/core/complete/prompt.ts'
import { type PromptMarks, usualMarks } from '../../../src/core/complete/promptMarks.ts'
import { shapeOf } from '../../../src/core/complete/trigger.ts'
import { isWorthShowing } from '../../../src/core/complete/trim.ts'
import type { Collected } from '../../../src/core/model/collect.ts'
import { type DocumentSnapshot, splitAtCursor } from '../../../src/core/workspace/documentSnapshot.ts'
import type { QualityHole } from './holes.ts'

export const formFaults = ['fence', 'talk', 'repeat', 'missing space', 'text from below', 'empty', 'thought'] as const
export type FormFault = (typeof formFaults)[number]

/** `isExact`: the first line is the true one. `isPrefix`: what is shown is the beginning of the truth. */
export interface Judgement {
  readonly isExact: boolean
  readonly isPrefix: boolean
  /** Characters that are right before the first wrong one. */
  readonly rightChars: number
  readonly faults: readonly FormFault[]
}

/** Shorter lines are found elsewhere by accident. */
const LEAST_LINE_CHARS = 8

export function judged(
  { snapshot, truth }: QualityHole,
  { text: raw, reasoning, why }: Pick<Collected, 'text' | 'reasoning' | 'why'>,
  mode: PromptMode,
  marks: PromptMarks = usualMarks,
): Judgement {
  const cursor = cursorContextOf(snapshot)
  const answer = new Answer(snapshot, cursor, { marks })
  if (raw !== '') answer.append(raw)
  answer.end(why)
  const shown = shownOf(answer, snapshot, cursor)
  const plain = insideOf(raw, marks)
  const { prefix, suffix } = splitAtCursor(snapshot)
  const line = prefix.slice(prefix.lastIndexOf('\n') + 1).trim()
  const below = suffix
    .split('\n')
    .slice(1)
    .map(one => one.trim())
    .filter(one => one.length >= LEAST_LINE_CHARS)
  const has: Readonly<Record<FormFault, boolean>> = {
    fence: /^\s*```/m.test(plain) && !truth.includes('```'),
    talk: mode === 'hole' ? isTalk(raw, marks) : /^(?:Here|Sure|The (?:code|completion)|This )\b/.test(plain.trim()),
    repeat:
      line.length >= LEAST_LINE_CHARS && plain.trimStart().startsWith(line) && !truth.trimStart().startsWith(line),
    'missing space': truth.startsWith(' ') && plain !== '' && !/^\s/.test(plain) && truth.trimStart()[0] === plain[0],
    'text from below': trimmedLines(plain).some(one => below.includes(one) && !trimmedLines(truth).includes(one)),
    empty: plain.trim() === '',
    thought: reasoning !== '' || /<think/i.test(raw),
  }
  // What is shown may go on through the rest of the line.
  const expected = truth + cursor.lineAfter
  const right = commonChars(shown, expected)
  return {
    isExact: shown !== '' && [truth, expected].some(one => firstLine(shown) === firstLine(one)),
    isPrefix: shown !== '' && right === shown.length,
    rightChars: Math.min(right, truth.length),
    faults: formFaults.filter(fault => has[fault]),
  }
}

/** As the completer shows it; empty where it shows nothing. */
function shownOf(answer: Answer, snapshot: DocumentSnapshot, cursor: CursorContext): string {
  const context: CompletionContext = {
    ...{ snapshot, cursor, shape: shapeOf(cursor, false), isExplicit: false, selected: undefined },
    ...{ settings: { enabled: {}, delayMs: null, mode: 'eager', exclude: [] }, change: 'typed', model: '' },
  }
  const candidate = candidateOf(answer, context)
  return candidate && isWorthShowing(candidate.fit, cursor) ? candidate.fit.insert.trimEnd() : ''
}

/** Between the tags, if there are any. */
function insideOf(raw: string, { opening, closing }: PromptMarks): string {
  const from = raw.indexOf(opening)
  const text = from < 0 ? raw : raw.slice(from + opening.length)
  const end = text.indexOf(closing)
  return end < 0 ? text : text.slice(0, end)
}

const isTalk = (raw: string, { opening }: PromptMarks) =>
  /[A-Za-z]{2,}\s+[a-z]{2,}/.test(raw.split(opening)[0] ?? '') && raw.includes(opening)

const trimmedLines = (text: string) => text.split('\n').map(line => line.trim())

const firstLine = (text: string) => (text.replace(/^\n/, '').split('\n')[0] ?? '').trimEnd()

function commonChars(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}
