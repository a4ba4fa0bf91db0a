// What the agent and its commands change in files is listed, kept, undone and restored byte for byte, whatever is open.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { closeFiles, goTo, message, notification, openFile, pick, runCommand, tab, type } from '../editor/workbench.ts'
import { callOf } from '../support/turnFixture.ts'
import {
  allow,
  answers,
  card,
  changedFiles,
  changeList,
  composer,
  filesOf,
  lastMessages,
  openAgent,
  send,
  undoAll,
} from './agentSteps.ts'
import { test } from './fixtures.ts'

const run = (command: string) => callOf('run_command', { command, why: 'To see.' })
const edit = (path: string, old: string, fresh: string) =>
  callOf('edit_file', { path, edits: [{ old_text: old, new_text: fresh }] })
const read = (path: string) => callOf('read_file', { path })

const tidyUp = [
  "sed -i 's/what a customer/all that a customer/' desk/parcel.ts",
  'rm desk/zones.mjs',
  'mkdir -p gen && echo made > gen/new.txt',
  'chmod +x README.md',
  "sed -i 's/$/\\r/' tracker/status.go",
].join('; ')
const tidied = ['README.md', 'new.txt', 'parcel.ts', 'status.go', 'zones.mjs']

test.describe('the files', () => {
  test('[A38] [A41] that a command changes, makes and removes are listed, undone, restored, and the restore is undone', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await openAgent(windows)
    const before = filesOf(editor)
    await openFile(page, 'desk/parcel.ts')
    service.replies.add({ toolCalls: [run(tidyUp), read('desk/parcel.ts')] }, { text: 'It is tidy.' })
    await send(page, chat, 'Tidy up.')
    await allow(chat)
    await answers(chat, 'It is tidy.')
    assert.match(
      lastMessages(service).at(-1) ?? '',
      /all that a customer/,
      'what is read next is what the command wrote',
    )
    assert.match(lastMessages(service).at(-2) ?? '', /It changed .*desk\/zones\.mjs.*This can be undone\./)
    await expect.poll(() => changedFiles(chat)).toEqual(tidied)
    // The list moves up when the chips come back below it, and a click that is under way misses the button.
    await expect(async () => {
      await changeList(chat).getByRole('listitem').filter({ hasText: 'parcel.ts' }).getByLabel('Open diff').click()
      await page.getByRole('tab', { name: /parcel\.ts \(changes by Kourier\)/ }).waitFor({ timeout: 5_000 })
    }).toPass({ timeout: 30_000 })
    await page.locator('.view-line', { hasText: 'what a customer' }).waitFor()
    await page.locator('.view-line', { hasText: 'all that a customer' }).first().waitFor()
    await undoAll(chat)
    assert.deepEqual(filesOf(editor), before)

    service.replies.add({ text: 'Hello.' }, { toolCalls: [run(tidyUp)] }, { text: 'Tidy again.' })
    await send(page, chat, 'Hello?')
    await answers(chat, 'Hello.')
    await send(page, chat, 'Tidy up once more.')
    await allow(chat)
    await answers(chat, 'Tidy again.')
    await expect.poll(() => changedFiles(chat)).toEqual(tidied)
    const after = filesOf(editor)
    await message(chat, 'You').hover()
    await message(chat, 'You').getByRole('button', { name: 'Restore to before this message' }).click()
    await pick(page, 'Restore files and conversation')
    const note = notification(page, /^5 files were restored\.$/)
    await note.waitFor()
    await answers(chat, 'Hello.')
    await expect(composer(chat)).toHaveValue('Tidy up once more.')
    assert.deepEqual(filesOf(editor), before)
    assert.equal(await changeList(chat).count(), 0)
    await note.getByRole('button', { name: 'Undo' }).click()
    await answers(chat, 'Tidy again.')
    await expect.poll(() => changedFiles(chat)).toEqual(tidied)
    assert.deepEqual(filesOf(editor), after)
    await undoAll(chat)
    assert.deepEqual(filesOf(editor), before)
    await runCommand(page, 'Kourier: Restore Checkpoint')
    await pick(page, 'Undo in 5 files')
    await pick(page, 'Restore files')
    await expect.poll(() => changedFiles(chat)).toEqual(tidied)
    assert.deepEqual(filesOf(editor), after)
    await undoAll(chat)
    assert.deepEqual(filesOf(editor), before)
  })

  test('that are open are moved and removed with their editors and come back; one with unsaved text is not removed', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await openAgent(windows)
    const before = filesOf(editor)
    for (const name of ['desk/parcel.ts', 'reports/delays.py', 'tracker/status.go', 'desk/zones.mjs'])
      await openFile(page, name)
    await goTo(page, 1)
    await type(page, ' Mine')
    const match = 'Clean up.' // typing asks for completions
    service.replies.add(
      { match, toolCalls: [read('desk/zones.mjs'), read('desk/parcel.ts'), read('tracker/status.go')] },
      {
        match,
        toolCalls: [
          callOf('delete_file', { path: 'desk/zones.mjs' }),
          callOf('delete_file', { path: 'tracker/status.go' }),
          callOf('move_file', { from: 'desk/parcel.ts', to: 'desk/form.ts' }),
          edit('desk/form.ts', '  readonly weightGrams: number\n', '  readonly grams: number\n'),
          run('rm reports/delays.py'),
        ],
      },
      { match, text: 'Away with them.' },
    )
    await send(page, chat, match)
    await allow(chat)
    await answers(chat, 'Away with them.')
    assert.match(lastMessages(service).at(-5) ?? '', /was not deleted\. The user has unsaved changes in it\./)
    await expect.poll(() => changedFiles(chat)).toEqual(['delays.py', 'form.ts', 'status.go'])
    await tab(page, 'form.ts').waitFor()
    await tab(page, 'status.go').waitFor({ state: 'detached' })
    await undoAll(chat)
    assert.deepEqual(filesOf(editor), before)
    await tab(page, 'form.ts').waitFor({ state: 'detached' })
    await tab(page, 'parcel.ts').waitFor()
    await tab(page, 'zones.mjs').and(page.locator('.dirty')).waitFor()
  })

  test.describe('with settings that change what is saved', () => {
    test.use({
      settings: { 'files.trimTrailingWhitespace': true, 'files.insertFinalNewline': true, 'files.autoSave': 'off' },
    })

    test('[A35] [A46] that are unsaved keep what the user typed; those that are formatted or have other line ends are undone exactly', async ({
      service,
      editor,
      windows,
    }) => {
      const { page, chat } = await openAgent(windows)
      const made = { 'ragged.txt': 'one  \ntwo', 'open.txt': 'a\r\nb\r\n', 'closed.txt': 'a\r\nb\r\n' }
      mkdirSync(join(editor.workspace, 'notes'))
      for (const [name, text] of Object.entries(made)) writeFileSync(join(editor.workspace, 'notes', name), text)
      const before = filesOf(editor)
      const disk = (path: string) => readFileSync(join(editor.workspace, path), 'utf8')
      const zones = disk('desk/zones.mjs')
      for (const name of ['notes/ragged.txt', 'notes/open.txt', 'desk/zones.mjs']) await openFile(page, name)
      await goTo(page, 1)
      await type(page, ' Mine')
      await tab(page, 'zones.mjs').and(page.locator('.dirty')).waitFor()
      const match = 'Change them.' // typing asks for completions
      service.replies.add(
        {
          match,
          toolCalls: [
            edit('desk/zones.mjs', '  return surcharges[zone]\n', '  return surcharges[zone] ?? 0\n'),
            edit('notes/ragged.txt', 'two', 'three'),
            edit('notes/open.txt', 'b', 'c'),
            edit('notes/closed.txt', 'b', 'c'),
          ],
        },
        { match, toolCalls: [run('grep -c "Mine\\|?? 0" desk/zones.mjs')] },
        { match, text: 'All four.' },
      )
      await send(page, chat, match)
      await card(chat).getByText('desk/zones.mjs', { exact: false }).first().waitFor()
      await page.locator('.view-line', { hasText: 'cents. Mine' }).waitFor()
      await page.locator('.view-line', { hasText: '?? 0' }).waitFor()
      await tab(page, 'zones.mjs').and(page.locator('.dirty')).waitFor()
      assert.equal(disk('desk/zones.mjs'), zones, 'it is not saved')
      assert.deepEqual(
        ['ragged', 'open', 'closed'].map(name => disk(`notes/${name}.txt`)),
        ['one\nthree\n', 'a\r\nc\r\n', 'a\r\nc\r\n'],
      )
      const results = lastMessages(service).slice(-4)
      assert.match(results[0] ?? '', /changed in the editor and not saved/)
      assert.match(results[1] ?? '', /When it was saved, the editor changed it/)
      await allow(chat)
      await answers(chat, 'All four.')
      assert.match(lastMessages(service).at(-1) ?? '', /exit code 0\.\n2/)
      assert.match(disk('desk/zones.mjs'), /cents\. Mine\n.*\?\? 0\n/s)
      await undoAll(chat)
      const expected = { ...before, 'desk/zones.mjs': before['desk/zones.mjs']?.replace('cents.', 'cents. Mine') }
      assert.deepEqual(filesOf(editor), expected)
      await openFile(page, 'desk/zones.mjs')
      await page.keyboard.press('Control+Z')
      await page.keyboard.press('Control+Z')
      await closeFiles(page)
      rmSync(join(editor.workspace, 'notes'), { recursive: true })
      writeFileSync(join(editor.workspace, 'desk/zones.mjs'), zones)
    })
  })
})
