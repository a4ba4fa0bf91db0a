// What is shown of an answer while it comes, case by case: however it is divided, what was shown only grows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Answer } from '../../../src/core/complete/answer.ts'
import { type Candidate, type CompletionContext, candidateOf } from '../../../src/core/complete/candidate.ts'
import { cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import { type Shape, shapeOf } from '../../../src/core/complete/trigger.ts'
import { isWorthShowing, mergedLine } from '../../../src/core/complete/trim.ts'
import type { CleanerCase } from './cases/cleanerCase.ts'
import { closedPairCases } from './cases/closedPairCases.ts'
import { joinCases } from './cases/joinCases.ts'
import { textCases } from './cases/textCases.ts'
import { wrappingCases } from './cases/wrappingCases.ts'
import { snapshotAt } from './snapshots.ts'

const groups: Readonly<Record<string, readonly CleanerCase[]>> = {
  'between closed pairs': closedPairCases,
  'with something around the code': wrappingCases,
  'at the cursor': joinCases,
  'with unusual text': textCases,
}
const all = Object.values(groups).flat()
/** Of longer answers only some positions are tried. */
const MOST_POSITIONS = 400

type Ending = 'done' | 'length'

/** An answer as the completer reads it: nothing is read after the client has enough. */
class Reader {
  readonly #context: CompletionContext
  readonly #answer: Answer
  #isOver = false
  shown: Candidate | undefined

  constructor([, document, , , look]: CleanerCase, shape?: Shape) {
    const snapshot = snapshotAt(document, look)
    const cursor = cursorContextOf(snapshot)
    this.#answer = new Answer(snapshot, cursor)
    this.#context = {
      snapshot,
      cursor,
      shape: shape ?? shapeOf(cursor, false),
      settings: { enabled: {}, delayMs: null, mode: 'eager', exclude: [] },
      isExplicit: false,
      selected: undefined,
      change: 'typed',
      model: 'a',
    }
  }

  get line(): string {
    const { cursor } = this.#context
    return this.shown ? mergedLine(this.shown.fit, cursor) : cursor.lineBefore + cursor.lineAfter
  }

  read(text: string): void {
    if (this.#isOver) return
    if (this.#answer.append(text)) this.#end('stopped')
    else this.#show()
  }

  end(ending: Ending): void {
    if (!this.#isOver) this.#end(ending)
  }

  #end(ending: Ending | 'stopped'): void {
    this.#isOver = true
    this.#answer.end(ending)
    this.#show()
  }

  #show(): void {
    const { cursor } = this.#context
    const next = candidateOf(this.#answer, this.#context, this.shown?.end)
    const candidate = next && isWorthShowing(next.fit, cursor) ? next : undefined
    if (this.shown) assertGrown(this.shown.fit.insert, candidate?.fit.insert ?? '', cursor.lineAfter)
    this.shown = candidate
  }
}

/** Between closed pairs the closers that were shown behind the text may move on behind what came. */
function assertGrown(before: string, after: string, rest: string): void {
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  const moved = before.slice(same)
  const isGrown = rest.trim() === '' ? moved === '' : /^[\s)\]}>"'`,;:]*$/.test(moved) && after.length >= before.length
  assert.ok(isGrown, `${JSON.stringify(before)} became ${JSON.stringify(after)}`)
}

function positionsIn(text: string): number[] {
  const step = Math.ceil(text.length / MOST_POSITIONS)
  return Array.from({ length: Math.ceil(text.length / step) }, (_, at) => at * step)
}

function readWhole(one: CleanerCase, shape: Shape | undefined, chunks: readonly string[]): Reader {
  const reader = new Reader(one, shape)
  for (const chunk of chunks) reader.read(chunk)
  reader.end('done')
  return reader
}

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    for (const one of cases) {
      const [name, , raw, line, look] = one
      test(`${look?.language}: ${name}`, () => {
        assert.equal(readWhole(one, 'block', [raw]).line, line)
        assert.equal(readWhole(one, 'block', [...raw]).line, line)
        readWhole(one, undefined, [...raw])
        for (const at of positionsIn(raw)) {
          assert.equal(readWhole(one, 'block', [raw.slice(0, at), raw.slice(at)]).line, line, `divided at ${at}`)
          readWhole(one, undefined, [raw.slice(0, at), raw.slice(at)])
        }
      })

      test(`${look?.language}: ${name}: cut by the limit at any character`, () => {
        for (const at of positionsIn(raw)) {
          const reader = new Reader(one)
          for (const chunk of raw.slice(0, at)) reader.read(chunk)
          reader.end('length')
          const shown = reader.shown?.fit.insert ?? ''
          const bad = /<\/?inse?|<\/?think|<[|]\w*|\p{Cc}$/iu.exec(shown.replace(/[\t\n]/g, ''))
          assert.ok(!bad || line.includes(bad[0]), `${JSON.stringify(shown)} has a part of what is around the answer`)
        }
      })
    }
  })
}

test('the table has many cases in many languages', () => {
  const languages = new Set(all.map(([, , , , look]) => look?.language))
  assert.ok(all.length >= 250, `${all.length} cases`)
  assert.ok(closedPairCases.length >= 80, `${closedPairCases.length} cases with closed pairs`)
  assert.ok(languages.size >= 20, `${languages.size} languages`)
})
