// A person types, sees grey text, and takes it or not.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import {
  ghostText,
  goTo,
  openFile,
  pick,
  runCommand,
  savedText,
  statusBarItem,
  type,
  waitForGhostText,
} from '../editor/workbench.ts'
import type { EditorWindows } from './editorWindows.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

test.describe('inline completion', () => {
  async function open(windows: EditorWindows, path: string): Promise<Page> {
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    await openFile(page, path)
    return page
  }

  test('(g) shows grey text while typing, from the real demo model, and Tab takes it', async ({ editor, windows }) => {
    const page = await open(windows, 'reports/delays.py')
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    const ghost = await waitForGhostText(page)
    await page.keyboard.press('Tab')
    const text = await savedText(page, editor, 'reports/delays.py')
    assert.ok(text.includes(ghost.split('\n')[0] ?? ''), text)
  })

  test('asks nobody when signed out', async ({ service, windows, serviceHarness }) => {
    const page = await windows.open()
    await openFile(page, 'reports/delays.py')
    serviceHarness.clearLog()
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    // The editor asks once more, at once, and the answer has come before the next command can be chosen.
    await runCommand(page, 'Trigger Inline Suggestion')
    await runCommand(page, 'File: Save')
    assert.equal(await ghostText(page), '')
    assert.deepEqual(service.log.calls, [])
  })

  test('is silent after Toggle Completions', async ({ service, serviceHarness, windows }) => {
    const page = await open(windows, 'reports/delays.py')
    await runCommand(page, 'Kourier: Toggle Completions')
    await pick(page, 'Turn Off for All Languages')
    await statusBarItem(page, /Completions are off/).waitFor()
    serviceHarness.clearLog()
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    await runCommand(page, 'Kourier: Toggle Completions')
    await pick(page, 'Turn On for All Languages')
    await statusBarItem(page, /revoke it on the dashboard\. Select/).waitFor()
    await type(page, 'mean')
    await waitForGhostText(page)
    const prompts = inferences(service).map(call => JSON.stringify(call.body))
    assert.ok(prompts.length > 0 && prompts.every(prompt => prompt.includes('def m')), 'nothing was asked while off')
  })

  test('never sends a file that looks secret', async ({ service, serviceHarness, windows }) => {
    const page = await open(windows, '.env')
    serviceHarness.clearLog()
    await goTo(page, 10_000)
    await type(page, '\nEXAMPLE_')
    await openFile(page, 'reports/delays.py')
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    await waitForGhostText(page)
    assert.doesNotMatch(JSON.stringify(service.log.calls), /EXAMPLE_/)
  })
})
