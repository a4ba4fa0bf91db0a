// The laws of text edits, for any text, any edit and any concurrent edit.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Replacement } from '../../../src/core/workspace/replacement.ts'
import { type Side, TextEdit } from '../../../src/core/workspace/textEdit.ts'

/** Few different pieces, so that edits meet, repeat each other and touch pairs. */
const fragment = fc.constantFrom('a', 'b', 'ab', ' ', '\n', '\r\n', '😀', '😁', '🤀', 'é')
const wellFormed = fc.array(fragment, { maxLength: 12 }).map(fragments => fragments.join(''))
/** Halves of pairs may stand anywhere. */
const anyUnits = fc
  .array(fc.constantFrom('a', '\r', '\n', '\ud83d', '\ude00', '\ude01'), { maxLength: 12 })
  .map(units => units.join(''))

function replacementsOf(text: string, cuts: readonly number[], inserted: readonly string[]): Replacement[] {
  const offsets = cuts.map(cut => cut % (text.length + 1)).sort((a, b) => a - b)
  const pairs = offsets.slice(0, offsets.length - (offsets.length % 2))
  return pairs.flatMap((start, at) =>
    at % 2 === 0 ? [{ start, end: pairs[at + 1] ?? start, text: inserted[at / 2] ?? '' }] : [],
  )
}

function editOf(text: string, insertion = wellFormed): fc.Arbitrary<TextEdit> {
  return fc
    .tuple(fc.array(fc.nat(), { maxLength: 8 }), fc.array(insertion, { minLength: 4, maxLength: 4 }))
    .map(([cuts, inserted]) => TextEdit.of(text, replacementsOf(text, cuts, inserted)))
}

const textAndEdit = wellFormed.chain(text => fc.tuple(fc.constant(text), editOf(text)))
const textAndTwo = wellFormed.chain(text => fc.tuple(fc.constant(text), editOf(text), editOf(text)))
const chain = textAndEdit.chain(([text, first]) =>
  editOf(first.apply(text)).chain(second =>
    fc.tuple(fc.constant(text), fc.constant(first), fc.constant(second), editOf(second.apply(first.apply(text)))),
  ),
)

const isPair = (text: string, at: number) =>
  /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(at - 1, at + 1))

/** Where the replacements begin and end, in the text before and in the text after. */
function boundaries(edit: TextEdit): { readonly before: number[]; readonly after: number[] } {
  let shift = 0
  const before: number[] = []
  const after: number[] = []
  for (const { start, end, text } of edit.replacements) {
    before.push(start, end)
    after.push(start + shift, start + shift + text.length)
    shift += text.length - (end - start)
  }
  return { before, after }
}

function assertSplitsNoPair(edit: TextEdit, text: string): void {
  const { before, after } = boundaries(edit)
  const changed = edit.apply(text)
  assert.deepEqual(
    before.filter(at => isPair(text, at)),
    [],
  )
  assert.deepEqual(
    after.filter(at => isPair(changed, at)),
    [],
  )
}

const opposite: Record<Side, Side> = { before: 'after', after: 'before' }

function rebased(edit: TextEdit, over: TextEdit, side: Side): TextEdit | undefined {
  const answer = edit.rebase(over, side)
  return answer.kind === 'rebased' ? answer.edit : undefined
}

describe('making an edit', () => {
  test('it has the effect of its replacements, whatever halves of pairs they cut', () => {
    const input = fc.tuple(anyUnits, fc.array(fc.nat(), { maxLength: 8 }), fc.array(anyUnits, { minLength: 4 }))
    fc.assert(
      fc.property(input, ([text, cuts, inserted]) => {
        const replacements = replacementsOf(text, cuts, inserted)
        let expected = text
        for (const { start, end, text: put } of replacements.toReversed()) {
          expected = expected.slice(0, start) + put + expected.slice(end)
        }
        const edit = TextEdit.of(text, replacements)
        assert.equal(edit.apply(text), expected)
        assert.equal(edit.lengthAfter, expected.length)
        assertSplitsNoPair(edit, text)
      }),
      { numRuns: 2_000 },
    )
  })

  const made: readonly [what: string, text: string, given: Replacement[], kept: Replacement[]][] = [
    ['an insertion', 'ac', [{ start: 1, end: 1, text: 'b' }], [{ start: 1, end: 1, text: 'b' }]],
    [
      'a whole line replaced by a longer one becomes what was put in',
      'const a = ',
      [{ start: 0, end: 10, text: 'const a = sum(b)' }],
      [{ start: 10, end: 10, text: 'sum(b)' }],
    ],
    ['equal text is no replacement', 'abc', [{ start: 0, end: 3, text: 'abc' }], []],
    ['an empty replacement is none', 'abc', [{ start: 1, end: 1, text: '' }], []],
    [
      'touching replacements are one',
      'abcd',
      [
        { start: 0, end: 2, text: 'x' },
        { start: 2, end: 3, text: 'y' },
      ],
      [{ start: 0, end: 3, text: 'xy' }],
    ],
    [
      'one emoji for another is replaced whole, although the first halves are equal',
      'a😀b',
      [{ start: 1, end: 3, text: '😁' }],
      [{ start: 1, end: 3, text: '😁' }],
    ],
    ['a line end is replaced whole', 'a\r\nb', [{ start: 1, end: 2, text: '' }], [{ start: 1, end: 3, text: '\n' }]],
    [
      'text between the halves of a pair takes both in',
      '😀',
      [{ start: 1, end: 1, text: 'x' }],
      [{ start: 0, end: 2, text: '\ud83dx\ude00' }],
    ],
  ]
  for (const [what, text, given, kept] of made) {
    test(what, () => assert.deepEqual(TextEdit.of(text, given).replacements, kept))
  }

  test('what overlaps, is out of order or outside the text is refused', () => {
    const one = { start: 0, end: 2, text: '' }
    for (const wrong of [
      [one, { start: 1, end: 3, text: '' }],
      [{ start: 3, end: 3, text: 'x' }, one],
      [{ start: 0, end: 5, text: '' }],
      [{ start: -1, end: 0, text: '' }],
      [{ start: 2, end: 1, text: '' }],
      [{ start: Number.NaN, end: 1, text: '' }],
    ]) {
      assert.throws(() => TextEdit.of('abcd', wrong), RangeError)
    }
  })

  test('an edit refuses a text of another length, and an edit of another text', () => {
    const edit = TextEdit.of('abc', [{ start: 0, end: 1, text: '' }])
    assert.throws(() => edit.apply('abcd'), RangeError)
    assert.throws(() => edit.invert('ab'), RangeError)
    assert.throws(() => edit.compose(edit), RangeError)
    assert.throws(() => edit.rebase(TextEdit.of('ab', []), 'before'), RangeError)
    assert.throws(() => edit.hasSameEffect(edit, 'ab'), RangeError)
  })
})

describe('laws', () => {
  test('a composed edit does what the two do one after the other, and splits no pair', () => {
    fc.assert(
      fc.property(chain, ([text, first, second]) => {
        const both = first.compose(second)
        assert.equal(both.apply(text), second.apply(first.apply(text)))
        assertSplitsNoPair(both, text)
      }),
      { numRuns: 2_000 },
    )
  })

  test('composing three in either grouping has one effect', () => {
    fc.assert(
      fc.property(chain, ([text, first, second, third]) => {
        const left = first.compose(second).compose(third)
        const right = first.compose(second.compose(third))
        assert.equal(left.apply(text), right.apply(text))
        assert.ok(left.hasSameEffect(right, text))
      }),
      { numRuns: 1_000 },
    )
  })

  test('an inverted edit undoes, and inverted twice it is the edit again', () => {
    fc.assert(
      fc.property(textAndEdit, ([text, edit]) => {
        const changed = edit.apply(text)
        const inverse = edit.invert(text)
        assert.equal(inverse.apply(changed), text)
        assert.deepEqual(inverse.invert(changed), edit)
        assertSplitsNoPair(inverse, changed)
      }),
      { numRuns: 1_000 },
    )
  })

  test('two edits of one text come to the same text in either order, or both orders say conflict', () => {
    const seen = { rebased: 0, conflict: 0 }
    fc.assert(
      fc.property(textAndTwo, fc.constantFrom<Side>('before', 'after'), ([text, mine, theirs], side) => {
        const mineLater = rebased(mine, theirs, side)
        const theirsLater = rebased(theirs, mine, opposite[side])
        assert.equal(mineLater === undefined, theirsLater === undefined)
        seen[mineLater ? 'rebased' : 'conflict']++
        if (!mineLater || !theirsLater) return
        assert.equal(mineLater.apply(theirs.apply(text)), theirsLater.apply(mine.apply(text)))
        assertSplitsNoPair(mineLater, theirs.apply(text))
      }),
      { numRuns: 3_000 },
    )
    assert.ok(seen.rebased > 300 && seen.conflict > 300, JSON.stringify(seen))
  })

  test('an edit rebased over nothing is itself, and over itself it makes only its insertions again', () => {
    fc.assert(
      fc.property(textAndEdit, ([text, edit]) => {
        assert.deepEqual(rebased(edit, TextEdit.of(text, []), 'before'), edit)
        const again = rebased(edit, edit, 'after')
        const insertions = edit.replacements.filter(({ start, end }) => start === end).map(one => one.text)
        assert.deepEqual(
          again?.replacements.map(one => one.text),
          insertions,
        )
      }),
    )
  })

  test('two edits have the same effect exactly if they make the same text', () => {
    fc.assert(
      fc.property(textAndTwo, ([text, one, other]) => {
        assert.equal(one.hasSameEffect(other, text), one.apply(text) === other.apply(text))
      }),
      { numRuns: 1_000 },
    )
    const twice = TextEdit.of('aa', [{ start: 0, end: 0, text: 'a' }])
    assert.ok(twice.hasSameEffect(TextEdit.of('aa', [{ start: 2, end: 2, text: 'a' }]), 'aa'))
    assert.ok(TextEdit.of('a', []).hasSameEffect(TextEdit.of('a', []), 'a'))
  })
})

describe('concurrent edits', () => {
  const over = (mine: Replacement, theirs: Replacement, side: Side = 'after') => {
    const text = '0123456789'
    const answer = TextEdit.of(text, [mine]).rebase(TextEdit.of(text, [theirs]), side)
    return answer.kind === 'conflict' ? [answer.mine, answer.theirs] : answer.edit.replacements
  }
  const insertAt = (at: number, text: string): Replacement => ({ start: at, end: at, text })

  test('two insertions at one offset go in the order of the sides', () => {
    assert.deepEqual(over(insertAt(3, 'me'), insertAt(3, 'you'), 'before'), [insertAt(3, 'me')])
    assert.deepEqual(over(insertAt(3, 'me'), insertAt(3, 'you'), 'after'), [insertAt(6, 'me')])
  })

  test('an insertion at an end of what the other replaces stays outside', () => {
    const theirs = { start: 3, end: 6, text: '' }
    assert.deepEqual(over(insertAt(3, 'me'), theirs), [insertAt(3, 'me')])
    assert.deepEqual(over(insertAt(6, 'me'), theirs), [insertAt(3, 'me')])
  })

  test('an insertion into what the other replaces, and replacements that overlap, are conflicts that name both', () => {
    const theirs = { start: 3, end: 6, text: 'x' }
    for (const mine of [insertAt(4, 'me'), { start: 5, end: 8, text: '' }, { start: 0, end: 10, text: '' }]) {
      assert.deepEqual(over(mine, theirs), [mine, theirs])
    }
  })

  test('what both replace by the same is done once', () => {
    const both = { start: 3, end: 6, text: 'x' }
    assert.deepEqual(over(both, both), [])
  })

  test('replacements that come to lie side by side are one', () => {
    const text = '0123456789'
    const mine = TextEdit.of(text, [
      { start: 0, end: 2, text: 'ab' },
      { start: 8, end: 10, text: 'cd' },
    ])
    const theirs = TextEdit.of(text, [{ start: 2, end: 8, text: '' }])
    assert.deepEqual(rebased(mine, theirs, 'after')?.replacements, [{ start: 0, end: 4, text: 'abcd' }])
  })

  test('texts that would make a line end of two halves are a conflict', () => {
    const mine = { start: 2, end: 4, text: 'a\r' }
    const theirs = { start: 4, end: 6, text: '\nb' }
    assert.deepEqual(over(mine, theirs), [mine, theirs])
    assert.deepEqual(over(theirs, mine), [theirs, mine])
    const both = insertAt(5, '\na\r')
    assert.deepEqual(over(both, both), [both, both])
  })
})

describe('carrying', () => {
  const edit = TextEdit.of('0123456789', [
    { start: 2, end: 2, text: 'ab' },
    { start: 5, end: 8, text: 'x' },
  ])
  const carried: readonly [offset: number, before: number, after: number][] = [
    [0, 0, 0],
    [2, 2, 4],
    [3, 5, 5],
    [5, 7, 7],
    [6, 7, 8],
    [8, 8, 8],
    [10, 10, 10],
  ]
  for (const [offset, before, after] of carried) {
    test(`offset ${offset} comes to ${before}, or to ${after} behind what is put in`, () => {
      assert.equal(edit.mapOffset(offset, 'before'), before)
      assert.equal(edit.mapOffset(offset, 'after'), after)
    })
  }

  const ranges: readonly [start: number, end: number, to: readonly [number, number], isChanged: boolean][] = [
    [0, 2, [0, 2], false],
    [2, 5, [4, 7], false],
    [1, 3, [1, 5], true],
    [4, 9, [6, 9], true],
    [6, 7, [8, 8], true],
    [2, 2, [4, 4], false],
    [8, 10, [8, 10], false],
  ]
  for (const [start, end, [from, to], isChanged] of ranges) {
    test(`range ${start} to ${end} comes to ${from} to ${to}${isChanged ? ', changed' : ''}`, () => {
      assert.deepEqual(edit.mapRange({ start, end }), { start: from, end: to, isChanged })
    })
  }

  test('an offset carried over a composed edit keeps its side, and an unchanged range its text', () => {
    fc.assert(
      fc.property(textAndEdit, fc.nat(), fc.nat(), ([text, edit], a, b) => {
        const [one, other] = [a % (text.length + 1), b % (text.length + 1)]
        const [start, end] = [Math.min(one, other), Math.max(one, other)]
        const changed = edit.apply(text)
        const moved = edit.mapRange({ start, end })
        assert.ok(moved.start >= 0 && moved.start <= moved.end && moved.end <= changed.length)
        if (!moved.isChanged) assert.equal(changed.slice(moved.start, moved.end), text.slice(start, end))
        assert.ok(edit.mapOffset(start, 'before') <= edit.mapOffset(start, 'after'))
        assert.ok(edit.mapOffset(start, 'before') <= edit.mapOffset(end, 'before'))
      }),
      { numRuns: 1_000 },
    )
  })
})

test('a line of a megabyte with 50,000 replacements obeys the same laws', () => {
  const text = 'const 😀 = [1, 2];\t'.repeat(55_000)
  const every = (step: number, from: number, length: number, inserted: string) =>
    Array.from({ length: 50_000 }, (_, at) => ({
      start: from + at * step,
      end: from + at * step + length,
      text: inserted,
    }))
  const first = TextEdit.of(text, every(19, 0, 5, 'let'))
  const changed = first.apply(text)
  const second = TextEdit.of(changed, every(17, 4, 3, '🤀'))
  assert.equal(first.replacements.length, 50_000)
  const both = first.compose(second)
  assert.equal(both.apply(text), second.apply(changed))
  assert.equal(first.invert(text).apply(changed), text)
  const concurrent = TextEdit.of(text, every(19, 10, 4, '{}'))
  const [mine, theirs] = [rebased(first, concurrent, 'before'), rebased(concurrent, first, 'after')]
  assert.ok(mine && theirs)
  assert.equal(mine.apply(concurrent.apply(text)), theirs.apply(changed))
})
