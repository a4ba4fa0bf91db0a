// The agent is stopped, steered, reloaded and killed in the middle of its work: nothing runs on, and nothing is lost.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from '@playwright/test'
import { message, reloadWindow, writeMessage } from '../editor/workbench.ts'
import { Gate } from '../localService/replies.ts'
import { callOf } from '../support/turnFixture.ts'
import {
  allow,
  answers,
  call,
  card,
  changedFiles,
  changeList,
  composer,
  filesOf,
  lastMessages,
  openAgent,
  processesWith,
  send,
  stopButton,
  undoAll,
} from './agentSteps.ts'
import { isQueued, queue, readyChat } from './chatSteps.ts'
import { storageOf } from './editorHarness.ts'
import { extensionHosts } from './extensionHosts.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'
import { unsentIn, untilStored } from './storedTexts.ts'

const edit = callOf('edit_file', {
  path: 'desk/zones.mjs',
  edits: [{ old_text: '  return surcharges[zone]\n', new_text: '  return surcharges[zone] ?? 0\n' }],
})
const run = (command: string) => callOf('run_command', { command, why: 'To see.' })
const interrupted = 'The answer was interrupted here.'

test.describe('the agent at work', () => {
  test('[A11] [A12] [A13] is stopped while a command runs and while a card waits, and is steered by what is sent meanwhile', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await openAgent(windows)
    const before = filesOf(editor)
    service.replies.add({ toolCalls: [edit, run('echo begun; sleep 3107')] })
    await send(page, chat, 'Be kind to unknown zones.')
    await allow(chat)
    await call(chat).getByText('begun', { exact: true }).waitFor()
    await send(page, chat, 'And say so in the README.')
    await isQueued(chat, 'And say so in the README.')
    await writeMessage(chat, 'half a thought')
    await stopButton(chat).click()
    await call(chat).getByText('Stopped').waitFor({ timeout: 2_000 })
    await expect.poll(() => processesWith('sleep 3107')).toEqual([])
    await expect(composer(chat)).toHaveValue('And say so in the README.\nhalf a thought')
    assert.equal(await queue(chat).count(), 0)
    await chat.getByRole('button', { name: 'Send' }).waitFor()
    assert.deepEqual(await changedFiles(chat), ['zones.mjs'])

    service.replies.add({ toolCalls: [run('touch never.txt')] })
    await send(page, chat, 'Then run it.')
    await card(chat).waitFor()
    await writeMessage(chat, 'half a thought')
    await stopButton(chat).click()
    await card(chat).waitFor({ state: 'detached' })
    await call(chat).getByText('Stopped').waitFor()
    assert.equal(await composer(chat).inputValue(), 'half a thought')

    const go = join(editor.workspace, '../go.txt')
    service.replies.add(
      { toolCalls: [run('until [ -e ../go.txt ]; do sleep 0.1; done; echo went on')] },
      { toolCalls: [run('touch never.txt')] },
      { text: 'As you like.' },
    )
    await send(page, chat, 'Wait for it.')
    await allow(chat)
    assert.match(lastMessages(service).join('\n'), /tool: Stopped by the user, who had not allowed it\./)
    await send(page, chat, 'In English, please.')
    await isQueued(chat, 'In English, please.')
    writeFileSync(go, '')
    await card(chat).getByText('touch never.txt').waitFor()
    const [answer = '', result = '', words = ''] = lastMessages(service).slice(-3)
    assert.match(answer, /^assistant:/)
    assert.match(result, /^tool: .*went on/s)
    assert.equal(words, 'user: In English, please.')
    await send(page, chat, 'No, without that file.')
    await answers(chat, 'As you like.')
    await call(chat).getByText('Declined').waitFor()
    assert.match(lastMessages(service).slice(-2).join('\n'), /They said: No, without that file\..*user: No, without/s)
    assert.equal(existsSync(join(editor.workspace, 'never.txt')), false)

    await undoAll(chat)
    rmSync(go)
    assert.deepEqual(filesOf(editor), before)
  })

  test('[A01] a reload while a card waits, and a crash while a command runs: nothing runs on, and all is undone', async ({
    service,
    editor,
    windows,
  }) => {
    const { page, chat } = await openAgent(windows, { isSpent: true })
    const before = filesOf(editor)
    const gate = new Gate(0)
    service.replies.add({ toolCalls: [edit] }, { toolCalls: [run('touch never.txt')], gate })
    await send(page, chat, 'Be kind to unknown zones.')
    await gate.reached
    await writeMessage(chat, 'half a thought')
    await composer(chat).blur() // what is left is saved at once
    gate.release()
    await card(chat).waitFor()
    await untilStored(page, 'half a thought')
    await reloadWindow(page)
    const again = await readyChat(page)
    await answers(again, interrupted)
    await call(again).getByText('Interrupted').waitFor()
    assert.equal(await card(again).count(), 0)
    await expect(composer(again)).toHaveValue('half a thought')
    assert.deepEqual(await changedFiles(again), ['zones.mjs'])
    assert.equal(inferences(service).length, 2, 'nothing was sent by itself')
    assert.equal(existsSync(join(editor.workspace, 'never.txt')), false)

    service.replies.add({ toolCalls: [run('echo more >> reports/delays.py; echo begun; sleep 3108')] })
    await send(page, again, 'Then run this.')
    await allow(again)
    await call(again).getByText('begun', { exact: true }).waitFor()
    assert.match(
      lastMessages(service).join('\n'),
      /tool: Interrupted: the editor was closed before the user had allowed/,
    )
    await reloadWindow(page)
    await readyChat(page)
    await call(again).getByText('Interrupted').waitFor()
    await expect.poll(() => processesWith('sleep 3108'), { timeout: 20_000 }).toEqual([])
    await expect.poll(() => changedFiles(again)).toEqual(['delays.py', 'zones.mjs'])

    service.replies.add({
      toolCalls: [
        callOf('edit_file', {
          path: 'README.md',
          edits: [{ old_text: '# Parcel desk\n', new_text: '# The parcel desk\n' }],
        }),
        run('echo crashed > crashed.txt; echo begun; sh -c "trap : TERM; sleep 3109; sleep 3109" & sleep 3109'),
      ],
    })
    await send(page, again, 'Go on.')
    await allow(again)
    await call(again).getByText('begun', { exact: true }).waitFor()
    await writeMessage(again, 'another half')
    await expect.poll(() => unsentIn(storageOf(editor))).toContain('another half')
    // That of this window alone: of several that start anew, any may be the one that lists what the command changed.
    process.kill(extensionHosts(editor).at(-1) ?? assert.fail('there is a host'), 'SIGKILL')
    await answers(again, interrupted)
    await call(again).getByText('Interrupted').waitFor()
    await expect.poll(() => processesWith('sleep 3109'), { timeout: 20_000 }).toEqual([])
    assert.equal(inferences(service).length, 4)
    await expect(composer(again)).toHaveValue('another half')
    await expect.poll(() => changedFiles(again)).toEqual(['README.md', 'delays.py', 'zones.mjs'])
    assert.match(readFileSync(join(editor.workspace, 'README.md'), 'utf8'), /^# The parcel/)
    const left = message(again, 'Kourier').getByRole('listitem').filter({ hasText: 'crashed.txt' })
    await left.getByText('Changed while a command ran').waitFor()
    rmSync(join(editor.workspace, 'crashed.txt'))
    await undoAll(again)
    assert.deepEqual(filesOf(editor), before)
    assert.equal(await changeList(again).count(), 0)
  })
})
