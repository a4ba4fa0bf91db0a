// Which shell reads the commands, and how it is started, on each system.
import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import { commandShell } from '../../../src/node/commands/commandShell.ts'

const all = () => true

test('[A50] the user’s shell if it is bash or zsh, and otherwise sh', () => {
  const pathOf = (SHELL: string, mayRun = all) => commandShell({ SHELL }, 'linux', mayRun).path
  assert.equal(pathOf('/usr/local/bin/bash'), '/usr/local/bin/bash')
  assert.equal(pathOf('/bin/zsh'), '/bin/zsh')
  assert.equal(pathOf('/usr/bin/fish'), '/bin/sh')
  assert.equal(pathOf('bash'), '/bin/sh')
  assert.equal(
    pathOf('/gone/bash', () => false),
    '/bin/sh',
  )
  assert.deepEqual(commandShell({ SHELL: '/bin/bash' }, 'linux', all).args('a b'), ['-c', 'a b'])
})

test('PowerShell 7 on Windows, and otherwise Windows PowerShell, with UTF-8 and the exit code of the last program', () => {
  const environment = { ProgramFiles: 'C:\\Program Files', SystemRoot: 'C:\\Windows' }
  const modern = commandShell(environment, 'win32', all)
  assert.deepEqual([modern.name, modern.path], ['PowerShell 7', 'C:\\Program Files\\PowerShell\\7\\pwsh.exe'])
  const old = commandShell(environment, 'win32', path => !path.includes('pwsh'))
  assert.deepEqual(
    [old.name, old.path],
    ['Windows PowerShell', 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
  )
  const script = Buffer.from(old.args('dir "ä b"').at(-1) ?? '', 'base64').toString('utf16le')
  assert.match(script, /UTF8Encoding.*\ndir "ä b"\n.*exit \$LASTEXITCODE/s)
})
