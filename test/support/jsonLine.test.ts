// A value is one line, whatever characters it contains.
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { jsonLine } from './jsonLine.ts'

test('readline reads each value as one line, even with separators of Unicode in it', async () => {
  const values = ['a\u2028b\u2029c', 'a\r\nb\u0085c', { 'a\u2028': ['\u2029'] }]
  const lines: string[] = []
  for await (const line of createInterface({ input: Readable.from(values.map(jsonLine)) })) lines.push(line)
  assert.deepEqual(
    lines.map(line => JSON.parse(line)),
    values,
  )
})
