// A person types, sees grey text, and takes it or not.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
import { World } from './world.ts'

const inferences = (world: World) => world.service.log.calls.filter(call => call.path === '/v1/chat/completions')

describe('inline completion', () => {
  const world = new World()

  async function open(path: string): Promise<Page> {
    const { page } = await world.signedInWindow()
    await statusBarItem(page, /Signed in to/).waitFor()
    await openFile(page, path)
    return page
  }

  it('(g) shows grey text while typing, from the real demo model, and Tab takes it', async () => {
    const page = await open('reports/delays.py')
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    const ghost = await waitForGhostText(page)
    await page.keyboard.press('Tab')
    const text = await savedText(page, world.editor, 'reports/delays.py')
    assert.ok(text.includes(ghost.split('\n')[0] ?? ''), text)
  })

  it('asks nobody when signed out', async () => {
    const page = await world.window()
    await openFile(page, 'reports/delays.py')
    world.clearLog()
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    // The editor asks once more, at once, and the answer has come before the next command can be chosen.
    await runCommand(page, 'Trigger Inline Suggestion')
    await runCommand(page, 'File: Save')
    assert.equal(await ghostText(page), '')
    assert.deepEqual(world.service.log.calls, [])
  })

  it('is silent after Toggle Completions', async () => {
    const page = await open('reports/delays.py')
    await runCommand(page, 'Kourier: Toggle Completions')
    await pick(page, 'Turn Off for All Languages')
    await statusBarItem(page, /Completions are off/).waitFor()
    world.clearLog()
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    await runCommand(page, 'Kourier: Toggle Completions')
    await pick(page, 'Turn On for All Languages')
    await statusBarItem(page, /revoke it on the dashboard\. Select/).waitFor()
    await type(page, 'mean')
    await waitForGhostText(page)
    const prompts = inferences(world).map(call => JSON.stringify(call.body))
    assert.ok(prompts.length > 0 && prompts.every(prompt => prompt.includes('def m')), 'nothing was asked while off')
  })

  it('never sends a file that looks secret', async () => {
    const page = await open('.env')
    world.clearLog()
    await goTo(page, 10_000)
    await type(page, '\nEXAMPLE_')
    await openFile(page, 'reports/delays.py')
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    await waitForGhostText(page)
    assert.doesNotMatch(JSON.stringify(world.service.log.calls), /EXAMPLE_/)
  })
})
