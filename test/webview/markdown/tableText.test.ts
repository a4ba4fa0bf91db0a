// A table as text: nothing breaks its rows, and a spreadsheet runs nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableText } from '../../../src/webview/markdown/tableText.ts'

test('as Markdown', () => {
  assert.equal(
    tableText(
      [
        ['a', 'b|c'],
        ['1\n2', 'x\\'],
      ],
      'markdown',
    ),
    '| a | b\\|c |\n| --- | --- |\n| 1 2 | x\\\\ |',
  )
})

test('for a spreadsheet', () => {
  const rows = [['a\tb', '=1+1', '+1', '@x', '-1', '-5%', '-cmd']]
  assert.equal(tableText(rows, 'tsv'), "a b\t'=1+1\t'+1\t'@x\t-1\t-5%\t'-cmd")
})
