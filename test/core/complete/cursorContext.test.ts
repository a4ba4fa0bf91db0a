// Where the cursor is, and which brackets are ours to close.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cursorContextOf, isClosing } from '../../../src/core/complete/cursorContext.ts'
import { lex } from '../../../src/core/complete/lex.ts'
import { snapshotAt } from './snapshots.ts'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are the documents'
const places: readonly [document: string, inside: string, own: string, language?: string][] = [
  ['f(|', 'code', '('],
  ['f(|)', 'code', ''],
  ['f(g(|)', 'code', '('],
  ['if (|\n}', 'code', '('],
  ['{ if (|\n}', 'code', '('],
  ['f() { return [|] }', 'code', ''],
  ["f('|", "string '", '('],
  ["f('a'|", 'code', '('],
  ["f('a\\'|", "string '", '('],
  ["f('a\n|", 'code', '('],
  ['f("(" |', 'code', '('],
  ['f(`a|', 'string `', '('],
  ['f(`a\n|', 'string `', '('],
  ['f(`a${|', 'code', '(${'],
  ['f(`a${b}|', 'string `', '('],
  ['f(`a${|}`)', 'code', ''],
  ['f(`a${ { b: |', 'code', '(${{'],
  ['// f(|', 'comment', ''],
  ['// f(\n|', 'code', ''],
  ['/* f(\n|', 'comment', ''],
  ['/* f( */ g[|', 'code', '['],
  ['a = b / c // (|', 'comment', ''],
  ["a = /[(']/.test(|", 'code', '('],
  ['a = b / c / d(|', 'code', '('],
  ['return /\\//.test(|', 'code', '('],
  ['# f(|', 'comment', '', 'python'],
  ['"""f(\n|', 'string """', '', 'python'],
  ['"""f("""; g(|', 'code', '(', 'python'],
  ["let a: &'a str = f(|", 'code', '(', 'rust'],
  ["let a = '(' + f(|", 'code', '(', 'rust'],
  ["it's (|", 'code', '(', 'markdown'],
  ["-- it's (\nf(|", 'code', '(', 'lua'],
  ['<!-- f( --> (|', 'code', '(', 'html'],
  ['a: "b # c" # (|', 'comment', '', 'yaml'],
  ['f(] |', 'code', '('],
]

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are the documents'

describe('the place', () => {
  for (const [document, inside, own, language = 'typescript'] of places) {
    test(`${JSON.stringify(document)} in ${language}: ${inside}, ${own || 'nothing'} to close`, () => {
      const cursor = cursorContextOf(snapshotAt(document, { language }))
      const actual = cursor.inside.kind === 'string' ? `string ${cursor.inside.until}` : cursor.inside.kind
      assert.deepEqual([actual, cursor.unclosed.join('')], [inside, own])
    })
  }

  test('the lines around', () => {
    const cursor = cursorContextOf(snapshotAt('a\n\n  b\n  c|d\n\n   \n e\nf'))
    assert.deepEqual(
      [cursor.above, cursor.lineBefore, cursor.lineAfter, cursor.below],
      [['a', '', '  b'], '  c', 'd', ' e'],
    )
    const alone = cursorContextOf(snapshotAt('|'))
    assert.deepEqual([alone.above, alone.lineBefore, alone.lineAfter, alone.below], [[], '', '', undefined])
  })

  test('a very long text is read only near the cursor', () => {
    const cursor = cursorContextOf(snapshotAt(`${'f(a)\n'.repeat(180_000)}g(|`))
    assert.deepEqual(cursor.unclosed, ['('])
    lex('('.repeat(200_000), 'typescript')
  })
})

test('what only closes', () => {
  for (const rest of ['', ' ', ')', ');', '})', '"', "');", ') {', ',', ';', '>', '`)', '}, [])', ') => {'])
    assert.ok(isClosing(rest), rest)
  for (const rest of ['a', ' + b', ', b)', '(', 'f()', '.c()']) assert.ok(!isClosing(rest), rest)
})
