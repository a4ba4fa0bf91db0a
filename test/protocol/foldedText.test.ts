// What a search reads of the parts of an answer that are folded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PartOf } from '../../src/protocol/conversation.ts'
import { callInput, foldedTexts } from '../../src/protocol/foldedText.ts'

const call: PartOf<'tool-call'> = {
  ...{ kind: 'tool-call', id: 'c', call: 'c1', name: 'edit_file', inputText: '{"path":"a.ts"', isWritten: false },
}

test('reasoning and the result of a call are read as they are shown', () => {
  assert.deepEqual(foldedTexts({ kind: 'reasoning', id: 'r', text: '\nFirst the file.\n' }), ['First the file.'])
  const content = ['one', 'two'].map(text => ({ kind: 'text' as const, text }))
  const ended = { ...call, input: {}, isWritten: true, result: { outcome: 'ok' as const, content } }
  assert.deepEqual(foldedTexts(ended), ['{}', 'one\ntwo'])
  assert.deepEqual(foldedTexts({ kind: 'text', id: 't', text: 'shown already' }), [])
})

test('the arguments of a call are read without the names of their members', () => {
  const input = { path: 'src/path.ts', 'a "b"': [{ old: 'path:\n  "path": 1', more: ['"path":'] }] }
  const written = { ...call, input, isWritten: true }
  const [read = ''] = foldedTexts(written)
  assert.deepEqual(read.match(/path/g)?.length, 4)
  for (const name of ['old', 'more', 'a "b']) assert.ok(!read.includes(name), name)
  assert.deepEqual(foldedTexts(call), ['{"path":"a.ts"'])
})

test('the arguments of a call are shown as people write them', () => {
  const shown = (input: unknown) => callInput({ ...call, input, isWritten: true })
  assert.equal(shown({ command: 'echo "a\\b"', seconds: 5 }), 'command: echo "a\\b"\nseconds: 5')
  const edits = [{ old: 'a\n\n  b\n', new: '' }]
  assert.equal(
    shown({ path: 'a.ts', edits }),
    ['path: a.ts', 'edits:', '  -', '    old:', '      a', '', '        b', '    new: '].join('\n'),
  )
  assert.equal(shown({ names: ['a', 'b'], none: [], nothing: null }), 'names:\n  - a\n  - b\nnone: []\nnothing: null')
  assert.deepEqual([shown({}), shown('a\nb'), shown(null)], ['{}', 'a\nb', 'null'])
})
