// A person types, sees grey text, and takes it or not.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import {
  closeQuickInput,
  ghostText,
  goTo,
  notification,
  openFile,
  pick,
  quickInput,
  reloadWindow,
  runCommand,
  savedText,
  statusBarItem,
  type,
  waitForGhostText,
} from '../editor/workbench.ts'
import type { EditorWindows } from './editorWindows.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

async function open(windows: EditorWindows, path: string): Promise<Page> {
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  await openFile(page, path)
  return page
}

test.describe('inline completion', () => {
  test('(g) shows grey text while typing, from the real demo model, and Tab takes it', async ({ editor, windows }) => {
    const page = await open(windows, 'reports/delays.py')
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    const ghost = await waitForGhostText(page)
    await page.keyboard.press('Tab')
    const text = await savedText(page, editor, 'reports/delays.py')
    assert.ok(text.includes(ghost.split('\n')[0] ?? ''), text)
  })

  test('between brackets and quotes that the editor has closed, the whole line is shown and taken', async ({
    editor,
    service,
    windows,
  }) => {
    const page = await open(windows, 'reports/delays.py')
    await goTo(page, 10_000)
    service.replies.add({
      text: "<insert>mean', 'median'], count=2)\nrest = 1\nmore = 2\n</insert>",
      match: "show(['▮",
    })
    await type(page, "\n\nshow(['")
    await waitForGhostText(page, /mean', median', count=2/)
    await page.keyboard.press('Tab')
    const text = await savedText(page, editor, 'reports/delays.py')
    assert.match(text, /\n\n *show\(\['mean', 'median'\], count=2\)$/m)
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

  test('snoozes over a reload, completes on request meanwhile, and goes on when the menu ends it', async ({
    service,
    serviceHarness,
    windows,
  }) => {
    const page = await open(windows, 'reports/delays.py')
    await runCommand(page, 'Kourier: Snooze Completions')
    await statusBarItem(page, /snoozed until \d/).waitFor()
    serviceHarness.clearLog()
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    await runCommand(page, 'File: Save')
    await reloadWindow(page)
    await statusBarItem(page, /snoozed until \d/).waitFor()
    await openFile(page, 'reports/delays.py') // which files were open is stored only every five seconds
    await goTo(page, 10_000)
    assert.equal(inferences(service).length, 0)
    // The extension may be starting, and the editor does not repeat a call that nobody answers.
    await test
      .expect(async () => {
        await runCommand(page, 'Trigger Inline Suggestion')
        await waitForGhostText(page)
      })
      .toPass({ timeout: 60_000 })
    await runCommand(page, 'Kourier: Show Menu')
    await quickInput(page)
      .getByRole('option', { name: /snoozed until .*End Snooze/ })
      .click()
    await statusBarItem(page, /revoke it on the dashboard\. Select/).waitFor()
    await type(page, 'mean')
    await waitForGhostText(page)
  })

  test('the status item and its menu say why nothing comes, and the menu leads to what helps', async ({ windows }) => {
    const page = await open(windows, '.env')
    await statusBarItem(page, /its name looks secret: \.env\*/).waitFor()
    await runCommand(page, 'Kourier: Show Menu')
    const first = quickInput(page).getByRole('option').first()
    assert.match((await first.getAttribute('aria-label')) ?? '', /looks secret: \.env\*.*Open the Setting/)
    await closeQuickInput(page)
    await openFile(page, 'reports/delays.py')
    await statusBarItem(page, /revoke it on the dashboard\. Select/).waitFor()
    // The tests before have left the cursor on the last line, below which there is no room for another.
    await goTo(page, 1)
    await runCommand(page, 'Add Cursor Below')
    await statusBarItem(page, /only with a single cursor/).waitFor()
    await runCommand(page, 'Kourier: Show Menu')
    await pick(page, 'Completions come only with a single cursor.')
    await statusBarItem(page, /revoke it on the dashboard\. Select/).waitFor()
    await runCommand(page, 'Kourier: Toggle Completions')
    await pick(page, 'Turn Off for python')
    await statusBarItem(page, /Completions are off for python/).waitFor()
  })

  test('Escape hides grey text, which does not come back by typing on', async ({ windows }) => {
    const page = await open(windows, 'reports/delays.py')
    await goTo(page, 10_000)
    await type(page, '\n\ndef ')
    const ghost = await waitForGhostText(page)
    await page.keyboard.press('Escape')
    await page.locator('.ghost-text-decoration').first().waitFor({ state: 'hidden' })
    await type(page, ghost.slice(0, 3))
    await runCommand(page, 'File: Save')
    assert.equal(await ghostText(page), '')
    await runCommand(page, 'Trigger Inline Suggestion')
    await waitForGhostText(page)
  })
})

test.describe('inline completion by a model that always thinks', () => {
  test.use({ serviceOptions: { dialect: { thinking: 'always' } } })

  test('names the model, and does not ask it again', async ({ service, serviceHarness, windows }) => {
    const page = await open(windows, 'reports/delays.py')
    await goTo(page, 10_000)
    const notice = notification(page, /thinks before each answer, so completions are off for it/)
    for (let line = 0; line < 12 && !(await notice.isVisible()); line++) await type(page, `\ntotal_${line} = `, 120)
    await notice.getByRole('button', { name: 'Select Model for Completions' }).waitFor()
    serviceHarness.clearLog()
    await type(page, '\nlast = ')
    await runCommand(page, 'File: Save')
    assert.deepEqual(inferences(service), [])
  })
})

test('what the user has edited elsewhere goes along, and no file that looks secret', async ({ service, windows }) => {
  const page = await open(windows, '.env')
  await goTo(page, 10_000)
  await type(page, '\nEXAMPLE_')
  await openFile(page, 'reports/delays.py')
  await goTo(page, 28)
  await type(page, ' # checked')
  await goTo(page, 10_000)
  const asked = service.log.until(({ body }) => JSON.stringify(body ?? '').includes('<recent_edits>'))
  await type(page, '\n\ndef mean')
  const body = JSON.stringify((await asked).body)
  assert.match(body, /<recent_edits>\\nreports\/delays\.py:28\\n-[^<]*\+[^<]*# checked\\n<\/recent_edits>/)
  assert.doesNotMatch(JSON.stringify(service.log.calls), /EXAMPLE_/)
})

test('the editor goes on to another suggestion when the user asks for the next one', async ({ service, windows }) => {
  const page = await open(windows, 'reports/delays.py')
  await goTo(page, 10_000)
  service.replies.add(
    ...['first', 'second', 'third'].map(name => ({
      text: `<insert>${name}(deliveries)</insert>`,
      match: 'worst_delay = ▮',
    })),
  )
  await type(page, '\n\nworst_delay = ')
  await waitForGhostText(page, /first\(/)
  await page.keyboard.press('Alt+]')
  await waitForGhostText(page, /second\(/)
  await page.keyboard.press('Alt+]')
  await waitForGhostText(page, /third\(/)
})

test('what the user asks for by hand is shown at once, and others can be gone to later', async ({
  service,
  windows,
}) => {
  const page = await open(windows, 'reports/delays.py')
  await goTo(page, 36)
  for (const name of ['first', 'second', 'third'])
    service.replies.add({ text: `<insert>${name}(deliveries)</insert>`, match: 'through_cursor_line' })
  await runCommand(page, 'Trigger Inline Suggestion')
  await waitForGhostText(page, /first\(/)
  await service.log.until(() => inferences(service).filter(({ status }) => status === 200).length >= 3)
  await page.keyboard.press('Alt+]')
  await waitForGhostText(page, /second\(|third\(/)
})
