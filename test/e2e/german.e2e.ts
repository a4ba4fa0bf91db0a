// In an editor whose display language is German: the manifest, the extension and the page speak German.
import assert from 'node:assert/strict'
import { chatFrame, hasCommand, runCommand, statusBarItem } from '../editor/workbench.ts'
import { test } from './fixtures.ts'

test.use({ editorNeeds: { displayLanguage: 'de' } })

test('commands, the status bar and the page are German', async ({ windows }) => {
  const page = await windows.open()
  await statusBarItem(page, /^Kourier: anmelden/).waitFor()
  assert.equal(await hasCommand(page, 'Kourier: API-Schlüssel verwenden'), true)
  await runCommand(page, 'Kourier: Chat öffnen')
  const chat = chatFrame(page)
  await chat.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
  assert.equal(await chat.locator('html').getAttribute('lang'), 'de')
})
