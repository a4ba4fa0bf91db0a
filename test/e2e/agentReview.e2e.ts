// The changes of the agent are reviewed in the editor's own list, in two windows, and its commands are seen in a terminal.
import assert from 'node:assert/strict'
import { expect, type Page } from '@playwright/test'
import {
  closeFiles,
  closeQuickInput,
  notification,
  openFile,
  quickInputEntry,
  runCommand,
  tab,
} from '../editor/workbench.ts'
import { callOf } from '../support/turnFixture.ts'
import {
  allow,
  answers,
  call,
  card,
  changedFiles,
  changeList,
  filesOf,
  lastMessages,
  modeOf,
  newChat,
  openAgent,
  processesWith,
  send,
  undoAll,
} from './agentSteps.ts'
import { readyChat } from './chatSteps.ts'
import { test } from './fixtures.ts'

const edit = (path: string, old: string, fresh: string) =>
  callOf('edit_file', { path, edits: [{ old_text: old, new_text: fresh }] })
const kinder = edit('desk/zones.mjs', '  return surcharges[zone]\n', '  return surcharges[zone] ?? 0\n')
const shorter = edit('desk/parcel.ts', '  readonly weightGrams: number\n', '  readonly grams: number\n')
const heavy = "  if (grams > 31_500) return { ok: false, problem: 'A parcel may weigh 31.5 kg at most.' }\n"
const heavier = edit('desk/parcel.ts', heavy, heavy.replace('31_500', '31_000'))

/** The file in the editor's list of changes. */
const listed = (page: Page, name: string) => page.locator('.scm-view').getByRole('treeitem', { name: new RegExp(name) })

/** The editor draws the list anew after each change, and a button that it replaces at that moment takes no click. */
async function review(page: Page, name: string, action: 'Keep Changes' | 'Undo Changes'): Promise<void> {
  const file = listed(page, name)
  await expect(async () => {
    if ((await file.count()) === 0) return
    await file.hover({ timeout: 2_000 })
    await file.getByRole('button', { name: action }).click({ timeout: 2_000 })
    await file.waitFor({ state: 'detached', timeout: 5_000 })
  }).toPass({ timeout: 30_000 })
}

const line = (page: Page, at: number) => page.getByRole('button', { name: new RegExp(`^Ln ${at}, `) })

test.describe('the review', () => {
  // What is drawn by the graphics card cannot be read.
  test.use({ settings: { 'terminal.integrated.gpuAcceleration': 'off' } })

  test('[A34] [A35] in the list of the source control: diff, next change, keep, undo; a command in the terminal', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await openAgent(windows)
    const before = filesOf(editor)
    service.replies.add({ toolCalls: [kinder, shorter, heavier] }, { text: 'All three.' })
    await send(page, chat, 'Change the form.')
    await answers(chat, 'All three.')
    await expect.poll(() => changedFiles(chat)).toEqual(['parcel.ts', 'zones.mjs'])

    const made = filesOf(editor)
    const ofAnswer = chat.getByRole('group', { name: 'Files changed from this answer' })
    await ofAnswer.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('tab', { name: /^Changes by Kourier/ }).waitFor()
    await closeFiles(page)
    await ofAnswer.getByRole('button', { name: 'Undo' }).click()
    await changeList(chat).waitFor({ state: 'detached' })
    assert.deepEqual(filesOf(editor), before)
    await notification(page, 'The changes in 2 files were undone.').getByRole('button', { name: 'Redo' }).click()
    await expect.poll(() => changedFiles(chat)).toEqual(['parcel.ts', 'zones.mjs'])
    assert.deepEqual(filesOf(editor), made)

    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Source Control/ })
      .click()
    await listed(page, 'parcel.ts').click()
    await page.getByRole('tab', { name: /parcel\.ts \(changes by Kourier\)/ }).waitFor()
    await closeFiles(page)
    await openFile(page, 'desk/parcel.ts')
    for (const at of [6, 31, 6]) {
      await runCommand(page, 'Kourier: Next Change')
      await line(page, at).waitFor()
    }
    await runCommand(page, 'Kourier: Previous Change')
    await line(page, 31).waitFor()
    await runCommand(page, 'Kourier: Undo Change at Cursor')
    await page.locator('.view-line', { hasText: '31_500' }).waitFor()
    await review(page, 'zones.mjs', 'Undo Changes')
    await review(page, 'parcel.ts', 'Keep Changes')
    const parcel = before['desk/parcel.ts']?.replace('weightGrams: number', 'grams: number')
    assert.deepEqual(filesOf(editor), { ...before, 'desk/parcel.ts': parcel })

    await readyChat(page)
    assert.equal(await changeList(chat).count(), 0)
    service.replies.add(
      { toolCalls: [callOf('run_command', { command: 'echo begun; sleep 3111', why: 'To wait.' })] },
      { text: 'It was ended.' },
    )
    await send(page, chat, 'Wait for long.')
    await allow(chat)
    await call(chat).getByText('begun', { exact: true }).waitFor()
    await call(chat).locator('summary').click()
    await call(chat).getByRole('button', { name: 'Show terminal' }).click()
    const terminal = page.locator('.terminal-wrapper.active')
    await terminal.locator('.xterm-rows').getByText('begun', { exact: true }).waitFor()
    await page.getByText('Commands: Change the form.').first().waitFor()
    await terminal.click()
    await page.keyboard.press('Control+C')
    await answers(chat, 'It was ended.')
    assert.match(lastMessages(service).at(-1) ?? '', /ended by signal SIGTERM/)
    assert.deepEqual(processesWith('sleep 3111'), [])
    await runCommand(page, 'Terminal: Kill the Active Terminal Instance')

    service.replies.add(
      { toolCalls: [edit('desk/parcel.ts', '  readonly grams: number\n', '  readonly weightGrams: number\n')] },
      { text: 'As it was.' },
    )
    await modeOf(chat).selectOption('Ask')
    await send(page, chat, 'Not so short.')
    await card(chat, 'edit_file').getByRole('button', { name: 'Allow', exact: true }).press('d')
    await page.getByRole('tab', { name: /^parcel\.ts: proposed change/ }).waitFor()
    await page.locator('.view-line', { hasText: 'weightGrams: number' }).first().waitFor()
    await allow(chat, 'edit_file')
    await answers(chat, 'As it was.')
    await chat.getByRole('button', { name: 'Keep all' }).click()
    await changeList(chat).waitFor({ state: 'detached' })
    assert.deepEqual(filesOf(editor), before)
  })

  test('[A44] two windows on one folder: each chat lists and undoes what it has changed', async ({
    service,
    editor,
    windows,
  }) => {
    const first = await openAgent(windows, { isSpent: true })
    const before = filesOf(editor)
    const secondPage = await windows.open()
    const second = { page: secondPage, chat: await newChat(secondPage) }
    const ask = async ({ page, chat }: typeof first, made: ReturnType<typeof edit>) => {
      await page.bringToFront()
      service.replies.add({ toolCalls: [made] }, { text: 'Changed.' })
      await send(page, chat, 'Change it.')
      await answers(chat, 'Changed.')
    }
    await openFile(second.page, 'desk/zones.mjs')
    await ask(first, kinder)
    await ask(second, shorter)
    await expect.poll(() => changedFiles(first.chat)).toEqual(['zones.mjs'])
    await expect.poll(() => changedFiles(second.chat)).toEqual(['parcel.ts'])
    await second.page.locator('.view-line', { hasText: '?? 0' }).waitFor()
    await undoAll(second.chat)
    assert.equal(filesOf(editor)['desk/parcel.ts'], before['desk/parcel.ts'])
    assert.notEqual(filesOf(editor)['desk/zones.mjs'], before['desk/zones.mjs'])
    await ask(second, heavier)
    await first.page.bringToFront()
    await undoAll(first.chat)
    assert.equal(filesOf(editor)['desk/zones.mjs'], before['desk/zones.mjs'])
    await expect.poll(() => changedFiles(second.chat)).toEqual(['parcel.ts'])
    await second.page.bringToFront()
    await runCommand(second.page, 'Kourier: Show Changes')
    await quickInputEntry(second.page, 'desk/parcel.ts').waitFor()
    assert.equal(await quickInputEntry(second.page, 'desk/zones.mjs').count(), 0, 'nor does the list of all chats')
    await closeQuickInput(second.page)
    await tab(second.page, 'zones.mjs').waitFor()
    await second.page.locator('.view-line', { hasText: '?? 0' }).waitFor({ state: 'detached' })
    await undoAll(second.chat)
    assert.deepEqual(filesOf(editor), before)
  })
})
