// Code of an answer goes into a file, is reviewed in the editor's diff, and the file has what was kept.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type FrameLocator, type Page } from '@playwright/test'
import type { Editor } from '../editor/codeServer.ts'
import {
  ask,
  closeFiles,
  closeQuickInput,
  dialog,
  message,
  openChat,
  quickInputEntry,
  reloadWindow,
  runCommand,
  tab,
} from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { test } from './fixtures.ts'

const before = `export function add(a: number, b: number): number {
  return a + b
}

export function unrelated(): void {}

export function twice(a: number): number {
  return a * 2
}
`
const code = `// src/sums.ts
export function add(a: number, b: number): number {
  return b + a
}

export function twice(a: number): number {
  return add(a, a)
}`

const lens = (page: Page, name: string, nth: number) =>
  page.locator('.codelens-decoration a', { hasText: new RegExp(`^${name}$`) }).nth(nth)

const changes = (chat: FrameLocator) => chat.getByRole('list', { name: 'Changes' })

test.describe('the code of an answer', () => {
  test('is applied to the file that it names, where one change is kept, one undone, also after a reload; or goes to the cursor or a terminal', async ({
    editor,
    service,
    windows,
  }) => {
    const file = join(editor.workspace, 'src/sums.ts')
    mkdirSync(join(editor.workspace, 'src'), { recursive: true })
    writeFileSync(file, before)
    const { page } = await windows.openSignedIn()
    const chat = await openChat(page)
    await runCommand(page, 'Kourier: New Chat')
    service.replies.add({ text: `Like this:\n\n\`\`\`ts\n${code}\n\`\`\`\n` })
    await ask(chat, 'Improve it, please')
    const block = chat.getByRole('group', { name: /^Code: (ts|TypeScript)$/ })
    await message(chat, 'Kourier').getByRole('button', { name: 'Retry' }).waitFor()
    await block.getByRole('button', { name: 'Apply to file' }).click()

    await page.getByRole('tab', { name: /changes by Kourier/ }).waitFor()
    const inFile = () => readFileSync(file, 'utf8')
    const applied = before.replace('a + b', 'b + a').replace('a * 2', 'add(a, a)')
    await lens(page, 'Keep', 1).waitFor()
    assert.equal(inFile(), applied, 'the file is saved, and what the code does not name is untouched')
    await changes(chat).getByText('sums.ts +2 −2').waitFor()

    await page.getByRole('button', { name: 'Keep all' }).first().waitFor()
    await lens(page, 'Keep', 0).click()
    await changes(chat).getByText('sums.ts +1 −1').waitFor()
    await runCommand(page, 'Kourier: Show Changes')
    await quickInputEntry(page, 'src/sums.ts').waitFor()
    await closeQuickInput(page)
    await reloadWindow(page)
    const again = await openChat(page)
    await changes(again).getByText('sums.ts +1 −1').waitFor()
    await changes(again).getByRole('button', { name: 'Open diff' }).click()
    await lens(page, 'Undo', 0).click()
    await changes(again).waitFor({ state: 'detached' })
    assert.equal(inFile(), before.replace('a + b', 'b + a'))
    await message(again, 'Kourier').getByText('Partly undone').waitFor()
    await test.step('a diff of two files changes the one and makes the other', () =>
      applyDiff(editor, service, page, again))
    rmSync(file)
    await test.step('another is inserted at the cursor, and runs in a terminal only after Run', () =>
      insertAndRun(editor, service, page, again))
  })
})

/** As `git diff` writes it. */
const diffOfTwo = `diff --git a/src/sums.ts b/src/sums.ts
--- a/src/sums.ts
+++ b/src/sums.ts
@@ -5,3 +5,3 @@
 export function unrelated(): void {}
 
-export function twice(a: number): number {
+export function double(a: number): number {
diff --git a/docs/sums.md b/docs/sums.md
new file mode 100644
--- /dev/null
+++ b/docs/sums.md
@@ -0,0 +1,2 @@
+# Sums
+Doubles and adds.
diff --git a/src/gone.ts b/src/gone.ts
deleted file mode 100644
--- a/src/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone`

async function applyDiff(editor: Editor, service: Service, page: Page, chat: FrameLocator): Promise<void> {
  await closeFiles(page)
  await runCommand(page, 'Kourier: New Chat')
  service.replies.add({ text: `\`\`\`diff\n${diffOfTwo}\n\`\`\`\n` })
  await ask(chat, 'As a diff, please')
  await message(chat, 'Kourier').getByRole('button', { name: 'Retry' }).waitFor()
  await chat
    .getByRole('group', { name: /^Code: diff/i })
    .getByRole('button', { name: 'Apply to file' })
    .click()
  await page.getByText('This diff deletes src/gone.ts').first().waitFor()
  const made = join(editor.workspace, 'docs/sums.md')
  assert.equal(readFileSync(made, 'utf8'), '# Sums\nDoubles and adds.\n')
  assert.match(readFileSync(join(editor.workspace, 'src/sums.ts'), 'utf8'), /function double/)
  await chat.getByRole('button', { name: 'Undo all' }).last().click()
  await expect.poll(() => existsSync(made)).toBe(false)
}

async function insertAndRun(editor: Editor, service: Service, page: Page, chat: FrameLocator): Promise<void> {
  await closeFiles(page)
  await runCommand(page, 'Kourier: New Chat')
  service.replies.add({ text: '```sh\necho one > ran.txt\necho two >> ran.txt\n```\n' })
  await ask(chat, 'A command, please')
  const block = chat.getByRole('group', { name: /^Code: (sh|Shell Script)$/ })
  await message(chat, 'Kourier').getByRole('button', { name: 'Retry' }).waitFor()
  await block.getByRole('button', { name: 'Insert at cursor' }).click()
  await page.getByText('Open a file and place the cursor').first().waitFor()
  await block.getByRole('button', { name: 'New file' }).click()
  await tab(page, 'Untitled-1').waitFor()
  await block.getByRole('button', { name: 'Insert at cursor' }).click()
  await page.locator('.view-line', { hasText: 'ran.txtecho' }).waitFor()

  await block.getByRole('button', { name: 'Run in terminal' }).click()
  await dialog(page).getByText('echo one > ran.txt').waitFor()
  await dialog(page).getByText('2 lines, run as a whole').waitFor()
  await dialog(page).getByRole('button', { name: 'Run' }).click()
  await page.locator('.terminal-wrapper.active').waitFor()
  const file = join(editor.workspace, 'ran.txt')
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  await runCommand(page, 'Terminal: Kill All Terminals')
  rmSync(file)
}
