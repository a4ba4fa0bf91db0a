// The model reads, changes and runs in the user's folder, and the user sees, allows and undoes it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { message, writeMessage } from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { callOf } from '../support/turnFixture.ts'
import { allow, answerCard } from './agentSteps.ts'
import { openEmptyChat } from './chatSteps.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

const lastRequest = (service: Service) => JSON.stringify(inferences(service).at(-1)?.body)

test.describe('agent', () => {
  test('reads a file without a question, asks about a command, and runs it when that is allowed', async ({
    service,
    windows,
  }) => {
    const { page, chat } = await openEmptyChat(windows)
    await chat.getByRole('combobox', { name: 'Mode' }).waitFor()
    service.replies.add(
      { toolCalls: [callOf('read_file', { path: 'desk/parcel.ts' })] },
      { toolCalls: [callOf('run_command', { command: 'echo weighed', why: 'To weigh it.' })] },
      { text: 'It weighs two.' },
    )
    await writeMessage(chat, 'What does it weigh?')
    await page.keyboard.press('Enter')
    const card = chat.locator('.approvals').getByRole('group', { name: 'Tool: run_command' })
    await card.getByText('echo weighed').waitFor()
    assert.match(lastRequest(service), /desk\/parcel\.ts, lines 1 to/)
    await card.getByRole('button', { name: 'Allow', exact: true }).and(chat.locator(':focus')).waitFor()
    await allow(chat)
    await message(chat, 'Kourier').getByText('It weighs two.').waitFor()
    assert.match(lastRequest(service), /weighed/)
    await chat.getByRole('list', { name: 'What was done' }).getByText('3 requests').waitFor()
    await page.screenshot({ path: 'build/agent.png' })
  })

  test('[A73] repairs a failing test in the mode Edit with one question, and all of it is undone byte for byte', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await openEmptyChat(windows)
    const read = (name: string) => readFileSync(join(editor.workspace, 'desk', name), 'utf8')
    const before = ['postage.mjs', 'zones.mjs'].map(read)
    await chat.getByRole('combobox', { name: 'Mode' }).selectOption('Edit')
    await writeMessage(chat, 'Fix the failing test of the postage.')
    await page.keyboard.press('Enter')
    const card = chat.locator('.approvals').getByRole('group', { name: 'Tool: run_command' })
    await card.getByText('node --test desk/postage.test.mjs').waitFor()
    await page.screenshot({ path: 'build/agent-card.png' })
    await answerCard(chat, 'Allow for this chat')
    await message(chat, 'Kourier')
      .getByText(/All three tests/)
      .waitFor({ timeout: 60_000 })
    const done = chat.getByRole('list', { name: 'What was done' })
    await done.getByText('2 files changed').waitFor()
    await done.getByText('2 commands').waitFor()
    assert.match(lastRequest(service), /pass 3/)
    assert.match(read('postage.mjs'), /Math\.ceil/)
    const changes = chat.getByRole('list', { name: 'Changes', exact: true })
    assert.equal(await changes.getByRole('listitem').count(), 2)
    await page.screenshot({ path: 'build/agent-done.png' })
    await chat.getByRole('button', { name: 'Undo all' }).click()
    await changes.waitFor({ state: 'detached' })
    assert.deepEqual(['postage.mjs', 'zones.mjs'].map(read), before)
  })

  test('shows a change before it is made in the mode Ask, takes a reason for a no, and plans without changing', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await openEmptyChat(windows)
    const file = join(editor.workspace, 'desk/zones.mjs')
    const before = readFileSync(file, 'utf8')
    const edit = {
      path: 'desk/zones.mjs',
      edits: [{ old_text: '  return surcharges[zone]\n', new_text: '  return surcharges[zone] ?? 0\n' }],
    }
    service.replies.add({ toolCalls: [callOf('edit_file', edit)] }, { text: 'Then not.' })
    await writeMessage(chat, 'Be kind to unknown zones.')
    await page.keyboard.press('Enter')
    const card = chat.locator('.approvals').getByRole('group', { name: 'Tool: edit_file' })
    await card.getByText('+  return surcharges[zone] ?? 0').waitFor()
    await page.screenshot({ path: 'build/agent-edit.png' })
    await card.getByRole('button', { name: 'Allow', exact: true }).and(chat.locator(':focus')).waitFor()
    await page.keyboard.type('no, refuse them')
    await page.keyboard.press('Enter')
    await message(chat, 'Kourier').getByText('Then not.').waitFor()
    assert.match(lastRequest(service), /The user declined this call.*no, refuse them/)
    assert.equal(readFileSync(file, 'utf8'), before)
    await chat.getByRole('combobox', { name: 'Mode' }).selectOption('Plan')
    await writeMessage(chat, 'Plan how to fix the failing test.')
    await page.keyboard.press('Enter')
    await message(chat, 'Kourier')
      .getByText(/Math\.ceil/)
      .waitFor()
    await chat.getByRole('button', { name: 'Start' }).waitFor()
    assert.equal(readFileSync(file, 'utf8'), before)
  })
})
