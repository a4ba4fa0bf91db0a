// At each place in the files of the typing replay: a right answer in any dress is shown as a beginning of the truth, or not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Answer } from '../../../src/core/complete/answer.ts'
import { type Candidate, type CompletionContext, candidateOf } from '../../../src/core/complete/candidate.ts'
import { cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import { lex } from '../../../src/core/complete/lex.ts'
import { shapeOf } from '../../../src/core/complete/trigger.ts'
import { isWorthShowing, mergedLine } from '../../../src/core/complete/trim.ts'
import { closerFor } from '../../bench/typing/closingPairs.ts'
import { readSources, type Source } from '../../bench/typing/source.ts'
import { snapshotOf } from './snapshots.ts'

const ANSWER_LINES = 6

interface Place {
  readonly source: Source
  readonly offset: number
  /** What the editor has closed behind the cursor, on this line. */
  readonly closers: string
  /** The text from the place on, in the file. */
  readonly truth: string
}

type Dress = (truth: string, place: Place) => string

const lineBefore = ({ source, offset }: Place) => source.text.slice(0, offset).split('\n').at(-1) ?? ''
const linesAbove = ({ source, offset }: Place) => source.text.slice(0, offset).split('\n').slice(0, -1)
const asWhole = (text: string) => text.replace(/\s+$/, '')

const dresses: Readonly<Record<string, Dress>> = {
  'our tag': truth => `<insert>${truth}</insert>`,
  'a fence': (truth, { source }) => `\`\`\`${source.language}\n${truth}\n\`\`\``,
  talk: truth => `Here is the completed code:\n\n<insert>${truth}</insert>\nIt does what is asked.`,
  'the line repeated': (truth, place) => `<insert>${lineBefore(place)}${truth}</insert>`,
  'the block repeated': (truth, place) =>
    `<insert>${[...linesAbove(place).slice(-3), lineBefore(place)].join('\n')}${truth}</insert>`,
  'text from below': (truth, { source }) =>
    `<insert>${truth}\n${source.text.slice(source.end).trimStart().split('\n').slice(0, 4).join('\n')}</insert>`,
  'a line break behind the tag': truth => `<insert>\n${truth}\n</insert>`,
  'other tags': truth => `<COMPLETION>${truth}</COMPLETION>`,
  'a thought first': truth => `<think>It may be this.\n${truth}\n</think>\n<insert>${truth}</insert>`,
  'cut by the limit': truth => `<insert>${truth.slice(0, Math.ceil(truth.length * 0.7))}`,
}

function placesIn(source: Source): Place[] {
  const places: Place[] = []
  for (let offset = source.start; offset < source.end; offset++) {
    const lines = source.text.slice(offset, source.end).split('\n').slice(0, ANSWER_LINES)
    places.push({ source, offset, closers: closersAt(source, offset), truth: asWhole(lines.join('\n')) })
  }
  return places.filter(place => place.truth.trim() !== '' && !isInIndentation(place) && !isDoubled(place))
}

/** The editor indents a line at once, so nobody types there. */
function isInIndentation(place: Place): boolean {
  return lineBefore(place).trim() === '' && /^\s/.test(place.truth)
}

/** The word before the cursor follows once more, as in `SVGSVGElement`, which looks like a repeat. */
function isDoubled(place: Place): boolean {
  const word = /\w{2,}$/.exec(lineBefore(place))?.[0]
  return word !== undefined && place.truth.startsWith(word)
}

/** Some dresses cannot be known everywhere: talk is text in a comment, a line break may end a statement. */
function isWornAt(name: string, place: Place, { cursor }: CompletionContext): boolean {
  const isText = cursor.isProse || cursor.inside.kind !== 'code'
  if (name === 'the line repeated' && /^\W*\w?$/.test(cursor.lineBefore)) return false
  if (name === 'a fence') return !isText || /^(?!```).*\p{L}/u.test(cursor.lineBefore)
  if (name !== 'a line break behind the tag' || cursor.lineBefore.trim() === '') return true
  return !isText && /(?:[ =.+]|\w\.|[(=] ?)$/.test(cursor.lineBefore) && !/^\s|^[)\]}]/.test(place.truth)
}

/** The editor's closers for what was opened on this line before the offset and is closed behind it. */
function closersAt({ text, language }: Source, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  let closers = ''
  for (let at = lineStart; at < offset; at++) {
    const character = text[at] ?? ''
    if (closers.startsWith(character)) closers = closers.slice(1)
    else closers = closerFor(character, `${text.slice(0, at)}${closers}\n`, at, language) + closers
  }
  return closers
}

/** The file as it is while it is typed: below the cursor's line is what comes after the typed part. */
function contextOf({ source, offset, closers }: Place): CompletionContext {
  const { text, end, path, language, indent } = source
  const snapshot = snapshotOf(text.slice(0, offset) + closers + text.slice(end), offset, { path, language, indent })
  const cursor = cursorContextOf(snapshot)
  return {
    snapshot,
    cursor,
    shape: shapeOf(cursor, false),
    settings: { enabled: {}, delayMs: null, mode: 'eager', exclude: [] },
    isExplicit: false,
    selected: undefined,
    change: 'typed',
    model: 'a',
  }
}

/** What is shown after each chunk, as the completer reads them. */
function* shownOf(chunks: readonly string[], context: CompletionContext, isCut: boolean): Generator<Candidate> {
  const answer = new Answer(context.snapshot, context.cursor)
  let shown: Candidate | undefined
  const show = () => {
    const next = candidateOf(answer, context, shown?.end)
    shown = next && isWorthShowing(next.fit, context.cursor) ? next : undefined
    return shown ? [shown] : []
  }
  let isOver = false
  for (const chunk of chunks) {
    if (isOver) break
    isOver = answer.append(chunk)
    if (!isOver) yield* show()
  }
  const end = isCut ? 'length' : 'done'
  answer.end(isOver ? 'stopped' : end)
  yield* show()
}

/** The candidate's text is a beginning of the truth; behind it, only what the editor has closed and closers of a block. */
function isTrue({ fit }: Candidate, { truth, source, offset, closers }: Place): boolean {
  const whole = source.text.slice(offset, offset + truth.length + 400)
  const { insert, overwrittenChars } = fit
  if (whole.startsWith(insert)) return true
  if (overwrittenChars === 0 && closers === '') return false
  return whole.startsWith(insert.replace(/[\s)\]}>"'`,;]*$/, '')) && insert.length > 0
}

function balanceOf(text: string, language: string): number {
  const { state, unmatched } = lex(text, language, undefined, 'strict')
  const isString = state.inside.kind === 'string' ? 1 : 0
  return state.open.length + unmatched.length + isString
}

function divisionsOf(raw: string, seed: number): string[][] {
  const at = raw.length === 0 ? 0 : (seed * 31) % raw.length
  const lines = raw.split(/(?<=\n)/)
  return [[raw], lines, [raw.slice(0, at), raw.slice(at)]]
}

describe('a right answer is never spoilt', () => {
  for (const source of readSources()) {
    test(source.path, () => {
      const names = Object.keys(dresses)
      const faults: string[] = []
      let count = 0
      for (const [at, place] of placesIn(source).entries()) {
        const context = contextOf(place)
        for (const name of names) {
          if (!isWornAt(name, place, context)) continue
          const raw = dresses[name]?.(place.truth, place) ?? ''
          const isCut = name === 'cut by the limit'
          for (const shown of divisionsOf(raw, at).flatMap(chunks => [...shownOf(chunks, context, isCut)])) {
            count++
            const fault = faultOf(shown, place, context)
            if (fault) faults.push(`${name}: ${fault}`)
          }
        }
      }
      assert.ok(count > 0)
      assert.deepEqual(faults, [])
    })
  }
})

function faultOf(shown: Candidate, place: Place, { cursor }: CompletionContext): string | undefined {
  const merged = mergedLine(shown.fit, cursor)
  const where = `${JSON.stringify(cursor.lineBefore)}|${JSON.stringify(cursor.lineAfter)}`
  if (!isTrue(shown, place)) return `${where} became ${JSON.stringify(merged)}, not ${JSON.stringify(place.truth)}`
  const { source, offset } = place
  const lineStart = offset - cursor.lineBefore.length
  const head = source.text.slice(0, lineStart)
  const now = balanceOf(head + merged, source.language)
  const typed = source.text.slice(0, offset) + truthUpTo(shown, place)
  const least = Math.max(
    balanceOf(typed, source.language),
    balanceOf(head + cursor.lineBefore + cursor.lineAfter, source.language),
  )
  return now > least ? `${where} became ${JSON.stringify(merged)} with ${now} open, not ${least}` : undefined
}

/** As much of the truth as the candidate holds. */
function truthUpTo({ fit: { insert } }: Candidate, { truth }: Place): string {
  let same = 0
  while (same < insert.length && insert[same] === truth[same]) same++
  return truth.slice(0, same)
}
