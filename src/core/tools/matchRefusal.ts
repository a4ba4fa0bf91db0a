// `matchRefusal`: why edits were not made, with the present text, so that the model can correct its call without reading.
import { never } from '../../base/fault.ts'
import { lineDiff } from '../workspace/lineDiff.ts'
import { modelText } from '../workspace/modelText.ts'
import type { TextRange } from '../workspace/replacement.ts'
import { closestPlace, type LineDifference } from './closestPlace.ts'
import { type Edit, type EditFailure, touchedLines } from './matchEdits.ts'
import { numberedLines } from './numberedLines.ts'
import { count, quoted } from './toolPaths.ts'

export interface RefusalOptions {
  /** In the short form. */
  readonly path: string
  /** The file as it is. */
  readonly text: string
  /** What the model has seen, where that is another text. */
  readonly seen?: string | undefined
  /** How many edits the call has. */
  readonly edits: number
  /** The model may be shown the text. */
  readonly mayShow: boolean
}

/** How many lines of the file are shown with one failure. */
const SHOWN_LINES = 20
const MOST_PLACES = 10
/** Further failures are named without the text. */
const MOST_SHOWN = 5

export function matchRefusal(failures: readonly EditFailure[], options: RefusalOptions): string {
  const { path, edits } = options
  const isOne = edits === 1
  const head = isOne ? [] : [headOf(failures.length, edits, path)]
  const shown = failures.map((failure, at) => {
    const name = isOne ? '' : `Edit ${failure.index + 1}: `
    return name + (at < MOST_SHOWN ? failureText(failure, options) : shortText(failure, path))
  })
  return [...head, ...shown, ...changesSince(options)].join('\n\n')
}

function headOf(failed: number, edits: number, path: string): string {
  const which = failed === edits ? 'none of them can be' : `${failed} of them cannot be`
  return `No edit of ${quoted(path)} was made. Of ${edits} edits ${which}, and a call makes all of its edits or none. Correct what follows and send all edits again.`
}

/** What the user or a program did to the file meanwhile. */
function changesSince({ path, text, seen, mayShow }: RefusalOptions): string[] {
  if (seen === undefined || !mayShow) return []
  return [`${quoted(path)} has changed since you read it:\n${changeText(seen, text).text}`]
}

const MOST_DIFF_LINES = 100

/** A diff for the model; `isCut` where it does not show every change. */
export function changeText(before: string, after: string): { readonly text: string; readonly isCut: boolean } {
  const lines = modelText(lineDiff(before, after)).text.trimEnd().split('\n')
  if (lines.length <= MOST_DIFF_LINES) return { text: lines.join('\n'), isCut: false }
  const left = lines.length - MOST_DIFF_LINES
  return { text: [...lines.slice(0, MOST_DIFF_LINES), `… (${count(left)} more lines)`].join('\n'), isCut: true }
}

function shortText({ problem, edit }: EditFailure, path: string): string {
  const first = edit.old.split('\n').find(line => line.trim() !== '') ?? ''
  const what =
    problem.is === 'several' ? `is in ${quoted(path)} at several places` : `cannot be used in ${quoted(path)}`
  return `the text that begins with ${quoted(first)} ${what}.`
}

function failureText(failure: EditFailure, options: RefusalOptions): string {
  const { problem, edit, text } = failure
  const { path, mayShow } = options
  const shown = quoted(path)
  switch (problem.is) {
    case 'empty':
      return (
        `old_text is empty. ${shown} has ${count(text.split('\n').length)} lines, so no place is named. ` +
        'Put the lines before or after the place into old_text and new_text.'
      )
    case 'nothing':
      return (
        'The edit changes nothing. What it would write is there already, letter by letter. ' +
        'Leave it out, or write into new_text what is to be different.'
      )
    case 'numbers':
      return (
        'Some lines of new_text begin with a line number and others do not. Line numbers are not part of the file. ' +
        'Write old_text and new_text without them.'
      )
    case 'omission':
      return (
        `new_text has the line ${quoted(problem.line)}. It would be written as it is, and the text that it stands for would be lost. ` +
        'Write the whole text, or make a smaller edit of the lines that change.'
      )
    case 'none':
      return `${notFound(shown)} ${mayShow ? nearest(edit, options) : withheld(shown)}`
    case 'several':
      return severalText(shown, edit, text, problem.places, mayShow)
    case 'part of line':
      return (
        `${shown} was not read in this chat. Until it is, old_text must be whole lines, and this is a part of one${mayShow ? `:\n${linesAround(text, problem.places[0], 2)}\n` : '. '}` +
        'Write the whole lines, or read the file first.'
      )
    case 'changed':
      return (
        `The lines of this edit in ${shown} are not those that you saw. ` +
        `They have changed or moved since${mayShow ? `, and are now:\n${linesAround(text, problem.places[0], 5)}\n` : '. '}` +
        'Look at them and call again with the present lines.'
      )
    default:
      return never(problem)
  }
}

const notFound = (shown: string) => `old_text is not in ${shown}.`

const withheld = (shown: string) =>
  `What ${shown} holds is not shown here, because the user is asked before it is. Read it with read_file first.`

function severalText(shown: string, edit: Edit, text: string, places: readonly TextRange[], mayShow: boolean): string {
  const lines = places.map(({ start }) => lineAt(text, start))
  const list = lines.slice(0, MOST_PLACES).join(', ')
  const more = places.length > MOST_PLACES ? ` and ${count(places.length - MOST_PLACES)} more` : ''
  const around = places.slice(0, MOST_PLACES).map(place => linesAround(text, place, 2))
  const all = edit.all ? '' : ', or set all to true to change every place'
  return (
    `old_text is in ${shown} ${count(places.length)} times. It begins at the lines ${list}${more}` +
    `${mayShow ? `:\n${around.join('\n--\n')}\n` : '. '}` +
    `Add lines before or after it to both texts until there is one place only${all}.`
  )
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

function linesAround(text: string, place: TextRange | undefined, around: number): string {
  const { start, end } = touchedLines(text, place ?? { start: 0, end: 0 })
  const from = lineAt(text, start) - 1
  const to = from + Math.min(text.slice(start, end).replace(/\n$/, '').split('\n').length, SHOWN_LINES)
  return shownLines(text, from - around, to + around)
}

/** From 0; those that there are. */
function shownLines(text: string, from: number, to: number): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const first = Math.max(0, from)
  return numberedLines(
    lines.slice(first, to).map(line => modelText(line).text),
    first + 1,
  )
}

function nearest(edit: Edit, { path, text }: RefusalOptions): string {
  if (text === '') return `${quoted(path)} is empty. Write it with write_file.`
  const close = closestPlace(text, edit.old)
  if (!close) {
    return `No line of it is like one of old_text. It begins:\n${shownLines(text, 0, SHOWN_LINES)}\nRead the file, or look for the place with search_text.`
  }
  const { line, difference } = close
  const wanted = edit.old.replace(/\n$/, '').split('\n').length
  const at = difference && difference.line - line >= SHOWN_LINES - 3 ? difference.line - SHOWN_LINES / 2 : line - 3
  const from = Math.max(0, wanted + 6 <= SHOWN_LINES ? line - Math.floor((SHOWN_LINES - wanted) / 2) : at)
  const lines = shownLines(text, from, from + SHOWN_LINES)
  return `The closest place is at line ${line + 1}:\n${lines}\n${differenceText(difference)}Copy old_text from the lines above, without their numbers, and call again.`
}

function differenceText(difference: LineDifference | undefined): string {
  if (!difference) return ''
  const { line, own, wanted } = difference
  const mine = own === undefined ? 'the file has ended' : JSON.stringify(modelText(own).text)
  return `The first line that differs is ${line + 1}:\nin the file: ${mine}\nin old_text: ${JSON.stringify(modelText(wanted).text)}\n`
}
