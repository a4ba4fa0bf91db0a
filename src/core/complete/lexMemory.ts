// `LexMemory`: lexes the text before and behind a cursor, and of a text that it has lexed before only what has changed.
import { atStart, isSameInside, type LexResult, type LexState, LOOK_BACK_CHARS, lex, looksBack } from './lex.ts'

export type LexedText = Pick<LexResult, 'state' | 'unmatched'>

/** Where a line begins, and the state there. */
interface Mark {
  readonly offset: number
  readonly state: LexState
}

interface Before {
  readonly language: string
  readonly text: string
  /** In ascending order. */
  readonly marks: readonly Mark[]
}

interface After extends LexedText {
  readonly language: string
  readonly from: LexState
  readonly text: string
  /** How much text there was, with what was too much to lex. */
  readonly chars: number
  /** Where lines begin that are code with no bracket open, so that what is behind depends on nothing before. */
  readonly neutral: readonly number[]
}

/** Lexing more than this would delay the suggestion noticeably. */
const LIMIT_CHARS = 200_000
const BETWEEN_MARKS_CHARS = 4_000
const BETWEEN_NEUTRAL_CHARS = 1_000
/** Comparing long texts takes time as well. */
const COMPARISONS = 8

/** For one document at a time: it is asked for the next version of the same text nearly always. */
export class LexMemory {
  #before: Before | undefined
  /** The newest first. An open quote turns code into text and back, so there are two. */
  #after: readonly After[] = []

  /** The state behind the text, or behind so much of it before its end as is worth lexing. */
  stateBehind(text: string, language: string): LexState {
    const known = this.#marksFor(text, language)
    const last = known.at(-1)
    const marks = last && text.length - last.offset <= LIMIT_CHARS ? [...known] : [beginningOf(text)]
    let { offset, state } = marks.at(-1) ?? { offset: 0, state: atStart }
    for (;;) {
      const next = text.indexOf('\n', offset + BETWEEN_MARKS_CHARS) + 1
      if (next === 0) break
      state = lexedFrom(text, offset, next, language, state).state
      offset = next
      marks.push({ offset, state })
    }
    this.#before = { language, text, marks }
    return lexedFrom(text, offset, text.length, language, state).state
  }

  /** The text from the cursor on, or so much of it as is worth lexing. */
  lexBehind(all: string, language: string, from: LexState): LexedText {
    const text = all.slice(0, LIMIT_CHARS)
    const ofLanguage = this.#after.filter(one => one.language === language)
    const same = ofLanguage.find(one => one.text === text && isSame(one.from, from, language))
    const [last] = ofLanguage
    const chars = all.length
    const newest = same ?? { ...lexedByLines(text, chars, language, from, last), language, from, text, chars }
    this.#after = [newest, ...ofLanguage.filter(one => one !== newest)].slice(0, 2)
    return newest
  }

  /** Those that are in what this text has in common with the last one. */
  #marksFor(text: string, language: string): readonly Mark[] {
    const { marks, text: former } = this.#before?.language === language ? this.#before : { marks: [], text: '' }
    const last = marks.findLastIndex(
      ({ offset }) => offset <= text.length && text.slice(0, offset) === former.slice(0, offset),
    )
    return marks.slice(0, last + 1)
  }
}

function beginningOf(text: string): Mark {
  const isLong = text.length > LIMIT_CHARS
  return { offset: isLong ? text.indexOf('\n', text.length - LIMIT_CHARS / 4) + 1 : 0, state: atStart }
}

/** `before`: what is before the whole text. */
function lexedFrom(
  text: string,
  start: number,
  end: number,
  language: string,
  state: LexState,
  before = '',
): LexedText {
  const near = text.slice(Math.max(0, start - LOOK_BACK_CHARS), start)
  return lex(text.slice(start, end), language, { ...state, before: (before + near).slice(-LOOK_BACK_CHARS) })
}

function lexedByLines(
  text: string,
  chars: number,
  language: string,
  from: LexState,
  known: After | undefined,
): LexedText & Pick<After, 'neutral'> {
  const unmatched: number[] = []
  const neutral: number[] = []
  const knownNeutral = new Set(known?.neutral)
  let state = from
  let comparisons = 0
  for (let start = 0; start < text.length; ) {
    const mayBeKnown = known !== undefined && comparisons < COMPARISONS
    const end = text.indexOf('\n', mayBeKnown ? start : start + BETWEEN_NEUTRAL_CHARS) + 1 || text.length
    const lines = lexedFrom(text, start, end, language, state, from.before)
    for (const at of lines.unmatched) unmatched.push(start + at)
    state = lines.state
    start = end
    if (state.inside.kind !== 'code' || state.open.length > 0 || start === text.length) continue
    neutral.push(start)
    const moved = known ? known.chars - chars : 0
    if (!mayBeKnown || !knownNeutral.has(start + moved)) continue
    if (looksBack(language) && Math.min(start, start + moved) < LOOK_BACK_CHARS) continue
    comparisons++
    if (!isSameFrom(text, start, known.text, start + moved)) continue
    const behind = (at: number) => at >= start + moved
    return {
      state: known.state,
      unmatched: [...unmatched, ...known.unmatched.filter(behind).map(at => at - moved)],
      neutral: [...neutral.slice(0, -1), ...known.neutral.filter(behind).map(at => at - moved)],
    }
  }
  return { state, unmatched, neutral }
}

/** As far as both go; with the text before, which the lexer may look back at. */
function isSameFrom(text: string, start: number, former: string, formerStart: number): boolean {
  const back = Math.min(LOOK_BACK_CHARS, start, formerStart)
  const length = Math.min(text.length - start, former.length - formerStart)
  return text.slice(start - back, start + length) === former.slice(formerStart - back, formerStart + length)
}

function isSame(a: LexState, b: LexState, language: string): boolean {
  const isSameBefore = !looksBack(language) || a.before === b.before
  return isSameBefore && isSameInside(a.inside, b.inside) && a.open.join() === b.open.join()
}
