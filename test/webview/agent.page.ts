// What a turn of the agent asks, shows and takes, by keyboard and mouse.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import type { ToPage } from '../../src/protocol/panel.ts'
import { agentTurn, longPreview, plan } from '../support/agentTurn.ts'
import { test } from './fixtures.ts'

const signedIn: ToPage = { kind: 'account', account: { is: 'in', service: 'Example AI', email: 'ada@example.com' } }
const card = (page: Page, tool: string) => page.locator('.approvals').getByRole('group', { name: `Tool: ${tool}` })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const isFocused = (page: Page, name: string) => button(page, name).first().and(page.locator(':focus')).waitFor()

test.describe('a question', () => {
  test('[A68] [A69] takes the focus of an empty composer, and Enter allows what has the focus', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn])
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await chat.post(...agentTurn({ asks: ['command'] }))
    await card(page, 'run_command').getByText('node --test desk/postage.test.mjs').waitFor()
    await isFocused(page, 'Allow')
    await page.keyboard.press('Enter')
    const answer = await chat.received('answer-questions')
    assert.deepEqual(answer.answers, [{ question: 'q-command', is: 'allow' }])
  })

  test('takes no press of the pointer that comes too soon after it is there, or has moved', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn], { hasClock: true })
    await chat.post(...agentTurn({ asks: ['edit', 'command'] }))
    const allow = card(page, 'edit_file').getByRole('button', { name: 'Allow', exact: true })
    const isTaken = async () => {
      await allow.click()
      return chat.sent.some(({ kind }) => kind === 'answer-questions')
    }
    assert.equal(await isTaken(), false, 'it has just appeared')
    await page.clock.runFor(300)
    await page.getByRole('textbox', { name: 'Message' }).fill('And\nthen\nthe\nzones')
    await page.clock.runFor(20)
    assert.equal(await isTaken(), false, 'it has just moved')
    await page.clock.runFor(300)
    assert.equal(await isTaken(), true)
  })

  test('takes no Enter that was held, or pressed twice, when it took the focus', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('Weigh it')
    await page.keyboard.down('Enter')
    await chat.received('send')
    await chat.post(...agentTurn({ asks: ['command'] }))
    await isFocused(page, 'Allow')
    await page.keyboard.down('Enter')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.keyboard.press('Escape')
    const { answers } = await chat.received('answer-questions')
    assert.deepEqual(answers, [{ question: 'q-command', is: 'deny' }], 'the first answer')
  })

  test('[A68] leaves the focus of a composer with text where it is', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await page.getByRole('textbox', { name: 'Message' }).fill('And then')
    await chat.post(...agentTurn({ asks: ['command'] }))
    await card(page, 'run_command').waitFor()
    await page.keyboard.type('?')
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'And then?')
  })

  test('[A68] several are one card: reads first, arrows between them, one answer for all', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn])
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await chat.post(...agentTurn({ asks: ['edit', 'command', 'secret'] }))
    const groups = page.locator('.approvals').getByRole('group')
    assert.match((await groups.first().textContent()) ?? '', /\.env.*may hold secrets/s)
    assert.equal(await card(page, 'read_file').getByRole('button', { name: 'Allow for this chat' }).count(), 0)
    await isFocused(page, 'Allow')
    assert.ok(await button(page, 'Allow all 3').isDisabled(), 'the last was not seen yet')
    const list = page.locator('.approvals-list')
    await list.evaluate(box => box.scrollTo(0, box.scrollHeight))
    await button(page, 'Allow all 3').press('Enter')
    const { answers } = await chat.received('answer-questions')
    assert.deepEqual(
      answers.map(({ question, is }) => [question, is]),
      [
        ['q-secret', 'allow'],
        ['q-edit', 'allow'],
        ['q-command', 'allow'],
      ],
    )
  })

  test('[A68] Escape declines and does not stop the answer; letters begin the reason', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await chat.post(...agentTurn({ asks: ['edit'] }))
    await isFocused(page, 'Allow')
    await page.keyboard.press('Escape')
    assert.deepEqual((await chat.received('answer-questions')).answers, [{ question: 'q-edit', is: 'deny' }])
    assert.equal(chat.sent.filter(({ kind }) => kind === 'stop').length, 0)
    await button(page, 'Allow').focus()
    await page.keyboard.type('not this file')
    await page.keyboard.press('Enter')
    assert.deepEqual((await chat.received('answer-questions')).answers, [
      { question: 'q-edit', is: 'deny', reason: 'not this file' },
    ])
  })

  test('[A70] a long command can be allowed only once its end was seen', async ({ openChat, page }) => {
    const command = Array.from({ length: 80 }, (_, at) => `echo line ${at}`).join('\n')
    const chat = await openChat([signedIn])
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await chat.post(...agentTurn({ asks: ['command'], command }))
    await card(page, 'run_command').getByText('Scroll to the end').or(page.getByText('Scroll to the end')).waitFor()
    assert.ok(await button(page, 'Allow').isDisabled())
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.press('End')
    await isFocused(page, 'Allow')
    assert.equal(chat.sent.filter(({ kind }) => kind === 'answer-questions').length, 0, 'nothing was allowed unseen')
    await page.keyboard.press('Enter')
    assert.equal((await chat.received('answer-questions')).answers[0]?.is, 'allow')
  })

  test('[A70] a change that is longer than the card can be allowed only once its diff was opened', async ({
    openChat,
    page,
  }) => {
    const chat = await openChat([signedIn])
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await chat.post(...agentTurn({ asks: ['edit'], change: longPreview }))
    await page.getByText('only then can it be allowed').waitFor()
    const list = page.locator('.approvals-list')
    await list.evaluate(box => box.scrollTo(0, box.scrollHeight))
    await page.getByText('Scroll to the end').waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+Enter')
    assert.ok(await button(page, 'Allow').isDisabled())
    assert.ok(await button(page, 'Allow for this chat').isDisabled())
    await page.keyboard.press('d')
    assert.equal((await chat.received('show-proposed')).part, 'edit')
    await isFocused(page, 'Allow')
    assert.equal(chat.sent.filter(({ kind }) => kind === 'answer-questions').length, 0, 'nothing was allowed unseen')
  })

  test('[A63] a command is shown whole, with its folder, its shell, what is saved before it and what cannot be undone', async ({
    openChat,
    page,
  }) => {
    const command = `cd desk && ${'node --test '.repeat(40)}postage.test.mjs`
    const chat = await openChat([signedIn])
    await chat.post(...agentTurn({ asks: ['command'], command, saves: ['desk/zones.mjs', 'desk/postage.mjs'] }))
    const shown = card(page, 'run_command')
    assert.equal(await shown.locator('.approval-command').textContent(), command)
    for (const words of [
      /parcel-desk.*bash/,
      /desk\/zones\.mjs, desk\/postage\.mjs/,
      /8 .*31/,
      /To see which of the tests fail\./,
    ])
      await shown.getByText(words).waitFor()
  })

  test('[A75] [T36] [A63] hidden characters of a command are seen', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await chat.post(...agentTurn({ asks: ['command'], command: 'rm \u202e-rf\u200b x' }))
    const shown = await card(page, 'run_command').locator('.approval-command').textContent()
    assert.doesNotMatch(shown ?? '', /[\u202e\u200b]/)
    assert.match(shown ?? '', /⟦|U\+|202E/i)
  })

  test('[A07] whether the turn goes on is asked in words', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await chat.post(...agentTurn({ asks: ['continue'] }))
    await page.getByText('Kourier has worked for 40 requests. Go on?').last().waitFor()
    await button(page, 'Stop here').press('Enter')
    assert.deepEqual((await chat.received('answer-questions')).answers, [{ question: 'q-continue', is: 'deny' }])
  })

  test('its change is opened as a diff by the letter d', async ({ openChat, page }) => {
    const chat = await openChat([signedIn])
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await chat.post(...agentTurn({ asks: ['edit'] }))
    await isFocused(page, 'Allow')
    await page.keyboard.press('d')
    assert.equal((await chat.received('show-proposed')).part, 'edit')
  })
})

test('[A76] the instruction files that came with a result are named in the chat, with their sizes, and opened', async ({
  openChat,
  page,
}) => {
  const chat = await openChat([signedIn])
  await chat.post(...agentTurn({ isEnded: true }))
  const list = page.getByRole('group', { name: 'Tool: read_file' }).getByRole('list')
  assert.deepEqual(await list.getByRole('listitem').allTextContents(), [
    'With the instructions in desk/AGENTS.md (1.2k bytes)',
    'Without the instructions in desk/more/AGENTS.md, because there are too many',
  ])
  assert.equal(await page.getByRole('group', { name: 'Tool: search_text' }).getByRole('list').count(), 0)
  await button(page, 'Open desk/AGENTS.md').click()
  const { turn, part, instructions } = await chat.received('open-part')
  assert.deepEqual([turn, part, instructions], ['a', 'read', 'file:///w/desk/AGENTS.md'])
})

test('how a command has ended is seen without unfolding it, unless it has ended well', async ({ openChat, page }) => {
  const chat = await openChat([signedIn])
  const ended = [{ exitCode: 1 }, { signal: 'SIGKILL' }, { exitCode: 0 }]
  await chat.post(...agentTurn({ isEnded: true, command: 'make', ended }))
  const calls = page.getByRole('group', { name: 'Tool: run_command' })
  assert.deepEqual(await calls.allInnerTexts(), [
    'Run make\nDeclined',
    'Run make\nExit code 1',
    'Run make\nEnded by SIGKILL',
    'Run make',
  ])
})

test('the mode is selected below the composer', async ({ openChat, page }) => {
  const chat = await openChat([signedIn])
  await chat.post(...agentTurn({ isEnded: true }))
  await page.getByRole('combobox', { name: 'Mode' }).selectOption('Edit')
  assert.equal((await chat.received('set-mode')).mode, 'edit')
})

test('[A15] the plan, the commands in the background, and what was done in the end', async ({ openChat, page }) => {
  const chat = await openChat([signedIn])
  await chat.post(...agentTurn({ plan, commands: [{ id: 3, command: 'npm run watch' }], isEnded: true }))
  await page.getByText('1 of 3').click()
  const steps = page.getByRole('list', { name: 'Plan' }).getByRole('listitem')
  assert.deepEqual(await steps.allTextContents(), [
    'Done:Find out what fails',
    '▸Now:Repair the two functions, and look for others of the same kind in the rest of the desk',
    '○Open:Run the test again',
  ])
  await button(page, 'Stop npm run watch').click()
  assert.equal((await chat.received('stop-command')).command, 3)
  await page.getByRole('list', { name: 'What was done' }).getByText('1 request').waitFor()
  await page.getByRole('group', { name: 'Tool: search_text' }).getByText('Search “postage”').click()
  await page.getByText('desk/postage.test.mjs').waitFor()
})

test('an exploration is stopped alone', async ({ openChat, page }) => {
  const chat = await openChat([signedIn])
  await chat.post(...agentTurn({ isExploring: true }))
  const call = page.getByRole('group', { name: 'Tool: explore' })
  await call.getByRole('button', { name: 'Stop only this' }).click()
  assert.equal((await chat.received('stop-call')).part, 'explore')
  assert.equal(await button(page, 'Stop only this').count(), 1, 'what takes no time has no such button')
})

test('a plan is carried out by Start', async ({ openChat, page }) => {
  const chat = await openChat([signedIn])
  await chat.post(...agentTurn({ mode: 'plan', isEnded: true }))
  await button(page, 'Start').click()
  await chat.received('start-plan')
})
