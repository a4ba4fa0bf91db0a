// Where an edit may have to be followed by another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likelyPlace } from '../../../src/core/nextEdit/likelyPlace.ts'

const filler = (count: number) => Array.from({ length: count }, (_, at) => `// ${at}`)
const text = (...lines: string[]) => lines.join('\n')

const cases: [string, string, string, number | undefined][] = [
  ['callers of what has other parameters', 'function add(a) {}', 'function add(a, b) {}', 40],
  ['a name that is gone', 'const sum = read()', 'const total = read()', 41],
  ['a line like two that were changed', "set('x', 1)\nset('y', 1)", "put('x', 1)\nput('y', 1)", 43],
  ['a changed number', 'const x = 1', 'const x = 2', undefined],
  ['a changed call', 'add(3)', 'add(4)', undefined],
  ['another name that is used', 'log(sum)', 'log(rest)', undefined],
  ['a single line that was changed', "set('x', 1)", "put('x', 1)", undefined],
]
const others = ['add(1)', 'log(sum)', "set('y', 2)"]

for (const [name, before, after, line] of cases) {
  test(`${name}`, () => {
    const tail = [...filler(39), ...others, ...filler(40)]
    const place = likelyPlace(text(before, ...tail), text(after, ...tail), [])
    if (line === undefined) return assert.equal(place, undefined)
    assert.ok(place && line >= place.first && line < place.end && place.end - place.first === 24)
  })
}

test('a new problem, and below the edit before above it', () => {
  const lines = [...filler(30), 'let a = 1', ...filler(30)]
  const changed = lines.with(30, 'let a = 2')
  const place = likelyPlace(text(...lines), text(...changed), [2, 55])
  assert.deepEqual(place, { first: 37, end: 61 })
  assert.deepEqual(likelyPlace(text(...lines), text(...changed), [2, 30]), { first: 0, end: 24 })
  assert.equal(likelyPlace(text(...lines), text(...lines), [2]), undefined)
})
