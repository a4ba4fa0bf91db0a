// How the demo model completes code: it continues as the text it was given went on elsewhere.
import type { Message } from './modelRequest.ts'
import { taggedBlocks } from './taggedBlock.ts'
import { usualContinuation } from './usualContinuation.ts'

const cursor = '▮'
const lookBackChars = 200
const blockLines = 3

export interface Hole {
  readonly before: string
  /** From the cursor on: the rest of its line, and the lines below. */
  readonly after: string
  readonly others: readonly string[]
  readonly language: string
}

export const isCompletion = (messages: readonly Message[]): boolean =>
  messages.some(({ role, text }) => role === 'system' && text.startsWith('You complete code at the cursor'))

export function completionFor(messages: readonly Message[]): string {
  const text = messages.findLast(({ role }) => role === 'user')?.text ?? ''
  const hole = readHole(text)
  const tag = `insert${variantOf(text)}`
  return `<${tag}>${hole ? (continueFrom(hole) ?? usualContinuation(hole) ?? '') : ''}</${tag}>`
}

/** The number at the end of the mark and of all tags; it is empty unless a file contains the usual ones. */
const variantOf = (text: string): string => /\nAt ▮(\d*): .*$/.exec(text)?.[1] ?? ''

/** The last marked hole of the message; worked examples may stand before it. */
export function readHole(text: string): Hole | undefined {
  const variant = variantOf(text)
  const around = lastPart(text, `through_cursor_line${variant}`)
  const mark = around?.lastIndexOf(cursor + variant) ?? -1
  if (around === undefined || mark < 0) return undefined
  return {
    before: around.slice(0, mark),
    after: `${around.slice(mark + cursor.length + variant.length)}\n${lastPart(text, `below_cursor_line${variant}`) ?? ''}`,
    others: taggedBlocks(text, `context${variant}`).map(block => block.text),
    language: /<file\d* [^>]*language="([^"]*)"(?![\s\S]*<file\d* )/.exec(text)?.[1] ?? '',
  }
}

/** The text between the last two tags of this name, without the line end behind the first. */
function lastPart(text: string, name: string): string | undefined {
  const end = text.lastIndexOf(`</${name}>`)
  const start = text.lastIndexOf(`<${name}>\n`, end)
  return end < 0 || start < 0 ? undefined : text.slice(start + name.length + 3, end)
}

interface Match {
  readonly text: string
  /** Where in the text the cursor would stand. */
  readonly at: number
  readonly length: number
}

/** What follows the longest text before the cursor that occurs somewhere else too. */
export function continueFrom(hole: Hole): string | undefined {
  return matchesOf(hole)
    .sort((a, b) => b.length - a.length)
    .map(match => withoutRest(continuationAt(match.text, match.at), hole))
    .find(continuation => isNews(continuation, hole))
}

function matchesOf(hole: Hole): Match[] {
  const shortest = shortestTail(hole.before)
  if (shortest === undefined) return []
  // Nearer text first: sorting keeps this order among matches of the same length.
  return [hole.before, hole.after, ...hole.others].flatMap(text =>
    placesOf(shortest, text)
      .filter(at => text !== hole.before || at < text.length)
      .map(at => ({ text, at, length: commonTail(hole.before, text.slice(0, at)) }))
      .filter(match => isWholeWords(hole.before, match.length)),
  )
}

/** The shortest end of the text before the cursor with three characters that are not blank. */
function shortestTail(before: string): string | undefined {
  return /(?:\S\s*){3}$/.exec(before.slice(-lookBackChars))?.[0]
}

function placesOf(tail: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1)) places.push(at + tail.length)
  return places.reverse()
}

function commonTail(a: string, b: string): number {
  const most = Math.min(a.length, b.length, lookBackChars)
  let length = 0
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1
  return length
}

/** A match that begins inside a word is worth nothing: "tion" is in every file. */
function isWholeWords(before: string, length: number): boolean {
  const tail = before.slice(-length)
  const atWord = /^\w/.test(tail) && /\w$/.test(before.slice(0, -length)) ? tail.replace(/^\w+/, '') : tail
  return atWord.replace(/\s/g, '').length >= 3
}

function continuationAt(text: string, at: number): string {
  const [rest = '', ...following] = text.slice(at).split('\n')
  const isLineDone = rest.trim() === ''
  const opener = isLineDone ? (text.slice(0, at).split('\n').at(-1) ?? '') : rest
  const count = opensBlock(opener) ? blockLines - (isLineDone ? 0 : 1) : Number(isLineDone)
  return [rest.trimEnd(), ...following.slice(0, count)].join('\n').trimEnd()
}

/** What ends the line already, such as a bracket that the editor has closed, is not written again. */
function withoutRest(continuation: string, { after }: Hole): string {
  const rest = after.split('\n')[0]?.trim() ?? ''
  return rest !== '' && continuation.endsWith(rest) ? continuation.slice(0, -rest.length) : continuation
}

const opensBlock = (line: string) => /(?:[{([:]|=>|\bthen|\bdo)\s*$/.test(line)

/** Not what is there already, right after the cursor or right before it. */
function isNews(continuation: string, hole: Hole): boolean {
  const text = continuation.trim()
  if (text === '') return false
  return !hole.after.trimStart().startsWith(text) && !hole.before.trimEnd().endsWith(text)
}
