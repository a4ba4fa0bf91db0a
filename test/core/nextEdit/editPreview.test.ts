// What is drawn of a change that is not made yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editPreview } from '../../../src/core/nextEdit/editPreview.ts'
import { plannedEdit } from '../../../src/core/nextEdit/plannedEdit.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import type { Replacement } from '../../../src/core/workspace/replacement.ts'

const text = 'one\n  two(2)\nthree\n'

function previewOf(...replacements: Replacement[]) {
  const document = new Documents().open({ uri: 'a', language: 'plain', version: 1, text, lineEnd: '\n' })
  const edit = plannedEdit(document, replacements)
  return edit && editPreview(document, edit)
}

test('a change within a line is drawn beside it, with what goes', () => {
  assert.deepEqual(previewOf({ start: 10, end: 11, text: '22' }), { line: 1, text: 'two(22)', more: 0, removed: [] })
  assert.deepEqual(previewOf({ start: 6, end: 9, text: 'four' }), {
    line: 1,
    text: 'four(2)',
    more: 0,
    removed: [{ start: 6, end: 9 }],
  })
})

test('new lines are drawn beside the line that they come before; the first one, and how many more', () => {
  assert.deepEqual(previewOf({ start: 0, end: 0, text: 'zero\n' }), { line: 0, text: 'zero', more: 0, removed: [] })
  assert.deepEqual(previewOf({ start: 4, end: 4, text: '\n  a()\n  b()\n' }), {
    line: 1,
    text: 'a()',
    more: 1,
    removed: [],
  })
})

test('lines that only go have no text', () => {
  const range = { start: 4, end: 13 }
  assert.deepEqual(previewOf({ ...range, text: '' }), { line: 1, text: '', more: 0, removed: [range] })
})

test('a change of nothing, one out of range and one that overlaps are none', () => {
  assert.equal(previewOf({ start: 0, end: 3, text: 'one' }), undefined)
  assert.equal(previewOf({ start: 0, end: 99, text: '' }), undefined)
  assert.equal(previewOf({ start: 0, end: 3, text: 'a' }, { start: 2, end: 4, text: 'b' }), undefined)
})

test('of a long line only what is near the change is drawn', () => {
  const line = `call(${'a, '.repeat(30)}b)`
  const document = new Documents().open({ uri: 'a', language: 'plain', version: 1, text: line, lineEnd: '\n' })
  const edit = plannedEdit(document, [{ start: line.length - 2, end: line.length - 1, text: 'c' }])
  assert.equal(edit && editPreview(document, edit).text, `…${'a, '.repeat(8)}c)`)
})
