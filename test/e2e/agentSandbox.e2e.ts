// In the mode Sandbox commands run without a question, and reach neither other files nor the network.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { callOf } from '../support/turnFixture.ts'
import {
  answers,
  call,
  card,
  changedFiles,
  deny,
  filesOf,
  lastMessages,
  modeOf,
  openAgent,
  send,
  stopButton,
  undoAll,
} from './agentSteps.ts'
import { test } from './fixtures.ts'

const inside = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true']
const holds = spawnSync('bwrap', inside).status === 0

/** The probe works in the home folder, and all below `/tmp` is another folder in the sandbox. */
const home = join(import.meta.dirname, '../../build/home')
mkdirSync(home, { recursive: true })
test.use({ editorNeeds: { env: { HOME: home } } })

const run = (command: string) => callOf('run_command', { command, why: 'To see.' })

test('[A65] a command in the sandbox is not asked about, changes what is undone, and comes to nothing else', async ({
  service,
  editor,
  windows,
}) => {
  test.skip(!holds, 'bubblewrap is not there, or cannot make a sandbox in this system')
  const { page, chat } = await openAgent(windows)
  const before = filesOf(editor)
  const outside = join(home, 'outside.txt')
  rmSync(outside, { force: true })
  service.replies.add({ text: 'Hello.' })
  await send(page, chat, 'Hello?')
  await answers(chat, 'Hello.')
  await modeOf(chat).getByRole('option', { name: 'Sandbox' }).waitFor({ state: 'attached' })
  await modeOf(chat).selectOption('Sandbox')

  const { port } = new URL(service.baseUrl)
  const connect = `node -e "require('net').connect(${port},'127.0.0.1').on('connect',()=>{console.log('reached');process.exit()}).on('error',()=>console.log('not there'))"`
  const tries = `echo made > inside.txt; (echo out > $HOME/outside.txt) 2>/dev/null; cat .env 2>/dev/null; ${connect}`
  service.replies.add({ toolCalls: [run(tries)] }, { text: 'Tried.' })
  await send(page, chat, 'Try it.')
  await answers(chat, 'Tried.')
  assert.match(lastMessages(service).at(-1) ?? '', /exit code 0\..*\nnot there\n/s)
  assert.equal(existsSync(outside), false)
  await expect.poll(() => changedFiles(chat)).toEqual(['inside.txt'])

  service.replies.add({ toolCalls: [run('echo out > $HOME/outside.txt')] }, { text: 'Then not.' })
  await send(page, chat, 'And outside?')
  await card(chat).getByText('echo out > $HOME/outside.txt').waitFor()
  await deny(chat)
  await answers(chat, 'Then not.')
  await call(chat).getByText('Declined').waitFor()
  assert.equal(existsSync(outside), false)

  service.replies.add({ toolCalls: [run('echo begun; sleep 3113')] })
  await send(page, chat, 'And for long?')
  await call(chat).getByText('begun', { exact: true }).waitFor()
  await stopButton(chat).click()
  await call(chat).getByText('Stopped').waitFor({ timeout: 2_000 })
  await undoAll(chat)
  assert.deepEqual(filesOf(editor), before)
})
