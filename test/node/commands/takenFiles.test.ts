// Protected files that cannot be moved away as they are.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { TakenFiles } from '../../../src/node/commands/takenFiles.ts'

const skip = process.getuid?.() === 0 ? 'an administrator has every right' : process.platform === 'win32'

test('[A65] a folder without the rights to move what is in it is no place to keep a repository', {
  skip,
}, async context => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-taken-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'x/.git')
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0)
  chmodSync(join(folder, 'x'), 0o500)
  assert.equal(await new TakenFiles(join(folder, 'taken')).take({ id: '1', path, name: 'x/.git' }), true)
  assert.equal(existsSync(path), false)
})
