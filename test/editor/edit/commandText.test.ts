// What the user sees of a command before it runs, and which commands are not asked about.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasHiddenCharacters, shownCommand } from '../../../src/editor/edit/commandText.ts'

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
