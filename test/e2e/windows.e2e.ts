// Four windows of one person on a plan of three requests: whatever they do nobody is refused, who waits sees it, and a
// window that crashes holds nobody up.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { ask, openChat, statusBarItem } from '../editor/workbench.ts'
import { randomFrom } from '../support/random.ts'
import { extensionHosts } from './extensionHosts.ts'
import { message, World } from './world.ts'

const seed = Number(process.env['KOURIER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const QUESTIONS = 3

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

describe('four windows', () => {
  /** In an editor of their own: the first is the oldest there, and no other has the desk. */
  const world = new World({ around: async () => ({}) })

  async function open(page: Page): Promise<FrameLocator> {
    await statusBarItem(page, /Signed in to/).waitFor()
    const chat = await openChat(page)
    await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor()
    return chat
  }

  it('share three slots: the fourth waits visibly, and has the slot of a window that crashed', async t => {
    t.diagnostic(`KOURIER_SEED=${seed}`)
    const random = randomFrom(seed)
    const { page } = await world.signedInWindow()
    const pages = [page]
    const chats = [await open(page)]
    for (let at = 1; at < 4; at++) {
      const next = await world.window()
      pages.push(next)
      chats.push(await open(next))
    }
    const [first, second, third, fourth] = chats
    assert.ok(first && second && third && fourth)
    for (let at = 0; at < chats.length * QUESTIONS; at++)
      world.service.replies.add({ text: 'Here you are.', delayMs: 500 + random() * 1_500 })
    // However slow the machine is, three of the first four questions are under way at once.
    const gates = [1, 2, 3].map(() => world.service.replies.hold())
    const chatting = Promise.all(chats.map((chat, at) => chatAtRandom(chat, randomFrom(seed + at))))
    await Promise.race([Promise.all(gates.map(({ reached }) => reached)), chatting])
    for (const gate of gates) gate.release()
    await chatting
    const inferences = () => world.service.log.calls.filter(({ path }) => path === '/v1/chat/completions')
    assert.deepEqual(
      inferences().filter(({ status }) => status === 429),
      [],
      'nobody was refused',
    )
    assert.ok(
      inferences().some(({ openAtStart }) => openAtStart === 2),
      'and all slots were in use',
    )
    world.service.replies.clear()
    world.clearLog()
    for (const [at, chat] of [first, second, third].entries()) {
      const gate = world.service.replies.hold(1)
      await ask(chat, `Question ${at}`)
      await gate.reached
    }
    await ask(fourth, 'And mine?')
    const wait = fourth.getByRole('status')
    await wait.getByText('Waiting for a free slot (3 of 3 in use)').waitFor()
    const details = await fourth.getByRole('list', { name: 'Slots in use' }).getByRole('listitem').allTextContents()
    assert.equal(details[0], 'You are next.')
    assert.equal(details.filter(text => text.includes('chat')).length > 0, true, details.join())
    const fourthPage = pages[3]
    assert.ok(fourthPage)
    await statusBarItem(fourthPage, /Kourier: waiting/).waitFor()

    const hosts = extensionHosts(world.editor)
    assert.equal(hosts.length, 4)
    // The first window keeps the desk as well as a slot.
    process.kill(hosts[0] ?? 0, 'SIGKILL')
    world.service.replies.add({ text: 'Yours too.' })
    await message(fourth, 'Kourier').getByText('Yours too.').waitFor()
    assert.deepEqual(
      inferences().map(({ status }) => status),
      [200, 200, 200, 200],
      'nobody was refused',
    )
    world.service.replies.releaseAll()
    for (const chat of [second, third]) await chat.getByRole('button', { name: 'Send' }).waitFor()
  })
})
