// Which brackets belong together, and how deep they are nested.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BracketPair, Brackets, bracketPairs } from '../../../src/core/colour/brackets.ts'

const curly = [
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
]

/** Each bracket with its level; `-` has none. */
function levels(text: string, pairs = bracketPairs({ brackets: curly }), isByKind = false, open: BracketPair[] = []) {
  const found = new Brackets(pairs, isByKind).find(text, 0, open)
  return found.map(({ start, end, level }) => `${text.slice(start, end)}${level ?? '-'}`).join(' ')
}

test('a pair has one level, which is how many are open around it', () => {
  assert.equal(levels('f([a], {b: (c)})'), '(0 [1 ]1 {1 (2 )2 }1 )0')
})

test('brackets stay open from one text to the next', () => {
  const open: BracketPair[] = []
  assert.equal(levels('{ (', undefined, false, open), '{0 (1')
  assert.equal(levels(') }', undefined, false, open), ')1 }0')
  assert.deepEqual(open, [])
})

test('what closes nothing has no level, and what was not closed ends with what is around it', () => {
  assert.equal(levels('} ( { [ ) ]'), '}- (0 {1 [2 )0 ]-')
})

test('on request, brackets of each kind have levels of their own', () => {
  assert.equal(levels('([(', undefined, true), '(0 [0 (1')
})

test('pairs that are not coloured count as brackets and not as levels', () => {
  const pairs = bracketPairs({ brackets: [...curly, [`$\{`, '}']], colorizedBracketPairs: curly })
  assert.equal(levels(`$\{ ( } {`, pairs), `$\{- (0 }- {0`)
})

test('without a list of its own, all pairs but angles are coloured', () => {
  const pairs = bracketPairs({ brackets: [...curly, ['<', '>']] })
  assert.equal(levels('<(>', pairs), '<- (0 >-')
  assert.equal(levels('(', bracketPairs({ brackets: curly, colorizedBracketPairs: [] })), '(-')
  assert.deepEqual(bracketPairs('no object'), [])
})

test('a word is a bracket only as a whole word, in capitals too', () => {
  const pairs = bracketPairs({ brackets: [['begin', 'end']] })
  assert.equal(levels('BEGIN beginning begin end ending End', pairs), 'BEGIN0 begin1 end1 End0')
})
