// Four windows of one person on a plan of three requests: whatever they do nobody is refused, who waits sees it, and a
// window that crashes holds nobody up.
import assert from 'node:assert/strict'
import type { FrameLocator, Page } from '@playwright/test'
import { ask, goTo, message, openChat, openFile, runCommand, statusBarItem, type } from '../editor/workbench.ts'
import type { Call } from '../localService/callLog.ts'
import { Gate } from '../localService/replies.ts'
import type { Service } from '../localService/server.ts'
import { randomFrom } from '../support/random.ts'
import { extensionHosts } from './extensionHosts.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

const seed = Number(process.env['KOURIER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const QUESTIONS = 3
/** Where the text belongs that a completion asks for; a chat names the files of the folder as well. */
const CURSOR = '▮'

/** Asks, reads, thinks and asks again; now and then, but not at first, it does not want to know any more. */
async function chatAtRandom(chat: FrameLocator, random: () => number): Promise<void> {
  for (let at = 0; at < QUESTIONS; at++) {
    await ask(chat, `Question ${at}`)
    await message(chat, 'You', at).waitFor()
    const isStopped = at > 0 && random() < 0.3
    if (isStopped) await chat.getByRole('textbox', { name: 'Message' }).press('Escape')
    await chat.getByRole('button', { name: 'Send' }).waitFor()
    if (!isStopped) await message(chat, 'Kourier').getByText('Here you are.').waitFor()
  }
}

test.describe('four windows', () => {
  // In an editor of their own: the first is the oldest there, and no other is the coordinator.
  // A completion that is replaced frees its slot, which two chats may take before the next one: only one is asked for.
  test.use({ editorNeeds: {}, settings: { 'kourier.completions.mode': 'subtle' } })

  async function open(page: Page): Promise<FrameLocator> {
    await statusBarItem(page, /Signed in to/).waitFor()
    const chat = await openChat(page)
    await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
    return chat
  }

  /** Each holds a slot when this resolves, and goes on holding it. */
  async function askHeld(service: Service, ...chats: readonly FrameLocator[]): Promise<void> {
    for (const [at, chat] of chats.entries()) {
      const gate = service.replies.hold(1)
      await ask(chat, `Question ${at}`)
      await gate.reached
    }
  }

  test('share three slots: a completion gives way to the chat of another, the fourth waits visibly, and has the slot of a window that crashed', async ({
    service,
    editor,
    windows,
    serviceHarness,
  }) => {
    test.info().annotations.push({ type: 'seed', description: `KOURIER_SEED=${seed}` })
    const random = randomFrom(seed)
    const { page } = await windows.openSignedIn()
    const pages = [page]
    const chats = [await open(page)]
    for (let at = 1; at < 4; at++) {
      const next = await windows.open()
      pages.push(next)
      chats.push(await open(next))
    }
    const [first, second, third, fourth] = chats
    assert.ok(first && second && third && fourth)
    for (let at = 0; at < chats.length * QUESTIONS; at++)
      service.replies.add({ text: 'Here you are.', delayMs: 500 + random() * 1_500 })
    // However slow the machine is, three of the first four questions are under way at once.
    const gates = [1, 2, 3].map(() => service.replies.hold())
    const chatting = Promise.all(chats.map((chat, at) => chatAtRandom(chat, randomFrom(seed + at))))
    await Promise.race([Promise.all(gates.map(({ reached }) => reached)), chatting])
    for (const gate of gates) gate.release()
    await chatting
    assert.deepEqual(
      inferences(service).filter(({ status }) => status === 429),
      [],
      'nobody was refused',
    )
    assert.ok(
      inferences(service).some(({ openAtStart }) => openAtStart === 2),
      'and all slots were in use',
    )

    service.replies.clear()
    serviceHarness.clearLog()
    const [, , thirdPage, fourthPage] = pages
    assert.ok(thirdPage && fourthPage)
    await openFile(thirdPage, 'reports/delays.py')
    await goTo(thirdPage, 10_000)
    await type(thirdPage, '\n\ndef ')
    service.replies.add({ match: CURSOR, text: 'never', gate: new Gate(0) })
    await runCommand(thirdPage, 'Trigger Inline Suggestion')
    const isCompletion = ({ body }: Call) => JSON.stringify(body ?? null).includes(CURSOR)
    const completion = await service.log.until(call => isCompletion(call) && call.status === 200)
    await askHeld(service, first, second)
    service.replies.add({ match: 'And mine?', text: 'Yours as well.' })
    await ask(fourth, 'And mine?')
    await message(fourth, 'Kourier').getByText('Yours as well.').waitFor()
    await service.log.until(call => call === completion && call.isAborted)
    assert.ok(
      inferences(service).every(({ status }) => status === 200),
      'and nobody was refused',
    )
    service.replies.clear()
    for (const chat of [first, second]) await chat.getByRole('button', { name: 'Send' }).waitFor()

    serviceHarness.clearLog()
    await askHeld(service, first, second, third)
    await ask(fourth, 'And now?')
    const wait = fourth.getByRole('status')
    await wait.getByText('Waiting for a free slot (3 of 3 in use)').waitFor()
    const details = await fourth.getByRole('list', { name: 'Slots in use' }).getByRole('listitem').allTextContents()
    assert.equal(details[0], 'You are next.')
    assert.equal(details.filter(text => text.includes('chat')).length > 0, true, details.join())
    await statusBarItem(fourthPage, /Kourier: waiting/).waitFor()

    const hosts = extensionHosts(editor)
    assert.equal(hosts.length, 4)
    // The first window is the leader, and holds a slot as well.
    process.kill(hosts[0] ?? 0, 'SIGKILL')
    service.replies.add({ text: 'Yours too.' })
    await message(fourth, 'Kourier').getByText('Yours too.').waitFor()
    assert.deepEqual(
      inferences(service).map(({ status }) => status),
      [200, 200, 200, 200],
      'nobody was refused',
    )
    service.replies.releaseAll()
    for (const chat of [second, third]) await chat.getByRole('button', { name: 'Send' }).waitFor()
  })
})
