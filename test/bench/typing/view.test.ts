// What counts as visible, correct and true.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewOf } from './view.ts'

/** The document with the cursor at `|`, and an item for the whole of its last line. */
function look(marked: string, line: string, truth: string) {
  const text = marked.replace('|', '')
  const cursor = marked.indexOf('|')
  const start = text.lastIndexOf('\n', cursor - 1) + 1
  return viewOf({ text: line, start, end: text.length, request: 'r' }, { text, cursor }, truth)
}

test('a line that becomes the file’s line is correct, closers of the editor included', () => {
  const { ghost, isCorrect, isTrue, trueLength } = look('a\nf(|)', 'f(b, c)', 'a\nf(b, c)  \nd')
  assert.deepEqual([ghost, isCorrect, isTrue, trueLength], ['b, c)', true, true, 5])
})

test('a line that is cut short is not correct, but what it shows is true', () => {
  const { isCorrect, isTrue, trueLength } = look('a\nf(|', 'f(b', 'a\nf(b, c)\nd')
  assert.deepEqual([isCorrect, isTrue, trueLength], [false, true, 1])
})

test('of several lines the first decides whether it is correct, and all whether it is true', () => {
  const { ghost, isCorrect, isTrue, trueLength } = look('if |', 'if (a) {\n  c', 'if (a) {\n  b\n}')
  assert.deepEqual([ghost, isCorrect, isTrue, trueLength], ['(a) {', true, false, 8])
})

test('nothing is correct behind a mistake', () => {
  const { isCorrect, trueLength } = look('fx|', 'fx(a)', 'f(a)')
  assert.deepEqual([isCorrect, trueLength], [false, 0])
})
