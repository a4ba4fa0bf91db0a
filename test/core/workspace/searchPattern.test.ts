// Patterns as a model writes them: what they find, line by line, and what of them can be looked for in bytes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { matchingLines } from '../../../src/core/workspace/matchingLines.ts'
import { readPattern } from '../../../src/core/workspace/searchPattern.ts'
import { patternOf } from '../../support/searchedFolder.ts'

function found(pattern: string, text: string, isLiteral = false): string[] {
  const { source, flags } = patternOf(pattern, isLiteral)
  const limits = { context: 0, mostLines: 1_000, mostCounted: 1_000 }
  return matchingLines(text, new RegExp(source, `g${flags}`), limits).lines.map(one => one.text)
}

describe('a pattern', () => {
  test('never goes beyond a line', () => {
    assert.deepEqual(found('a\\s*b', 'a\nb\na b'), ['a b'])
    assert.deepEqual(found('a[^x]*b', 'a\nb\na-b'), ['a-b'])
    assert.deepEqual(found('a\\W+b', 'a\nb\na -b'), ['a -b'])
    assert.deepEqual(found('a\\D+b', 'a\nb\na -b'), ['a -b'])
    assert.deepEqual(found('a[\\s,]+b', 'a,\nb\na, b'), ['a, b'])
    assert.deepEqual(found('a\\p{White_Space}?b', 'a\nb\na b'), ['a b'])
    assert.deepEqual(found('a\\P{L}+b', 'a\nb\na1b'), ['a1b'])
    assert.deepEqual(found('^$', 'a\n\nb\n'), [''])
    assert.deepEqual(found('[^\\n]+$', 'a\nb'), ['a', 'b'])
  })

  test('has several lines where it names a line end', () => {
    assert.deepEqual(found('a\\nb', 'a\nb\nc'), ['a', 'b'])
    assert.deepEqual(found('(?s)a.c', 'a\nc\nd'), ['a', 'c'])
    assert.deepEqual(found('a\nb', 'x a\r\nb\n', true), ['x a', 'b'])
  })

  test('is read as other engines read it', () => {
    assert.deepEqual(found('(?i)KEY', 'key\nkeys\nno'), ['key', 'keys'])
    assert.deepEqual(found('fn() {', 'fn() {'), [])
    assert.deepEqual(found('fn\\(\\) {', 'fn() {\n}'), ['fn() {'])
    assert.deepEqual(found('}', 'fn() {\n}'), ['}'])
    assert.deepEqual(found('\\"a\\-b\\"', '"a-b"'), ['"a-b"'])
    assert.deepEqual(found('[[:alpha:]_]+1', 'a_1\n-1'), ['a_1'])
    assert.deepEqual(found('[]x]', ']\nx\ny'), [']', 'x'])
    assert.deepEqual(found('(?P<n>a)b', 'ab'), ['ab'])
    assert.deepEqual(found('a]', 'a]'), ['a]'])
    assert.deepEqual(found('\\u{1f600}|ä{2}', '😀\nää'), ['😀', 'ää'])
  })

  test('that is wrong is refused with the place of the mistake', () => {
    const problems = ['(a', 'a)b', '[a', 'a**', '*', '\\p{Nope}', 'x\\', '(?<n', '']
    assert.deepEqual(
      problems.map(one => {
        const read = readPattern(one, false)
        return read.is === 'invalid' && `${one} ${read.at}: ${read.problem}`
      }),
      [
        '(a 2: unterminated group',
        "a)b 1: unmatched ')'",
        '[a 2: unterminated character class',
        'a** 2: nothing to repeat',
        '* 0: nothing to repeat',
        '\\p{Nope} 1: invalid property name',
        'x\\ 2: \\ at end of pattern',
        '(?<n 4: invalid capture group name',
        ' 0: it is empty',
      ],
    )
  })

  test('what each match of it contains', () => {
    const literals = (pattern: string) => patternOf(pattern).literals
    assert.deepEqual(literals('foo|barbaz'), ['foo', 'barbaz'])
    assert.deepEqual(literals('a(b|c)d+xyz'), ['xyz'])
    assert.deepEqual(literals('\\bimport\\s+x'), ['import'])
    assert.deepEqual(literals('foo(?=bar)baz'), ['foobaz'])
    assert.deepEqual(literals('(foo)?b'), ['b'])
    assert.deepEqual(literals('foo|'), [])
    assert.deepEqual(literals('\\d+'), [])
    assert.deepEqual(literals('(?:one|two)three'), ['three'])
    assert.deepEqual(literals('x{2,}yy*'), ['x'])
  })

  test('contains one of its literals in each match, whatever it is', () => {
    const atom = fc.constantFrom(
      'a',
      'bc',
      '.',
      '\\s',
      '\\w',
      '[^a]',
      '[bc]',
      '\\b',
      '^',
      '$',
      '(a|bc)',
      '(?:b)',
      '(?=c)',
      'ä',
    )
    const counted = fc.tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '+?')).map(parts => parts.join(''))
    const pattern = fc.array(fc.array(counted, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ä', ' ', '\n'), maxLength: 12 })
    fc.assert(
      fc.property(pattern, text, (parts, given) => {
        const read = readPattern(parts.map(one => one.join('')).join('|'), false)
        if (read.is === 'invalid') return
        const { source, flags, literals } = read.pattern
        const match = new RegExp(source, flags).exec(given)
        if (!match) return
        assert.ok(literals.length === 0 || literals.some(one => match[0].includes(one)), `${source} ${literals}`)
        assert.ok(!match[0].includes('\n'), source)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('matching lines', () => {
  const limits = { context: 0, mostLines: 10, mostCounted: 100 }

  test('are the lines that match by themselves', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\r'), maxLength: 5 })
    const patterns = ['a+b', '^b', 'a$', 'a\\s+b', '[^a]b', 'b*', '^$', '\\ba']
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom(...patterns), (lines, pattern) => {
        const { source, flags } = patternOf(pattern)
        const expression = new RegExp(source, `g${flags}`)
        const text = `${lines.join('\n')}\n`
        const alone = lines.flatMap((one, at) => (new RegExp(source, flags).test(one) ? [at + 1] : []))
        assert.deepEqual(
          matchingLines(text, expression, limits).lines.map(one => one.line),
          alone,
        )
      }),
      { numRuns: 2_000 },
    )
  })

  test('are counted beyond those that are returned', () => {
    const all = matchingLines('x\n'.repeat(50), /x/gu, limits)
    assert.equal(all.lines.length, 10)
    assert.equal(all.count, 50)
    assert.equal(matchingLines('x\n'.repeat(500), /x/gu, limits).count, 100)
  })

  test('with lines around them, each once', () => {
    const text = Array.from({ length: 9 }, (_, at) => (at === 2 || at === 4 ? 'x' : `l${at}`)).join('\n')
    const { lines } = matchingLines(text, /x/gu, { ...limits, context: 2 })
    assert.deepEqual(
      lines.map(({ line, isContext }) => (isContext ? -line : line)),
      [-1, -2, 3, -4, 5, -6, -7],
    )
    assert.deepEqual(matchingLines('x', /x/gu, { ...limits, context: 2 }).lines, [{ line: 1, text: 'x' }])
    assert.deepEqual(
      matchingLines('\nx\n', /x/gu, { ...limits, context: 1 }).lines.map(({ line }) => line),
      [1, 2],
    )
  })
})
