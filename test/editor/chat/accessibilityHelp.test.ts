// The help names every command of the manifest, with its keys, and the key that sends as it is set.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withFakeVscode } from '../../support/fakeVscode.ts'

const { accessibilityHelp } = await withFakeVscode(() => import('../../../src/editor/chat/accessibilityHelp.ts'))
const packageJson = JSON.parse(readFileSync('package.json', 'utf8'))

test('every command of the manifest is named, with all of its keys', () => {
  const lines = accessibilityHelp(packageJson, true).split('\n')
  const { commands, keybindings } = packageJson.contributes
  for (const { command, title } of commands) {
    const [line, ...others] = lines.filter(line => line === `- ${title}` || line.startsWith(`- ${title}: `))
    assert.deepEqual(others, [], title)
    for (const binding of keybindings.filter((one: { command: string }) => one.command === command))
      assert.ok(line?.toLowerCase().includes(binding.key), `${title} ${binding.key}`)
  }
  assert.ok(lines.includes('- %command.showAccessibleView%: Alt+F2 or Shift+Alt+F2'))
})

test('the key that sends is the one of the settings', () => {
  const [byEnter, byCtrlEnter] = [accessibilityHelp(packageJson, true), accessibilityHelp(packageJson, false)]
  assert.match(byEnter, /- Enter sends the message/)
  assert.match(byEnter, /, Enter sends it and Escape cancels/)
  assert.match(byCtrlEnter, /- Ctrl\+Enter sends the message/)
  assert.match(byCtrlEnter, /, Ctrl\+Enter sends it and Escape cancels/)
})
