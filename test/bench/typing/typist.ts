// The typist: the keys that turn the first part of a file into the whole, with mistakes and with the editor's help.
import { BRACKETS } from './closingPairs.ts'
import type { FakeDocument } from './fakeDocument.ts'
import type { Mistake, Schedule } from './schedule.ts'
import type { Source } from './source.ts'

export interface Stroke {
  /** Milliseconds after the key before, or after an accepted suggestion. */
  readonly gapMs: number
  /** After this key the document holds a mistake. */
  readonly isMistaken: boolean
  /** Presses the key. */
  readonly press: () => void
}

/**
 * Keys one after the other. What comes before the cursor is always the beginning of the file, but for mistakes, so the
 * cursor's offset is the place in the file; a key that was not pressed, because a suggestion was accepted before its
 * time, is forgotten.
 */
export function* strokes(source: Source, schedule: Schedule, document: FakeDocument): Generator<Stroke> {
  const corrected = new Set<number>()
  while (document.cursor < source.end) {
    const at = document.cursor
    const mistake = corrected.has(at) ? undefined : schedule.mistakeAt(at)
    if (mistake) {
      yield* mistakeAndCorrection(source, schedule, document, mistake)
      corrected.add(at)
    } else if (blanksBeforeCloser(source.text, document) > 0) {
      const blanks = blanksBeforeCloser(source.text, document)
      yield removal(schedule.correctionGapMs(at, 0), document, blanks)
    } else {
      const { ownClosers } = document
      yield rightStroke(source, schedule, document)
      if (document.ownClosers > ownClosers && !isClosedLater(source.text, at)) {
        yield removal(schedule.correctionGapMs(at, 0), document)
      }
    }
  }
  // Closers for which the file has no use.
  for (let n = 1; document.text.length > source.text.length; n++) {
    yield removal(schedule.correctionGapMs(document.cursor, n), document)
  }
}

function rightStroke({ text }: Source, schedule: Schedule, document: FakeDocument): Stroke {
  const at = document.cursor
  const stroke = { gapMs: schedule.gapMs(at), isMistaken: false }
  const below = closerBelow(text, document)
  if (below !== undefined) return { ...stroke, press: () => document.moveTo(below) }
  const character = text[at] ?? ''
  if (character !== '\n') return { ...stroke, press: () => document.type(character) }
  const indent = /^[ \t]*/.exec(text.slice(at + 1))?.[0] ?? ''
  return { ...stroke, press: () => document.enter(indent) }
}

/** Behind the closer on the next line, if the editor has put it there and the file has it there too. */
function closerBelow(truth: string, document: FakeDocument): number | undefined {
  const at = document.cursor
  const line = /^\n[ \t]*[)\]}]/.exec(document.text.slice(at))?.[0]
  if (line === undefined || !truth.startsWith(line, at)) return undefined
  return document.isOwnCloser(at + line.length - 1) ? at + line.length : undefined
}

/** Blanks up to the closer that comes next in the file, where the editor has put it on a line below. */
function blanksBeforeCloser(truth: string, document: FakeDocument): number {
  const at = document.cursor
  const blanks = /^[ \t]*\n[ \t]*(?=[)\]}])/.exec(document.text.slice(at))?.[0].length ?? 0
  return document.isOwnCloser(at + blanks) && document.text[at + blanks] === truth[at] ? blanks : 0
}

function* mistakeAndCorrection(
  { text }: Source,
  schedule: Schedule,
  document: FakeDocument,
  { wrong, noticedAfter }: Mistake,
): Generator<Stroke> {
  const at = document.cursor
  const typed = wrong + text.slice(at + 1, at + noticedAfter)
  for (const [index, character] of [...typed].entries()) {
    const gapMs = index === 0 ? schedule.gapMs(at) : schedule.correctionGapMs(at, index)
    yield { gapMs, isMistaken: true, press: () => document.type(character) }
    // A suggestion was accepted instead.
    if (document.cursor !== at + index + 1) return
  }
  for (let left = typed.length - 1; left >= 0; left--) {
    const gapMs = schedule.correctionGapMs(at, noticedAfter + left)
    yield { gapMs, isMistaken: left > 0, press: () => document.backspace() }
  }
}

function removal(gapMs: number, document: FakeDocument, length = 1): Stroke {
  return { gapMs, isMistaken: false, press: () => document.deleteRight(length) }
}

/** Whether the file closes what it opens at this offset: a quote in its line, a bracket anywhere below. */
function isClosedLater(text: string, at: number): boolean {
  const opener = text[at] ?? ''
  const closer = BRACKETS[opener]
  if (closer === undefined) return (text.slice(at + 1).split('\n', 1)[0] ?? '').includes(opener)
  let depth = 0
  for (const character of text.slice(at)) {
    if (character === opener) depth++
    if (character === closer && --depth === 0) return true
  }
  return false
}
