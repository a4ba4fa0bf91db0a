// The email of git's global configuration.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { globalGitEmail } from '../../../src/node/account/globalGitEmail.ts'
import { childEnvironment } from '../../../src/node/childEnvironment.ts'
import { changedEnvironment } from '../../support/changedEnvironment.ts'

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
  using _ = changedEnvironment({ GIT_CONFIG_GLOBAL: file, PATH: path })
  try {
    return await globalGitEmail()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('is read from the global configuration', { skip: !hasGit() }, async () => {
  assert.equal(await withGitConfig('[user]\n\temail = ada@example.com\n'), 'ada@example.com')
})

test('[T14] a program that we start does not see the key of the environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-bin-'))
  writeFileSync(join(folder, 'git'), `#!${process.execPath}\nprocess.stdout.write(JSON.stringify(process.env))`, {
    mode: 0o755,
  })
  using _ = changedEnvironment({ KOURIER_API_KEY: 'sk-bf-canary-of-the-environment', PATH: folder })
  try {
    const seen = await globalGitEmail()
    assert.match(seen, /"PATH"/, 'it was started, and told what it sees')
    assert.doesNotMatch(seen, /KOURIER_API_KEY|canary/)
    assert.equal(process.env['KOURIER_API_KEY'], 'sk-bf-canary-of-the-environment', 'nobody else loses it')
    assert.deepEqual(Object.keys(childEnvironment({ Kourier_Api_Key: 'x', PATH: 'y' })), ['PATH'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('is empty where there is none, or no git', async () => {
  assert.equal(await withGitConfig('[user]\n\tname = Ada\n'), '')
  assert.equal(await withGitConfig(undefined), '')
  assert.equal(await withGitConfig('[user]\n\temail = ada@example.com\n', '/nowhere'), '')
})
