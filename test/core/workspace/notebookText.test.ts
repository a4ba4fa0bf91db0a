// A notebook as text: only what is changed in the text is changed in the file, byte for byte.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NotebookText, shownText } from '../../../src/core/workspace/notebookText.ts'

const cells = [
  { cell_type: 'markdown', id: 'a1', metadata: {}, source: ['# Tides\n', '\n'] },
  {
    cell_type: 'code',
    execution_count: 3,
    id: 'b2',
    metadata: { tags: ['x'] },
    outputs: [
      { output_type: 'stream', name: 'stdout', text: ['\u001b[31mhigh\u001b[0m ] } "quoted"\n'] },
      { output_type: 'display_data', metadata: {}, data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': '<Figure>' } },
    ],
    source: ['import tides\n', 'print(tides.now())'],
  },
  { cell_type: 'code', execution_count: null, id: 'c3', metadata: {}, outputs: [], source: [] },
]
const notebook = { cells, metadata: { kernelspec: { name: 'python3' } }, nbformat: 4, nbformat_minor: 5 }
const indents = { 'as Jupyter writes it': ' ', 'indented by tabs': '\t', 'on one line': '' } as const
const onOneLine = JSON.stringify(notebook)

function opened(file: string): NotebookText {
  return NotebookText.of('tides.ipynb', file) ?? assert.fail('it is a notebook')
}

function changed(file: string, text: string): string {
  const change = opened(file).with(text)
  assert.equal(change.is, 'changed', JSON.stringify(change))
  return change.is === 'changed' ? change.file : ''
}

for (const [how, indent] of Object.entries(indents)) {
  const file = `${JSON.stringify(notebook, null, indent)}${indent === ' ' ? '\n' : ''}`
  describe(how, () => {
    test('each cell stands after the line that names it, and what is not changed gives the same bytes', () => {
      const { text } = opened(file)
      assert.equal(
        text,
        '%% cell 1 markdown id=a1\n# Tides\n\n%% cell 2 code id=b2\nimport tides\nprint(tides.now())\n%% cell 3 code id=c3\n',
      )
      assert.equal(changed(file, text), file)
    })

    test('only the source that is changed is another one', () => {
      const { text } = opened(file)
      const after = changed(file, text.replace('tides.now()', 'tides.now("Ærø")'))
      assert.equal(after, file.replace('print(tides.now())', 'print(tides.now(\\"Ærø\\"))'))
      const filled = changed(file, `${text}for tide in tides:\n    print(tide)\n`)
      const { cells: now, ...rest } = JSON.parse(filled) as typeof notebook
      assert.deepEqual(now[2]?.source, ['for tide in tides:\n', '    print(tide)'])
      assert.deepEqual({ ...rest, cells: now.slice(0, 2) }, { ...notebook, cells: cells.slice(0, 2) })
    })

    test('a cell is added and another one taken out; those that stay keep what they printed', () => {
      const { text } = opened(file)
      const from = text.indexOf('%% cell 1')
      const without = text
        .slice(text.indexOf('%% cell 2', from))
        .replace('%% cell 3', '%% cell markdown\nMore\n%% cell 3')
      const after = changed(file, without)
      const now = JSON.parse(after) as typeof notebook
      assert.deepEqual(now.cells[0], cells[1])
      assert.deepEqual(now.cells[2], cells[2])
      const { id, ...added } = now.cells[1] ?? assert.fail()
      assert.match(id, /^[0-9a-f]{8}$/)
      assert.deepEqual(added, { cell_type: 'markdown', metadata: {}, source: ['More'] })
      const { text: again } = opened(after)
      assert.equal(changed(after, again), after)
      assert.equal(JSON.stringify(now, null, indent), after.trimEnd())
    })
  })
}

test('cells that are moved, doubled, unknown or of another kind are refused', () => {
  const file = onOneLine
  const refused = (text: string) => {
    const change = opened(file).with(text)
    return change.is === 'refused' ? change.why : 'changed'
  }
  assert.match(refused('print(1)\n'), /the first line is none/)
  assert.match(refused('%% cell 9 code\n'), /there is no cell 9/)
  assert.match(refused('%% cell 1 code\n'), /cell 1 is a markdown cell/)
  assert.match(refused('%% cell 2 code\n%% cell 1 markdown\n'), /cell 1 stands twice or behind/)
  assert.match(refused('%% cell 2 code\n%% cell 2 code\n'), /cell 2 stands twice/)
})

test('what is no such notebook is a file like any other', () => {
  for (const file of [
    '',
    '{',
    '{"cells": 1}',
    '{"cells": [{"cell_type": "code"}]}',
    JSON.stringify({ cells: [{ cell_type: 'code', source: '%% cell 1 code' }] }),
  ])
    assert.equal(shownText('a.ipynb', file), file)
  assert.equal(shownText('a.json', onOneLine), onOneLine)
})

test('what the cells printed has no colours and no images', () => {
  assert.equal(opened(onOneLine).outputs(), 'Output of cell 2:\nhigh ] } "quoted"\n<Figure>\n(an image, image/png)')
})

test('a notebook with a source in one text keeps it so', () => {
  const file = JSON.stringify({ cells: [{ cell_type: 'raw', source: 'a\nb' }] }, null, 2)
  assert.equal(changed(file, '%% cell 1 raw\na\nc\n'), file.replace('a\\nb', 'a\\nc'))
})
