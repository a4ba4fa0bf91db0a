// What is lexed again from what is known is what is lexed from the start, whatever was changed in between.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atStart, type LexState, lex } from '../../../src/core/complete/lex.ts'
import { LexMemory } from '../../../src/core/complete/lexMemory.ts'
import { readSources } from '../../bench/typing/source.ts'
import { randomFrom } from '../../support/random.ts'

const CHANGES = 300
const typings = [
  '(',
  ')',
  '{',
  '}',
  '[',
  '"',
  "'",
  '`',
  '${',
  '/*',
  '*/',
  '#',
  '\n',
  'x',
  ' ',
  '\\',
  ';;\n  a)',
  '{\n}',
  '}\n',
]
const inside: readonly LexState[] = [
  atStart,
  { inside: { kind: 'code' }, open: ['${'] },
  { inside: { kind: 'string', until: '"' }, open: [] },
  { inside: { kind: 'comment', until: '*/' }, open: [] },
]

describe('what is known of a text', () => {
  for (const { path, language, text: source } of readSources()) {
    test(`stays right while ${path} is changed`, () => {
      const seed = Number(process.env['KOURIER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
      const random = randomFrom(seed)
      const below = (limit: number) => Math.floor(random() * limit)
      const lexed = new LexMemory()
      let text = source.repeat(Math.ceil(20_000 / source.length))
      let cursor = below(text.length)
      for (let change = 0; change < CHANGES; change++) {
        if (random() < 0.1) cursor = below(text.length + 1)
        const removed = random() < 0.3 ? below(Math.min(10, cursor + 1)) : 0
        const typed = typings[below(typings.length)] ?? ''
        const behind = random() < 0.2 ? (typings[below(typings.length)] ?? '') : ''
        text = text.slice(0, cursor - removed) + typed + behind + text.slice(cursor)
        cursor += typed.length - removed
        if (random() < 0.1) text = changedAt(text, below(text.length), typings[below(typings.length)] ?? '')
        const [prefix, suffix] = [text.slice(0, cursor), text.slice(cursor)]
        const before = { ...(inside[below(8)] ?? atStart), before: prefix.slice(-300) }
        const about = `KOURIER_SEED=${seed}, change ${change}`
        assert.deepEqual(lexed.stateBehind(prefix, language), lex(prefix, language).state, about)
        const { state, unmatched } = lex(suffix, language, before)
        const known = lexed.lexBehind(suffix, language, before)
        assert.deepEqual({ state: known.state, unmatched: known.unmatched }, { state, unmatched }, about)
      }
    })
  }
})

/** Of the same length, as where two places change at once. */
function changedAt(text: string, at: number, typing: string): string {
  return text.slice(0, at) + typing + text.slice(at + typing.length)
}
