// The way from one occurrence to the next, also from a message that turns out to have none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnPlace, type Hit, numberOf, placeBeside, placeFrom } from '../../../src/webview/view/findHits.ts'

const hits: readonly Hit[] = [
  { index: 1, message: 'a', count: 2 },
  { index: 5, message: 'b', count: 1 },
]
const placed = (message: string, at: number) => ({ message, at })

test('after the last occurrence comes the first, and before the first the last', () => {
  const places = [placed('a', 0), placed('a', 1), placed('b', 0)]
  for (const [at, place] of places.entries()) {
    assert.equal(numberOf(hits, place), at + 1)
    assert.deepEqual(placeBeside(hits, place, 1), places[(at + 1) % 3])
    assert.deepEqual(placeBeside(hits, place, -1), places.at(at - 1))
  }
})

test('from a message without an occurrence it goes on in the same direction', () => {
  assert.deepEqual(placeFrom(hits, 3, 1), placed('b', 0))
  assert.deepEqual(placeFrom(hits, 3, -1), placed('a', 1))
  assert.deepEqual(placeFrom(hits, 6, 1), placed('a', 0))
  assert.deepEqual(placeFrom(hits, 0, -1), placed('b', 0))
  assert.equal(placeFrom([], 3), undefined)
})

test('an occurrence is counted among the drawn ones, or leads to the part that is folded', () => {
  const sections = [{ fold: 'thought', count: 2 }, { count: 3 }, { fold: 'call', count: 1 }, { count: 1 }]
  const places = (...unfolded: string[]) =>
    Array.from({ length: 7 }, (_, at) => Object.values(drawnPlace(sections, at, part => unfolded.includes(part)))[0])
  assert.deepEqual(places(), ['thought', 'thought', 0, 1, 2, 'call', 3])
  assert.deepEqual(places('call'), ['thought', 'thought', 0, 1, 2, 3, 4])
  assert.deepEqual(places('thought', 'call'), [0, 1, 2, 3, 4, 5, 6])
})
