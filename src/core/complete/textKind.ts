// `textKindOf`: the kind of a suggestion: its language, its place and how long it is.
import type { Candidate, CompletionContext } from './candidate.ts'
import { type CursorContext, isBlank } from './cursorContext.ts'
import { isInWord } from './trigger.ts'

const SHORT_CHARS = 12
const MEDIUM_CHARS = 40

type Place = 'prose' | 'line-start' | 'before-text' | 'word' | 'code'
type Size = 'short' | 'medium' | 'long' | 'lines'

export function textKindOf({ fit: { insert } }: Candidate, { snapshot, cursor }: CompletionContext): string {
  return `${snapshot.language} ${placeOf(cursor)} ${sizeOf(insert.trim())}`
}

function placeOf({ inside, isProse, lineBefore, lineAfter }: CursorContext): Place {
  if (isProse || inside.kind !== 'code') return 'prose'
  if (isBlank(lineBefore)) return 'line-start'
  if (!isBlank(lineAfter)) return 'before-text'
  return isInWord(lineBefore) ? 'word' : 'code'
}

function sizeOf(text: string): Size {
  if (text.includes('\n')) return 'lines'
  if (text.length <= SHORT_CHARS) return 'short'
  return text.length <= MEDIUM_CHARS ? 'medium' : 'long'
}
