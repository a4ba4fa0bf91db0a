// A file that is replaced is the old one or the new one, and a draft that came to nothing does not stay.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { writeWhole } from '../../../src/node/files/writeWhole.ts'

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-whole-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('makes the folder, keeps the file from other users, and replaces what was there', async t => {
  const folder = join(emptyFolder(t), 'not there yet')
  const file = join(folder, 'note.json')
  await writeWhole(systemClock, file, 'first')
  await writeWhole(systemClock, file, 'second')
  assert.equal(readFileSync(file, 'utf8'), 'second')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder), ['note.json'])
})

test('leaves what was there, and no draft, where it cannot be replaced', async t => {
  const folder = emptyFolder(t)
  const file = join(folder, 'note.json')
  mkdirSync(file) // a folder is in the place of the file
  await assert.rejects(writeWhole(systemClock, file, 'text'))
  assert.deepEqual(readdirSync(folder), ['note.json'])
  assert.ok(statSync(file).isDirectory())
})
