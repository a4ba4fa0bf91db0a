// `TextEdit`: an immutable change of one text, as ordered replacements that do not overlap.
import { composeReplacements } from './composeReplacements.ts'
import type { Replacement, TextRange } from './replacement.ts'

/** `conflict` contains the first two replacements that overlap. */
export type Rebased =
  | { readonly kind: 'rebased'; readonly edit: TextEdit }
  | { readonly kind: 'conflict'; readonly mine: Replacement; readonly theirs: Replacement }

/** On which side of an insertion at the same offset something ends up. */
export type Side = 'before' | 'after'

export interface MappedRange extends TextRange {
  /** The edit changed something inside the range. */
  readonly isChanged: boolean
}

/**
 * No replacement begins or ends inside a surrogate pair or a CRLF, neither in the text before nor in the text after,
 * because an editor has no position there. `of` guarantees it for any text; `compose`, `invert` and `rebase` keep it as
 * long as the text has no lone surrogate. All methods take time linear in what they read and return.
 */
export class TextEdit {
  readonly replacements: readonly Replacement[]
  readonly lengthBefore: number
  readonly lengthAfter: number

  private constructor(lengthBefore: number, replacements: readonly Replacement[]) {
    this.replacements = replacements
    this.lengthBefore = lengthBefore
    this.lengthAfter = replacements.reduce((length, one) => length + growthOf(one), lengthBefore)
  }

  /**
   * The edit of `text` that has the effect of `replacements`, reduced to what differs. They must be in order and must
   * not overlap.
   *
   * @throws RangeError if they overlap, are out of order or lie outside the text.
   */
  static of(text: string, replacements: readonly Replacement[]): TextEdit {
    requireOrder(replacements, text.length)
    const reduced = joinTouching(replacements)
      .map(one => trim(text, one))
      .filter(({ start, end, text: inserted }) => start < end || inserted !== '')
    return new TextEdit(text.length, joinTouching(reduced.map(one => widen(text, one))))
  }

  /** The edit that leaves a text of this length as it is. */
  static none(length: number): TextEdit {
    return new TextEdit(length, [])
  }

  get isEmpty(): boolean {
    return this.replacements.length === 0
  }

  /** @throws RangeError if the length of `text` is not the one that the edit was made for. */
  apply(text: string): string {
    requireLength(text.length, this.lengthBefore)
    return this.#applyWithin(text, 0, text.length)
  }

  /**
   * One edit with the effect of this one and then `next`.
   *
   * @throws RangeError if `next` was made for a text of another length.
   */
  compose(next: TextEdit): TextEdit {
    requireLength(next.lengthBefore, this.lengthAfter)
    const replacements = composeReplacements(this.replacements, next.replacements, this.lengthAfter)
    return new TextEdit(this.lengthBefore, replacements)
  }

  /** The edit that leads back to `text`, which is the text before this one. */
  invert(text: string): TextEdit {
    requireLength(text.length, this.lengthBefore)
    let shift = 0
    const inverse = this.replacements.map(one => {
      const start = one.start + shift
      shift += growthOf(one)
      return { start, end: start + one.text.length, text: text.slice(one.start, one.end) }
    })
    return new TextEdit(this.lengthAfter, inverse)
  }

  /**
   * This edit for the text that `over` produces, where both were made for the same text. `side` decides where an insertion
   * goes if both insert at the same offset; rebasing the other edit with the other side leads to the same text. A
   * replacement that both contain is applied once.
   */
  rebase(over: TextEdit, side: Side): Rebased {
    requireLength(over.lengthBefore, this.lengthBefore)
    const theirs = over.replacements
    const moved: Replacement[] = []
    let shift = 0
    let at = 0
    for (const mine of this.replacements) {
      let next = theirs[at]
      while (next && isBefore(next, mine, side === 'after')) {
        shift += growthOf(next)
        next = theirs[++at]
      }
      const clash = [theirs[at - 1], next].find(one => one && doClash(mine, one, side))
      if (clash && !isSame(mine, clash)) return { kind: 'conflict', mine, theirs: clash }
      if (!clash) moved.push({ start: mine.start + shift, end: mine.end + shift, text: mine.text })
    }
    return { kind: 'rebased', edit: new TextEdit(over.lengthAfter, joinTouching(moved)) }
  }

  /** Maps an offset of the text before to the text after. `side` decides for text inserted at the offset or around it. */
  mapOffset(offset: number, side: Side): number {
    let shift = 0
    for (const { start, end, text } of this.replacements) {
      if (start > offset || (start === offset && (end > offset || side === 'before'))) break
      if (end > offset) return start + shift + (side === 'after' ? text.length : 0)
      shift += text.length - (end - start)
    }
    return offset + shift
  }

  /** Maps a range; text inserted at its ends is not part of it. A range whose text was removed becomes empty. */
  mapRange({ start, end }: TextRange): MappedRange {
    const from = this.mapOffset(start, 'after')
    const to = this.mapOffset(end, 'before')
    const isChanged = this.replacements.some(one => one.start < end && one.end > start)
    return { start: from, end: Math.max(from, to), isChanged }
  }

  /** True if both change `text` to the same text, even by different replacements. */
  hasSameEffect(other: TextEdit, text: string): boolean {
    requireLength(text.length, this.lengthBefore)
    requireLength(text.length, other.lengthBefore)
    const ends = [this, other].flatMap(edit => [edit.replacements.at(0), edit.replacements.at(-1)])
    const start = ends.reduce((least, one) => Math.min(least, one?.start ?? least), text.length)
    const end = ends.reduce((most, one) => Math.max(most, one?.end ?? most), start)
    return this.#applyWithin(text, start, end) === other.#applyWithin(text, start, end)
  }

  #applyWithin(text: string, from: number, to: number): string {
    const parts: string[] = []
    let at = from
    for (const { start, end, text: inserted } of this.replacements) {
      parts.push(text.slice(at, start), inserted)
      at = end
    }
    return parts.join('') + text.slice(at, to)
  }
}

const growthOf = ({ start, end, text }: Replacement) => text.length - (end - start)

function requireLength(length: number, expected: number): void {
  if (length !== expected) throw new RangeError(`The edit is for a text of ${expected} code units, not of ${length}.`)
}

function requireOrder(replacements: readonly Replacement[], length: number): void {
  let at = 0
  for (const { start, end } of replacements) {
    if (!(start >= at && end >= start && end <= length)) {
      throw new RangeError(`The replacement of ${start} to ${end} overlaps another, is out of order or out of range.`)
    }
    at = end
  }
}

/** Whether two code units form a surrogate pair or a CRLF. NaN, from outside the text, is never part of one. */
function isPair(left: number, right: number): boolean {
  const isSurrogatePair = left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff
  return isSurrogatePair || (left === 0x0d && right === 0x0a)
}

function joinTouching(replacements: readonly Replacement[]): Replacement[] {
  const joined: { start: number; end: number; texts: string[] }[] = []
  for (const { start, end, text } of replacements) {
    const last = joined.at(-1)
    if (last?.end === start) {
      last.end = end
      last.texts.push(text)
    } else joined.push({ start, end, texts: [text] })
  }
  return joined.map(({ start, end, texts }) => ({ start, end, text: texts.join('') }))
}

/** Removes what the replaced and the new text have in common at their beginning, and then at their end. */
function trim(text: string, { start, end, text: inserted }: Replacement): Replacement {
  const most = Math.min(end - start, inserted.length)
  let head = 0
  while (head < most && text.charCodeAt(start + head) === inserted.charCodeAt(head)) head++
  let tail = 0
  while (tail < most - head && text.charCodeAt(end - 1 - tail) === inserted.charCodeAt(inserted.length - 1 - tail)) {
    tail++
  }
  return { start: start + head, end: end - tail, text: inserted.slice(head, inserted.length - tail) }
}

/** Extends the replacement by the neighbouring unit where it would split a pair in the text before or after. */
function widen(text: string, { start, end, text: inserted }: Replacement): Replacement {
  const left = text.charCodeAt(start - 1)
  const right = text.charCodeAt(end)
  const first = inserted === '' ? right : inserted.charCodeAt(0)
  const last = inserted === '' ? left : inserted.charCodeAt(inserted.length - 1)
  const before = isPair(left, text.charCodeAt(start)) || isPair(left, first) ? 1 : 0
  const after = isPair(text.charCodeAt(end - 1), right) || isPair(last, right) ? 1 : 0
  return {
    start: start - before,
    end: end + after,
    text: text.slice(start - before, start) + inserted + text.slice(end, end + after),
  }
}

/** `goesFirst` decides for two insertions at the same offset. */
function isBefore(one: Replacement, other: Replacement, goesFirst: boolean): boolean {
  return one.end <= other.start && (goesFirst || !areInsertionsAtOneOffset(one, other))
}

function areInsertionsAtOneOffset(one: Replacement, other: Replacement): boolean {
  return one.start === other.start && one.end === one.start && other.end === one.start
}

/** They overlap, or their adjacent texts would form a surrogate pair or a CRLF. */
function doClash(mine: Replacement, theirs: Replacement, side: Side): boolean {
  if (isBefore(mine, theirs, side === 'before')) return wouldJoin(mine, theirs)
  return !isBefore(theirs, mine, side === 'after') || wouldJoin(theirs, mine)
}

function wouldJoin(left: Replacement, right: Replacement): boolean {
  return left.end === right.start && isPair(left.text.charCodeAt(left.text.length - 1), right.text.charCodeAt(0))
}

/** Two insertions are never the same, because each adds its text. */
function isSame(a: Replacement, b: Replacement): boolean {
  return a.start < a.end && a.start === b.start && a.end === b.end && a.text === b.text
}
