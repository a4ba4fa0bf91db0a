// What is a command of a code block, what the user sees of it before it runs, and what is written to the terminal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf, hasHiddenCharacters, shownCommand, typedInto } from '../../../src/editor/edit/commandText.ts'

test('[T56] every character is visible: spaces that could hide something, tabs, and what is far to the right', () => {
  assert.equal(shownCommand('ls -la'), 'ls -la')
  assert.equal(shownCommand('ls\t-la  x '), 'ls⇥-la··x·')
  const padded = `ls${' '.repeat(1_500)}; rm -rf x`
  assert.equal(shownCommand(padded), `ls${'·'.repeat(1_500)}; rm -rf x`)
  assert.equal(shownCommand(`ls${' '.repeat(3_000)}; rm -rf x`), undefined, 'too long to be read in a question')
  assert.equal(shownCommand('x\n'.repeat(30)), undefined)
})

test('[T36] [T37] a command with characters that a terminal hides or obeys is refused', () => {
  for (const text of ['a\u001b[8mb', 'a\rb', 'a\u202eb', 'a\u200bb', 'a\u{e0041}b', 'a\u0007', 'a\ufe0f', '⟦U+001B⟧'])
    assert.ok(hasHiddenCharacters(text), JSON.stringify(text))
  for (const text of ['ls\n\tx', 'echo "Grüße 日本 👋"']) assert.ok(!hasHiddenCharacters(text), text)
})

test('of a session the commands are run, without prompts and without what they have printed', () => {
  assert.equal(commandOf('npm ci\r\nnpm test\n'), 'npm ci\nnpm test')
  assert.equal(commandOf('$ npm ci\nadded 12 packages\n> parcel@1.0.0 test\n$ npm test\n'), 'npm ci\nnpm test')
  assert.equal(commandOf('$ docker run \\\n>   --rm \\\n    alpine\nhello'), 'docker run \\\n  --rm \\\n    alpine')
  assert.equal(commandOf('ada@desk:~/parcel$ ls\nREADME.md'), 'ls')
  assert.equal(commandOf('[ada@desk parcel]$ ls'), 'ls')
  assert.equal(commandOf('PS C:\\parcel> dir\n'), 'dir')
  assert.equal(commandOf('C:\\parcel>dir'), 'C:\\parcel>dir', 'no prompt has no space behind it')
  assert.equal(commandOf('# first\necho $ HOME'), '# first\necho $ HOME')
  assert.equal(commandOf('for x in a b; do\n\techo $x\ndone'), 'for x in a b; do\n\techo $x\ndone')
})

test('several lines are one command for every shell', () => {
  const typed = (shell?: string) => typedInto(shell, 'cd a\n\tls')
  assert.equal(typedInto('bash', 'ls'), 'ls')
  for (const shell of ['bash', 'zsh', 'fish']) assert.equal(typed(shell), '\u001b[200~cd a\n\tls\u001b[201~')
  for (const shell of ['sh', undefined]) assert.equal(typed(shell), '{\ncd a\n    ls\n}')
  assert.equal(typed('pwsh'), '. {\ncd a\n    ls\n}')
  assert.equal(typed('cmd'), '(\ncd a\n    ls\n)')
})
