// `matchEdits`: the edits of one call on the text of a file: all of them, each at its one place, or none.
import { editBetween } from '../workspace/lineHunks.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { TextEdit } from '../workspace/textEdit.ts'
import {
  exactPlaces,
  findPlaces,
  type MatchStep,
  type Place,
  type Places,
  SearchedText,
  unescaped,
} from './findPlaces.ts'
import { withoutNumbers } from './numberedLines.ts'
import { omissionIn } from './omission.ts'
import { rewriteLines } from './rewriteLines.ts'

export interface Edit {
  readonly old: string
  readonly new: string
  /** At every place where `old` is exactly. */
  readonly all: boolean
}

/** What the model has seen of the file: the text as it is, nothing, or another text. */
export type Knowledge = { readonly is: 'same' | 'unseen' } | { readonly is: 'changed'; readonly seen: string }

/** `places`: in the text that the edit was applied to. */
export type AppliedEdit =
  | { readonly is: 'applied'; readonly step: MatchStep; readonly places: readonly TextRange[] }
  /** The text has `new` already; `place`: where. */
  | { readonly is: 'there'; readonly place: TextRange }

/** Why an edit was not made. `text`: the one that the edit would have been applied to, in which `places` are. */
export type EditProblem =
  | { readonly is: 'empty' | 'nothing' | 'numbers' | 'none' }
  | { readonly is: 'omission'; readonly line: string }
  | { readonly is: 'several' | 'part of line'; readonly places: readonly TextRange[] }
  /** The lines of the place were not so when the model saw them, or are one of several. */
  | { readonly is: 'changed'; readonly places: readonly TextRange[] }

/** `index`: of the edit in its call, from 0. */
export interface EditFailure {
  readonly index: number
  readonly edit: Edit
  readonly text: string
  readonly problem: EditProblem
}

export type MatchResult =
  | { readonly is: 'matched'; readonly text: string; readonly edits: readonly AppliedEdit[] }
  | { readonly is: 'failed'; readonly failures: readonly EditFailure[] }

/** All texts with `\n` line ends. The edits are applied one after the other; after a failure the rest is still tried. */
export function matchEdits(text: string, edits: readonly Edit[], knowledge: Knowledge): MatchResult {
  const failures: EditFailure[] = []
  const applied: AppliedEdit[] = []
  let now = new SearchedText(text)
  let seen = knowledge.is === 'changed' ? new SearchedText(knowledge.seen) : undefined
  for (const [index, given] of edits.entries()) {
    const found = matched(now, given, knowledge.is === 'unseen', seen)
    if (found.is === 'failed') {
      failures.push({ index, edit: given, text: now.text, problem: found.problem })
      continue
    }
    applied.push(found.edit)
    if (found.text !== now.text) now = new SearchedText(found.text)
    if (seen && found.seen !== undefined) seen = new SearchedText(found.seen)
  }
  return failures.length > 0 ? { is: 'failed', failures } : { is: 'matched', text: now.text, edits: applied }
}

type Matched =
  | { readonly is: 'matched'; readonly text: string; readonly seen?: string; readonly edit: AppliedEdit }
  | { readonly is: 'failed'; readonly problem: EditProblem }

const failed = (problem: EditProblem): Matched => ({ is: 'failed', problem })

function matched(now: SearchedText, given: Edit, isUnseen: boolean, seen: SearchedText | undefined): Matched {
  const edit = { ...given, old: plainEnds(given.old), new: plainEnds(given.new) }
  if (edit.old === edit.new) return failed({ is: 'nothing' })
  const omission = omissionIn(edit.new, edit.old)
  if (omission !== undefined) return failed({ is: 'omission', line: omission })
  if (edit.old === '') return now.text === '' ? wholeText(edit.new) : failed({ is: 'empty' })
  for (const variant of variantsOf(edit, isUnseen)) {
    if (variant === 'numbers') return failed({ is: 'numbers' })
    const found = placed(now, variant, isUnseen, seen)
    if (found) return found
  }
  const place = alreadyThere(now, edit)
  if (!place) return failed({ is: 'none' })
  return { is: 'matched', text: now.text, edit: { is: 'there', place } }
}

/** Of an empty file. */
const wholeText = (text: string): Matched => ({
  is: 'matched',
  text,
  edit: { is: 'applied', step: 1, places: [{ start: 0, end: 0 }] },
})

/** A byte order mark is not part of the text. */
const plainEnds = (text: string) => text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n')

interface Variant extends Edit {
  /** Only the exact step. */
  readonly isExact: boolean
  readonly step?: MatchStep
}

/** As it was written; without the numbers that the lines were shown with; with one level of escapes undone. */
function* variantsOf(edit: Edit, isUnseen: boolean): Iterable<Variant | 'numbers'> {
  yield { ...edit, isExact: edit.all }
  const bare = withoutNumbers(edit.old)
  if (bare !== undefined && bare.trim() !== '') {
    const after = newWithoutNumbers(edit.new)
    if (after === undefined) yield 'numbers'
    else yield { ...edit, old: bare, new: after, isExact: edit.all }
  }
  const old = edit.all || isUnseen ? undefined : unescaped(edit.old)
  if (old !== undefined) yield { ...edit, old, new: unescaped(edit.new) ?? edit.new, isExact: true, step: 6 }
}

/** Undefined where some of its lines have a number and others have none. */
function newWithoutNumbers(text: string): string | undefined {
  const lines = text.split('\n')
  const written = lines.filter(line => line !== '')
  const counted = written.filter(line => /^ *\d+\t/.test(line)).length
  if (counted === 0) return text
  return counted === written.length ? lines.map(line => line.replace(/^ *\d+\t/, '')).join('\n') : undefined
}

/** Undefined where the text is nowhere. */
function placed(
  now: SearchedText,
  edit: Variant,
  isUnseen: boolean,
  seen: SearchedText | undefined,
): Matched | undefined {
  const isExact = edit.isExact || isUnseen
  const found = placesOf(now, edit, isExact)
  if (!found) return undefined
  const step = edit.step ?? found.step
  const places = wantedOf(found, edit)
  if (places.length > 1 && !edit.all) return failed({ is: 'several', places })
  if (isUnseen && !places.every(place => isWholeLines(now.text, place))) return failed({ is: 'part of line', places })
  const text = applied(now.text, places, edit)
  if (text === now.text) return failed({ is: 'nothing' })
  const done: AppliedEdit = { is: 'applied', step, places }
  if (!seen) return { is: 'matched', text, edit: done }
  const before = placesOf(seen, edit, isExact)
  const were = before?.step === found.step ? wantedOf(before, edit) : []
  if (!areSameLines(seen.text, were, now.text, places)) return failed({ is: 'changed', places })
  return { is: 'matched', text, seen: applied(seen.text, were, edit), edit: done }
}

const wantedOf = ({ places }: Places, { all }: Edit) => (all ? apart(places) : places)

function placesOf(searched: SearchedText, { old, new: after }: Edit, isExact: boolean) {
  if (!isExact) return findPlaces(searched, old, after)
  const places = exactPlaces(searched.text, old)
  return places.length > 0 ? { step: 1 as const, places } : undefined
}

/** Those that do not overlap the ones before them. */
function apart(places: readonly Place[]): Place[] {
  const found: Place[] = []
  for (const place of places) if (place.start >= (found.at(-1)?.end ?? 0)) found.push(place)
  return found
}

function applied(text: string, places: readonly Place[], edit: Edit): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, shift } of places) {
    const own = text.slice(start, end)
    parts.push(text.slice(at, start), own === edit.old ? edit.new : rewriteLines(own, edit.old, edit.new, shift))
    at = end
  }
  return parts.join('') + text.slice(at)
}

function isWholeLines(text: string, { start, end }: TextRange): boolean {
  const isStart = start === 0 || text[start - 1] === '\n'
  return isStart && (end === text.length || text[end] === '\n' || text[end - 1] === '\n')
}

/** The whole lines that a place touches, with the line end of the last. */
export function touchedLines(text: string, { start, end }: TextRange): TextRange {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const isEnded = end > start && text[end - 1] === '\n'
  const to = isEnded ? end - 1 : text.indexOf('\n', end)
  return { start: start === 0 ? 0 : from, end: to < 0 ? text.length : to + 1 }
}

/** Each place has its counterpart: the same whole lines, which nobody has moved or changed. */
function areSameLines(seen: string, were: readonly TextRange[], now: string, are: readonly TextRange[]): boolean {
  if (were.length !== are.length || were.length === 0) return false
  const edit = editBetween(seen, now)
  return were.every((place, at) => isSameAt(edit, seen, place, now, are[at] ?? place))
}

function isSameAt(edit: TextEdit, seen: string, was: TextRange, now: string, is: TextRange): boolean {
  const [before, after] = [touchedLines(seen, was), touchedLines(now, is)]
  if (seen.slice(before.start, before.end) !== now.slice(after.start, after.end)) return false
  const { start, end, isChanged } = edit.mapRange(before)
  return !isChanged && start === after.start && end === after.end
}

/** How many characters beside white space an edit must add to be recognized in a text. */
const MIN_ADDED = 10

/**
 * Where the edit was made before: its new text is there once, in whole lines if they were whole, and has something of its
 * own that the old one has not.
 */
function alreadyThere({ text }: SearchedText, edit: Edit): TextRange | undefined {
  const places = exactPlaces(text, edit.new)
  const [place] = places
  if (!place || places.length > 1 || edit.old.includes(edit.new)) return undefined
  const old = new Set(edit.old.split('\n').map(line => line.trim()))
  const added = edit.new.split('\n').filter(line => !old.has(line.trim()))
  const size = added.join('').replaceAll(/\s/g, '').length
  const isNew = size >= MIN_ADDED || (added.length > 0 && isWholeLines(text, place) && edit.new.includes('\n'))
  return isNew ? place : undefined
}
