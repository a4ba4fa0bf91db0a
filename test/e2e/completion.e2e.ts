// A person types, sees grey text, and takes it or not.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  acceptLine,
  changeSettings,
  closeQuickInput,
  ghostText,
  goTo,
  notification,
  openFile,
  pick,
  quickInput,
  quickInputBox,
  reloadWindow,
  runCommand,
  savedText,
  statusBarItem,
  type,
  waitForGhostText,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { withoutGit } from './editorHarness.ts'
import type { EditorWindows } from './editorWindows.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'
import { openCells, otherExtension, otherText } from './otherExtension.ts'

/** Three answers to what the request contains. */
function offer({ replies }: Service, match: string): void {
  for (const name of ['first', 'second', 'third']) replies.add({ text: `<insert>${name}(deliveries)</insert>`, match })
}

async function open(windows: EditorWindows, path: string): Promise<Page> {
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  await openFile(page, path)
  return page
}

test.describe('inline completion', () => {
  test('(g) shows grey text while typing, which Tab takes, Escape hides and another key exchanges', async ({
    editor,
    service,
    windows,
  }) => {
    const path = 'reports/delays.py'
    const page = await open(windows, path)
    await test.step('from the real demo model, and Tab takes it', async () => {
      await goTo(page, 10_000)
      await type(page, '\n\ndef ')
      const ghost = await waitForGhostText(page)
      await page.keyboard.press('Tab')
      const text = await savedText(page, editor, path)
      assert.ok(text.includes(ghost.split('\n')[0] ?? ''), text)
    })
    await test.step('Escape hides it, and it does not come back by typing on', async () => {
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
      await page.keyboard.press('Escape')
    })
    await test.step('between brackets and quotes that the editor has closed, the whole line', async () => {
      await goTo(page, 10_000)
      service.replies.add({
        text: "<insert>mean', 'median'], count=2)\nrest = 1\nmore = 2\n</insert>",
        match: "show(['▮",
      })
      await type(page, "\n\nshow(['")
      await waitForGhostText(page, /mean', median', count=2/)
      await page.keyboard.press('Tab')
      assert.match(await savedText(page, editor, path), /\n\n *show\(\['mean', 'median'\], count=2\)$/m)
    })
    await test.step('the user asks for the next one', async () => {
      await goTo(page, 10_000)
      offer(service, 'worst_delay = ▮')
      await type(page, '\n\nworst_delay = ')
      await waitForGhostText(page, /first\(/)
      await page.keyboard.press('Alt+]')
      await waitForGhostText(page, /second\(/)
      await page.keyboard.press('Alt+]')
      await waitForGhostText(page, /third\(/)
      await page.keyboard.press('Escape')
    })
    await test.step('what is asked for by hand comes at once, and others can be gone to', async () => {
      await goTo(page, 36)
      const answered = () => inferences(service).filter(({ status }) => status === 200).length
      const before = answered()
      offer(service, 'through_cursor_line')
      await runCommand(page, 'Trigger Inline Suggestion')
      await waitForGhostText(page, /first\(/)
      await service.log.until(() => answered() >= before + 3)
      await page.keyboard.press('Alt+]')
      await waitForGhostText(page, /second\(|third\(/)
    })
  })

  test('the status item and its menu say why nothing comes, and the menu leads to what helps', async ({
    editor,
    service,
    serviceHarness,
    windows,
  }) => {
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
    await test.step('a snooze, in which completions come on request, also over a reload', async () => {
      await runCommand(page, 'Kourier: Snooze Completions')
      await statusBarItem(page, /snoozed until \d/).waitFor()
      await reloadWindow(page)
      await openFile(page, 'reports/delays.py')
      await goTo(page, 1) // the editor may have stored the two cursors last
      await statusBarItem(page, /snoozed until \d/).waitFor()
      serviceHarness.clearLog()
      await goTo(page, 10_000)
      await type(page, '\n\ndef ')
      await runCommand(page, 'File: Save')
      assert.equal(inferences(service).length, 0)
      await runCommand(page, 'Trigger Inline Suggestion')
      await waitForGhostText(page)
      await runCommand(page, 'Kourier: Show Menu')
      await quickInput(page)
        .getByRole('option', { name: /snoozed until .*End Snooze/ })
        .click()
      await statusBarItem(page, /revoke it on the dashboard\. Select/).waitFor()
      await type(page, 'mean')
      await waitForGhostText(page)
    })
    await test.step('the editor shows nothing inline, so nothing is requested', async () => {
      await page.keyboard.press('Escape')
      await changeSettings(page, editor, { 'editor.inlineSuggest.enabled': false })
      await statusBarItem(page, /the setting editor\.inlineSuggest\.enabled is off/).waitFor()
      serviceHarness.clearLog()
      await goTo(page, 10_000)
      await type(page, '\n\nmean = ')
      await runCommand(page, 'File: Save')
      assert.equal(inferences(service).length, 0)
      await changeSettings(page, editor, { 'editor.inlineSuggest.enabled': true })
      await statusBarItem(page, /revoke it on the dashboard\. Select/).waitFor()
    })
    await runCommand(page, 'Kourier: Toggle Completions')
    await pick(page, 'Turn Off for python')
    await statusBarItem(page, /Completions are off for python/).waitFor()
  })
})

test.describe('the status item says why nothing comes', () => {
  test.use({
    serviceOptions: { dialect: { thinking: 'always' } },
    settings: { 'kourier.completions.exclude': ['reports/**'], 'kourier.completions.mode': 'subtle' },
  })

  test('in a file that a glob excludes, on request only, in a large file, in a long line, and for a model that always thinks', async ({
    editor,
    service,
    serviceHarness,
    windows,
  }) => {
    writeFileSync(join(editor.workspace, 'large.py'), 'total = 1\n'.repeat(101_000))
    writeFileSync(join(editor.workspace, 'long.py'), `total = '${'x'.repeat(2_100)}'\n`)
    const { page } = await windows.openSignedIn()
    for (const [path, reason] of [
      ['reports/delays.py', /The setting kourier\.completions\.exclude excludes this file: reports\/\*\*/],
      ['tracker/status.go', /Completions come only on request/],
      ['large.py', /This file has more than 1,?000,?000 characters/],
      ['long.py', /This line is too long to be completed/],
    ] as const) {
      await openFile(page, path)
      await statusBarItem(page, reason).waitFor()
    }
    await openFile(page, 'tracker/status.go')
    await changeSettings(page, editor, { 'kourier.completions.mode': 'eager' })
    await goTo(page, 10_000)
    const notice = notification(page, /thinks before each answer, so completions are off for it/)
    for (let line = 0; line < 12 && !(await notice.isVisible()); line++) await type(page, `\n\ttotal${line} := `, 120)
    await notice.getByRole('button', { name: 'Select Model for Completions' }).waitFor()
    await statusBarItem(page, /thinks before each answer/).waitFor()
    serviceHarness.clearLog()
    await type(page, '\nlast = ')
    await runCommand(page, 'File: Save')
    assert.deepEqual(inferences(service), [])
  })
})

test('several lines are taken by word and whole, at the first key in a saved file, whose lines end with a carriage return too', async ({
  editor,
  service,
  windows,
}) => {
  const path = 'reports/weights.py'
  writeFileSync(join(editor.workspace, path), 'weights = [1, 2, 3]\r\n\r\ndef total(weights):')
  const page = await open(windows, path)
  await goTo(page, 10_000)
  const lines = ['count = 0', '    for weight in weights:', '        count += weight', '    return count']
  service.replies.add({ text: `<insert>${lines.join('\n')}</insert>`, match: 'def total(weights):\\n    ▮' })
  await type(page, '\n')
  await waitForGhostText(page, /count = 0\n.*for weight in weights:\n.*count \+= weight\n.*return count/)
  await page.keyboard.press('Control+ArrowRight')
  await waitForGhostText(page, /^ ?= 0\n.*for weight/)
  await page.keyboard.press('Tab')
  const text = await savedText(page, editor, path)
  assert.equal(text, `weights = [1, 2, 3]\r\n\r\ndef total(weights):\r\n    ${lines.join('\r\n')}`)
})

test.describe('beside what else the editor offers', () => {
  test.use({ editorNeeds: { builtIn: withoutGit, extensionFolder: otherExtension() } })

  test('by line in a file without a name, beside the suggestion list and another extension, and in a notebook', async ({
    editor,
    service,
    windows,
  }) => {
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    await test.step('a file without a name, line by line', async () => {
      await runCommand(page, 'File: New Untitled Text File')
      await runCommand(page, 'Change Language Mode')
      await quickInputBox(page).fill('Python')
      await pick(page, 'Python')
      const lines = ['', '    count = 0', '    for rate in rates:', '        count += rate']
      service.replies.add({ text: `<insert>${lines.join('\n')}</insert>`, match: 'def total(rates):▮' })
      await type(page, 'def total(rates):')
      await waitForGhostText(page, /count = 0\n.*for rate/)
      await acceptLine(page) // the line break
      await waitForGhostText(page, /^ *count = 0/)
      await acceptLine(page)
      await waitForGhostText(page, /^\s*for rate in rates:\n/)
      await page.keyboard.press('Escape')
    })
    await openFile(page, 'reports/delays.py')
    await test.step('the text that goes on from the selected item of the list', async () => {
      await goTo(page, 10_000)
      service.replies.add({ text: '<insert>elay_of(deliveries)</insert>', match: 'worst = d▮' })
      await type(page, '\n\nworst = d')
      await waitForGhostText(page, /elay_of\(deliveries\)/)
      await page.keyboard.press('Control+Space')
      await page.locator('.suggest-widget.visible .monaco-list-row').first().waitFor()
      await page.keyboard.press('Escape')
      await waitForGhostText(page, /elay_of\(deliveries\)/)
      await page.keyboard.press('Escape')
    })
    await test.step('asked for by hand, with the text of the other extension', async () => {
      await goTo(page, 10_000)
      offer(service, 'best = ▮')
      await type(page, '\n\nbest = ')
      await waitForGhostText(page, /first\(/)
      await page.keyboard.press('Escape')
      await runCommand(page, 'Trigger Inline Suggestion')
      const seen: string[] = []
      const isSeen = (part: string) => seen.some(text => text.includes(part))
      while (seen.length < 8 && !(isSeen(otherText) && isSeen('(deliveries)'))) {
        seen.push((await waitForGhostText(page)).trim())
        await page.keyboard.press('Alt+]')
      }
      assert.ok(isSeen(otherText) && isSeen('(deliveries)'), seen.join(', '))
    })
    // Last, because in a cell the editor may drop the first completion of a window.
    await test.step('a cell, whose request has the cells before it', async () => {
      const cells = ['rates = [0.1, 0.2]', 'mean_rate = ']
      writeFileSync(join(editor.workspace, 'rates.cells'), JSON.stringify(cells))
      await runCommand(page, openCells)
      await page.locator('.notebook-editor .cell-editor-container .view-lines').nth(1).click()
      await page.keyboard.press('End')
      service.replies.add({ text: '<insert>um(rates) / len(rates)</insert>', match: 'mean_rate = s▮' })
      const asked = service.log.until(({ body }) => JSON.stringify(body ?? '').includes('mean_rate = s▮'))
      await type(page, 's')
      await waitForGhostText(page, /um\(rates\) \/ len/)
      assert.match(JSON.stringify((await asked).body), /rates = \[0\.1, 0\.2\]/)
      await page.keyboard.press('Tab')
      assert.equal(JSON.parse(await savedText(page, editor, 'rates.cells'))[1], 'mean_rate = sum(rates) / len(rates)')
    })
  })
})

test('what the user has edited elsewhere goes along, and no file that looks secret', async ({ service, windows }) => {
  const page = await open(windows, '.env')
  await goTo(page, 10_000)
  await type(page, '\nEXAMPLE_TOKEN=12')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+C')
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
