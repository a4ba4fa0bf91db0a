// The page in German, whose words are longer: nothing runs out of its box, at the narrowest width and at a usual one.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import type { PanelAccount, PanelActivity, ToPage } from '../../src/protocol/panel.ts'
import { PageConversation } from '../support/pageConversation.ts'
import { chatStates } from './chatStates.ts'
import { test } from './fixtures.ts'
import { overflowing } from './overflowing.ts'

const service = 'Beispiel AG'
const account = (value: PanelAccount): ToPage => ({ kind: 'account', account: value })
const signedIn = account({ is: 'in', service, email: 'ada@beispiel.example' })
const activity = (value: PanelActivity): ToPage => ({ kind: 'activity', conversation: 'c', activity: value })
const idle = activity({ is: 'idle' })
const model: ToPage = { kind: 'model', id: 'beispiel/gross-2' }

const host = 'app.beispiel.example'
const code = { is: 'code', service, code: '4821 7730', host, tag: 'bernstein-fuchs', isRenewing: false } as const

/** Each state of the page with words of its own. */
function scenes(): Readonly<Record<string, readonly ToPage[]>> {
  const conversation = new PageConversation()
  const question = { role: 'user', id: 'q', text: 'Warum?' } as const
  const text = '```ts src/paket.ts\nconst a = 1\n```\n\n```sh\nls\n```\n'
  const answers = conversation.replay(
    question,
    { role: 'assistant', id: 'a', text, state: 'whole', earlier: ['Früher'] },
    { ...question, id: 'q2' },
    { role: 'assistant', id: 'b', text: 'Weil', state: 'length' },
  )
  const file = { change: 'modified', hunks: 1, addedLines: 20, removedLines: 3 } as const
  const reviews = ['open', 'kept', 'undone', 'partly-undone'] as const
  const files = reviews.map(review => ({ ...file, uri: `file:///paket-${review}.ts`, review }))
  const changes = conversation.append({
    kind: 'part-started',
    turn: 'b',
    value: { kind: 'change-set', id: 'x', files },
  })
  const wait = {
    text: 'Das Limit des Tarifs ist erreicht; nächster Versuch in {time}',
    time: { left: 7e6 },
    details: ['Sie sind als Nächstes an der Reihe.', 'Belegt durch ein anderes Fenster: Vervollständigung.'],
  }
  return {
    'signed out': [account({ is: 'out', service, canUseBrowser: true })],
    'a code': [account({ ...code, qr: { size: 21, path: 'M0 0h7v1h-7z' }, remainingMs: 125_000 })],
    'a code that has run out': [account({ ...code, remainingMs: 0 })],
    'an empty chat': [signedIn, new PageConversation().replay(), idle],
    'answers and changes': [signedIn, model, { kind: 'limits', mayRun: true }, answers, changes, idle],
    'a wait': [
      signedIn,
      model,
      new PageConversation().replay(question),
      activity({ is: 'waiting', wait, mayRetryNow: true }),
    ],
  }
}

/** Words of letters alone that are broken into lines, with what they are in; the host and the code are no words. */
function broken(page: Page): Promise<string[]> {
  return page.evaluate(`{
    const found = []
    const walker = document.createTreeWalker(document.getElementById('root'), NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement.checkVisibility()) continue
      for (const word of node.data.matchAll(/(?<!\\S)\\p{L}+[.,:;…?]?(?!\\S)/gu)) {
        const range = document.createRange()
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top))
        if (lines.size > 1) found.push(word[0] + ' in ' + node.data)
      }
    }
    found
  }`)
}

test('of a button that removes a file with a long name, the name is cut and not the verb', async ({
  openChat,
  page,
}) => {
  const name = 'eine-datei-mit-einem-recht-langen-namen.test.tsx'
  const trouble = { text: 'Die Nachricht ist zu lang.', drops: [{ chip: 'x', label: name }], helps: [] }
  const parts = [{ kind: 'text' as const, tokens: 300_000 }]
  const use = { tokens: 300_000, limit: 200_000, mayCompact: false, isCompacting: false, parts, trouble }
  const messages: ToPage[] = [signedIn, model, new PageConversation().replay(), idle]
  await openChat([...messages, { kind: 'context-use', conversation: 'c', use }], { language: 'de', width: 260 })
  await page.getByRole('button', { name: `${name} entfernen` }).waitFor()
  const inside = await page.evaluate(`{
    const button = document.querySelector('.drop-name').parentElement
    const words = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
    while (words.nextNode() && !words.currentNode.data.includes('entfernen')) continue
    const range = document.createRange()
    range.selectNodeContents(words.currentNode)
    const [verb, box] = [range.getBoundingClientRect(), button.getBoundingClientRect()]
    ;[verb.width > 0, verb.right <= box.right, box.right <= innerWidth]
  }`)
  assert.deepEqual(inside, [true, true, true])
})

test('of several questions in a narrow page, the buttons of one never cover what it asks', async ({
  openChat,
  page,
}) => {
  const { messages } = chatStates['several questions'] ?? { messages: [] }
  await openChat([...messages], { language: 'de', width: 200, height: 560 })
  await page.getByRole('button', { name: 'Alle ablehnen' }).waitFor()
  const covered = await page.evaluate(`{
    const list = document.querySelector('.approvals-list')
    const found = []
    for (let top = 0; top <= list.scrollHeight - list.clientHeight; top += 10) {
      list.scrollTop = top
      const { bottom } = list.getBoundingClientRect()
      for (const actions of list.querySelectorAll('.approval-actions')) {
        const title = actions.closest('.approval').querySelector('.approval-title').getBoundingClientRect()
        const box = actions.getBoundingClientRect()
        if (box.top < bottom && box.top < title.bottom - 1) found.push(top)
      }
    }
    found
  }`)
  assert.deepEqual(covered, [])
})

const looks = [
  ['dark', 200],
  ['light', 420],
] as const

for (const [theme, width] of looks)
  for (const [name, messages] of Object.entries(scenes()))
    test(`${name}: fits into ${width} px, ${theme}`, async ({ openChat, page }) => {
      const chat = await openChat(messages, { language: 'de', theme, width, height: 900 })
      assert.deepEqual({ outside: await overflowing(page), broken: await broken(page) }, { outside: [], broken: [] })
      assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
    })
