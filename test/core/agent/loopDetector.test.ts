// What counts as a repetition of calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LoopDetector, type Repetition } from '../../../src/core/agent/loopDetector.ts'

/** Each letter is a call with a result of its own; what the detector returns for the last of them. */
function after(letters: string, revisionOf: (at: number) => number = () => 0): Repetition {
  const detector = new LoopDetector()
  let last: Repetition = { is: 'none' }
  for (const [at, letter] of [...letters].entries()) {
    const result = { outcome: 'ok', content: [{ kind: 'text', text: letter.toUpperCase() }] } as const
    last = detector.add({ name: letter, input: {}, result, revision: revisionOf(at) })
  }
  return last
}

test('one call: a note from the third time on, a pause from the fifth', () => {
  const results = ['a', 'aa', 'aaa', 'aaaa', 'aaaaa', 'baaa', 'aaab'].map(letters => after(letters).is)
  assert.deepEqual(results, ['none', 'none', 'note', 'note', 'pause', 'note', 'none'])
})

test('[A08] a cycle of two to four calls counts by its rounds', () => {
  for (const cycle of ['ab', 'abc', 'abcd']) {
    assert.equal(after(cycle.repeat(2)).is, 'none')
    assert.deepEqual(after(cycle.repeat(3)), { is: 'note', rounds: 3, calls: cycle.length })
    assert.deepEqual(after(cycle.repeat(5)), { is: 'pause', rounds: 5, calls: cycle.length })
  }
  assert.equal(after('abcde'.repeat(5)).is, 'none', 'a longer one may be work')
})

test('the same call with another result, or after a write, is no repetition', () => {
  assert.equal(after('aaaaaaaa', at => at).is, 'none')
  const detector = new LoopDetector()
  for (let count = 0; count < 8; count++) {
    const result = { outcome: 'ok', content: [{ kind: 'text', text: String(count) }] } as const
    assert.equal(detector.add({ name: 'poll', input: {}, result, revision: 0 }).is, 'none')
  }
})

test('calls that never come twice are no repetition, in any order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { maxLength: 40 }), results => {
      const detector = new LoopDetector()
      for (const number of results) {
        const result = { outcome: 'ok', content: [{ kind: 'text', text: String(number) }] } as const
        assert.equal(detector.add({ name: 'f', input: {}, result, revision: 0 }).is, 'none')
      }
    }),
  )
})
