// The page in another language: every word on it that is not the user's, the model's or the service's is translated.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import type { PanelAccount, PanelActivity, ToPage } from '../../src/protocol/panel.ts'
import { agentTurn, plan } from '../support/agentTurn.ts'
import { PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'
import { test } from './fixtures.ts'

// What is not ours is Greek here, so a Latin letter outside of the marks is a word that was not translated.
const service = 'Υπηρεσία'
const account = (value: PanelAccount): ToPage => ({ kind: 'account', account: value })
const signedIn = account({ is: 'in', service, email: 'άδα@παράδειγμα' })
const activity = (value: PanelActivity): ToPage => ({ kind: 'activity', conversation: 'c', activity: value })
const conversation = new PageConversation()
const question = { role: 'user', id: 'q', text: 'Γιατί;' } as const
const answer = (text: string, state: 'whole' | 'streaming' | 'stopped' | 'cut-off' = 'whole', id = 'a') =>
  ({ role: 'assistant', id, text, state }) as const
const isMarked = true

/** The texts of the page, seen and unseen, and those of its attributes, each without what is between marks. */
async function unmarked(page: Page): Promise<string[]> {
  const texts = await page.evaluate(`[
    document.getElementById('root').textContent,
    ...[...document.querySelectorAll('#root *')].flatMap(element =>
      ['aria-label', 'title', 'placeholder', 'alt'].flatMap(name => element.getAttribute(name) ?? [])),
  ]`)
  return (texts as string[]).map(withoutMarked).filter(text => /[A-Za-z]/.test(text))
}

function withoutMarked(text: string): string {
  const shorter = text.replace(/«[^«»]*»/g, '')
  return shorter === text ? text : withoutMarked(shorter)
}

async function assertTranslated(chat: ChatPage, ...expected: readonly string[]): Promise<void> {
  assert.deepEqual(await unmarked(chat.page), [])
  const shown = String(await chat.page.evaluate("document.getElementById('root').innerHTML"))
  for (const text of expected) assert.ok(shown.includes(text), `${text} is shown`)
  assert.deepEqual({ faults: chat.faults, requests: chat.strayRequests }, { faults: [], requests: [] })
}

test('signing in', async ({ openChat }) => {
  const chat = await openChat([account({ is: 'out', service, canUseBrowser: true })], { isMarked })
  await assertTranslated(chat, `«Sign in to ${service}»`, '«Sign in with the browser»', '«Use an API key»')
  await chat.post(account({ is: 'signing-in', service, text: 'Περίμενε' }))
  await assertTranslated(chat, '«Cancel»')
})

test('a code, its time and its end', async ({ openChat, page }) => {
  const chat = await openChat([], { isMarked, hasClock: true })
  const code = { is: 'code', service, code: '4821 7730', host: 'παράδειγμα', tag: 'αλεπού', isRenewing: false } as const
  const qr = { size: 21, path: 'M0 0h7v1h-7z' }
  await chat.post(account({ ...code, qr, remainingMs: 125_000 }))
  await assertTranslated(chat, '«2:05 left»', '«3 minutes left»', '«QR code for παράδειγμα»', '«Open browser»')
  await page.getByRole('button', { name: '«Copy code»' }).click()
  await page.clock.runFor(70_000)
  await assertTranslated(chat, '«1 minute left»', '«Code copied»')
  await page.clock.runFor(30_000)
  await assertTranslated(chat, '«Less than half a minute left»')
  await page.clock.runFor(60_000)
  await assertTranslated(chat, '«This code has expired.»')
  await chat.post(account({ ...code, remainingMs: 0, isRenewing: true }))
  await assertTranslated(chat, '«Getting a new code…»')
})

test('an empty conversation', async ({ openChat, page }) => {
  const chat = await openChat([signedIn, conversation.replay()], { isMarked })
  await assertTranslated(
    chat,
    '«What are you working on?»',
    '«Message»',
    '«Ask anything, @ context, / commands»',
    '«Select a model»',
  )
  await page.getByRole('button', { name: '«Explain' }).click()
  assert.match(await page.getByRole('textbox').inputValue(), /^«Explain .*»$/)
  await chat.post({ kind: 'model', id: '1' }, { kind: 'settings', sendOnEnter: false })
  await assertTranslated(chat, '«Model: 1»', '«Send (Ctrl+Enter)»')
})

test('answers, and what is in them', async ({ openChat, page }) => {
  const rows = `| α |\n|---|\n${'| 1 |\n'.repeat(202)}`
  const image = '![όνομα](https://α.gr/1) ![](https://α.gr/2)'.replaceAll('https', 'HTTPS')
  const hidden = `α${'\u200b'.repeat(9)}`
  const long = `\`\`\`\n${'α'.repeat(30_000)}\n\`\`\``
  const chat = await openChat([signedIn], { isMarked })
  await chat.post(
    conversation.replay(
      { role: 'user', text: 'α'.repeat(5_000), id: 'u' },
      { ...answer([rows, hidden, long].join('\n\n')), earlier: ['α', 'β'] },
      { ...question, id: 'u2' },
      answer('α', 'stopped', 'b'),
      { ...question, id: 'u3' },
      answer('α', 'cut-off', 'c'),
    ),
    activity({ is: 'idle' }),
  )
  await page.getByRole('button', { name: '«Copy»', exact: true }).click()
  await assertTranslated(chat, '«Show all (2 more rows)»', '⟦«9 hidden characters»⟧', '«Code: «text»»', '«Copied»')
  await assertTranslated(chat, '«3 of 3»', '«Stopped.»', '«The answer was interrupted here.»', '«Show all»')
  await assertTranslated(chat, '«Branch from here»', '«Delete message»', '«Continue»', '«Previous version»')
  assert.equal(await page.locator('.k-mark').textContent(), '⟦«9 hidden characters»⟧')
  await chat.post(conversation.replay(question, answer(image)))
  const names = await page.getByRole('link').allTextContents()
  assert.deepEqual(names, ['«Image: όνομα»', '«Image: without a name»'])
  await chat.post(conversation.replay(question))
  await assertTranslated(chat, '«This question was not answered.»', '«Retry»')
})

test('tool calls and changes', async ({ openChat }) => {
  const chat = await openChat([signedIn], { isMarked })
  const call = { kind: 'tool-call', call: '1', name: 'εργαλείο', inputText: '' } as const
  const outcomes = ['ok', 'error', 'denied', 'refused', 'stopped', 'interrupted'] as const
  const ended = outcomes.map(outcome => ({ ...call, id: outcome, isWritten: true, result: { outcome, content: [] } }))
  const open = [
    { ...call, id: '1', isWritten: false },
    { ...call, id: '2', isWritten: true },
  ]
  const file = { uri: 'α', change: 'modified', hunks: 1, addedLines: 2, removedLines: 3, review: 'open' } as const
  const parts = [...ended, ...open, { kind: 'change-set', id: 'changes', files: [file] } as const]
  await chat.post(
    conversation.replay(question, answer('α', 'streaming')),
    conversation.append(...parts.map(value => ({ kind: 'part-started', turn: 'a', value }) as const)),
    activity({ is: 'answering' }),
  )
  await assertTranslated(chat, '«Tool: εργαλείο»', '«Interrupted»', '«Declined»', '«Changes»')
  await assertTranslated(chat, '«Stop»', '«Stop (Escape)»')
  await chat.post(conversation.append({ kind: 'turn-ended', turn: 'a', state: 'done' }), activity({ is: 'idle' }))
  await assertTranslated(chat, '«Kourier: α»')
})

/** What comes from outside, in Greek. */
function foreign(messages: readonly ToPage[]): ToPage[] {
  const content = new Set(['text', 'command', 'folder', 'shell', 'why', 'path', 'target', 'pattern'])
  const replaced = JSON.stringify(messages, (name, value) => {
    if (name === 'lines') return ['α']
    return content.has(name) && typeof value === 'string' ? 'α' : value
  })
  return JSON.parse(replaced) as ToPage[]
}

test('the questions of a turn, its plan and its commands', async ({ openChat, page }) => {
  const chat = await openChat([signedIn], { isMarked })
  const asks = ['edit', 'command', 'secret'] as const
  await chat.post(...foreign(agentTurn({ asks, plan, commands: [{ id: 1, command: 'α' }] })))
  await assertTranslated(chat, '«Run this command?»', '«Allow»', '«Allow for this chat»', '«Deny»', '«Open diff»')
  await assertTranslated(chat, '«1 of 3»', '«Show terminal»', '«Waiting for you»')
  await page.getByText('«1 of 3»').click()
  await assertTranslated(chat, '«Now:»')
  await chat.post(...foreign(agentTurn({ asks: ['continue'] })))
  await assertTranslated(chat, '«Go on»', '«Stop here»')
  await chat.post(...foreign(agentTurn({ mode: 'plan', isEnded: true })))
  await assertTranslated(chat, '«Start»', '«1 request»')
})

test('what is attached, what goes along by itself, and what uses the context', async ({ openChat, page }) => {
  const kinds = ['system', 'tools', 'summary', 'conversation', 'surroundings', 'queued', 'text'] as const
  const parts = [...kinds.map(kind => ({ kind, tokens: 9 })), { kind: 'attached' as const, label: 'α', tokens: 9 }]
  const use = { tokens: 90, limit: 100, parts, mayCompact: true, isCompacting: false }
  const chip = { id: 'e', kind: 'environment', label: 'α', detail: 'β', state: 'ready', tokens: 7 } as const
  const left = { id: 'i', kind: 'instructions', label: 'α', state: 'unavailable', problem: 'γ' } as const
  const chips = [chip, left].map(one => ({ ...one, isAutomatic: true }))
  const offers = [{ offer: 'active-file' as const, kind: 'file' as const, label: 'α' }]
  const chat = await openChat([signedIn, conversation.replay(question)], { isMarked })
  await chat.post({ kind: 'draft-context', conversation: 'c', chips, offers })
  await chat.post({ kind: 'context-use', conversation: 'c', use })
  await page.getByRole('button', { name: '«Show what uses the context»' }).click()
  await assertTranslated(chat, '«Workspace and open editors, sent before»', '«Queued messages»', '«α, attached before»')
  await assertTranslated(chat, '«Added automatically»', '«Attach α»', '«Remove α»')
})

test('a wait, and a page that cannot be drawn', async ({ openChat, page }) => {
  const chat = await openChat([signedIn, conversation.replay(question)], { isMarked })
  const wait = { text: 'Περίμενε {time}', details: ['Εδώ'] }
  await chat.post(activity({ is: 'waiting', wait: { ...wait, time: { left: 7_000 } }, mayRetryNow: true }))
  await assertTranslated(chat, '«7 s»', '«Retry now»', '«Slots in use»')
  await chat.post(activity({ is: 'waiting', wait: { ...wait, time: { left: 7e6 } }, mayRetryNow: true }))
  await assertTranslated(chat, '«117 minutes»')
  await chat.post(activity({ is: 'idle' }))
  await page.evaluate(`{
    const real = String.prototype.trim
    String.prototype.trim = function () {
      if (String(this) === 'ω') throw new Error('Not this one')
      return real.call(this)
    }
  }`)
  await page.getByRole('textbox').fill('ω')
  await page.getByRole('button', { name: '«Show log»' }).waitFor()
  assert.match((await chat.received('report')).text, /Not this one/)
  chat.faults.length = 0
  await assertTranslated(chat, '«The chat could not be displayed. Close it and open it again; the log says why.»')
})
