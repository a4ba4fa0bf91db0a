// Which line ends the editor would change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasForeignLineEnds } from '../../../src/core/workspace/lineEnds.ts'

test('[A23] the editor keeps one kind of line end, and no line end that is a carriage return alone', () => {
  const kept = ['', 'a', 'a\nb\n', 'a\r\nb\r\n']
  const changed = ['a\r\nb\n', 'a\nb\r\n', 'a\nb\rc\n', 'a\rb', 'a\r\n\r', '\r\r\n']
  assert.deepEqual(kept.filter(hasForeignLineEnds), [])
  assert.deepEqual(changed.filter(hasForeignLineEnds), changed)
})
