// The email of git's global configuration.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { globalGitEmail } from '../../../src/core/auth/gitEmail.ts'

function hasGit(): boolean {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function withGitConfig(content: string | undefined, path = process.env['PATH']): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-git-'))
  const file = join(folder, 'config')
  if (content !== undefined) writeFileSync(file, content)
  const before = { ...process.env }
  Object.assign(process.env, { GIT_CONFIG_GLOBAL: file, PATH: path })
  try {
    return await globalGitEmail()
  } finally {
    process.env = before
    rmSync(folder, { recursive: true })
  }
}

test('is read from the global configuration', { skip: !hasGit() }, async () => {
  assert.equal(await withGitConfig('[user]\n\temail = ada@example.com\n'), 'ada@example.com')
})

test('is empty where there is none, or no git', async () => {
  assert.equal(await withGitConfig('[user]\n\tname = Ada\n'), '')
  assert.equal(await withGitConfig(undefined), '')
  assert.equal(await withGitConfig('[user]\n\temail = ada@example.com\n', '/nowhere'), '')
})
