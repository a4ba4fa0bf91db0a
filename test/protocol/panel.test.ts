// What the page and the extension may say to each other, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FromPage, fromPage, type ToPage, toPage } from '../../src/protocol/panel.ts'
import { remedies } from '../../src/protocol/remedy.ts'

const toPageMessages: readonly ToPage[] = [
  { kind: 'account', account: { is: 'unknown' } },
  {
    kind: 'account',
    account: { is: 'out', service: 'S', notice: { text: 't', action: { id: 'sign-in', label: 'l' } } },
  },
  { kind: 'account', account: { is: 'signing-in', service: 'S', text: 't' } },
  {
    kind: 'account',
    account: { is: 'code', service: 'S', code: '1234 5678', host: 'h', tag: 't', remainingMs: 0, isRenewing: false },
  },
  {
    kind: 'account',
    account: {
      is: 'code',
      ...{ service: 'S', code: '1', host: 'h', tag: 't', trouble: 't' },
      ...{ remainingMs: 1, isRenewing: false },
    },
  },
  { kind: 'account', account: { is: 'in', service: 'S', email: 'a@example.com' } },
  { kind: 'account', account: { is: 'refused', service: 'S', notice: { text: 't' } } },
  { kind: 'transcript', chat: 'c', messages: [{ id: '1', role: 'user', text: '', state: 'whole' }] },
  { kind: 'delta', chat: 'c', message: '1', at: 0, text: 'x' },
  { kind: 'activity', chat: 'c', activity: { is: 'idle' } },
  {
    kind: 'activity',
    chat: 'c',
    activity: { is: 'waiting', wait: { text: 't', time: { left: 1 }, details: ['d'] }, mayRetryNow: true },
  },
  { kind: 'activity', chat: 'c', activity: { is: 'answering' } },
  { kind: 'activity', chat: 'c', activity: { is: 'failed', notice: { text: 't' } } },
  { kind: 'model' },
  { kind: 'settings', sendOnEnter: true },
  { kind: 'limits' },
  { kind: 'limits', notice: { text: 't', action: { id: 'manage-trust', label: 'l' } } },
  { kind: 'draft', text: 'What was not sent' },
  { kind: 'kept-draft', text: 'What was written last', at: 1 },
  { kind: 'focus' },
]

const fromPageMessages: readonly FromPage[] = [
  { kind: 'ready' },
  { kind: 'resend' },
  { kind: 'send', text: 'question' },
  { kind: 'draft', text: 'half a question', at: 1 },
  { kind: 'stop' },
  { kind: 'new-chat' },
  ...remedies.map(action => ({ kind: 'act', action }) as const),
  { kind: 'copy-code' },
  { kind: 'open-browser' },
  { kind: 'cancel-sign-in' },
  { kind: 'open', url: 'https://example.com' },
  { kind: 'report', text: 'x' },
]

test('every message passes as it is, also through the channel', () => {
  for (const message of toPageMessages) assert.deepEqual(toPage.parse(structuredClone(message)), message)
  for (const message of fromPageMessages) assert.deepEqual(fromPage.parse(structuredClone(message)), message)
})

test('every kind of message has been tried', () => {
  const kinds = (union: typeof toPage | typeof fromPage) =>
    union.def.options.map(option => [...option.def.shape.kind.def.values][0])
  assert.deepEqual(new Set(toPageMessages.map(({ kind }) => kind)), new Set(kinds(toPage)))
  assert.deepEqual(new Set(fromPageMessages.map(({ kind }) => kind)), new Set(kinds(fromPage)))
})

test('members that are not agreed upon do not come through', () => {
  const parsed = fromPage.parse({ kind: 'send', text: 'x', command: 'workbench.action.quit', __proto__: { evil: 1 } })
  assert.deepEqual(parsed, { kind: 'send', text: 'x' })
})

test('what a page must not say is refused', () => {
  const wrong: unknown[] = [
    null,
    'ready',
    { kind: 'unknown' },
    { kind: 'send' },
    { kind: 'send', text: 5 },
    { kind: 'send', text: 'x'.repeat(2_000_001) },
    { kind: 'act', action: 'workbench.action.quit' },
    { kind: 'open', url: `https://example.com/${'x'.repeat(2_048)}` },
    { kind: 'report', text: 'x'.repeat(2_001) },
    { kind: 'account', account: { is: 'out', service: 'S' } },
  ]
  for (const message of wrong) assert.ok(!fromPage.safeParse(message).success, JSON.stringify(message)?.slice(0, 60))
})
