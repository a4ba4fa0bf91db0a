// What the page and the extension may send to each other, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyConversation } from '../../src/protocol/conversationState.ts'
import { windowOf } from '../../src/protocol/conversationWindow.ts'
import {
  type HistoryFromPage,
  type HistoryToPage,
  historyFromPage,
  historyToPage,
} from '../../src/protocol/historyPanel.ts'
import { type FromPage, fromPage, type ToPage, toPage } from '../../src/protocol/panel.ts'
import { remedies } from '../../src/protocol/remedy.ts'

const pastPrompt = { text: 'Why?', conversation: 'd', turn: 't', hasAttached: true }

const historyToPageMessages: readonly HistoryToPage[] = [
  { is: 'show' },
  { is: 'hide' },
  {
    ...{ is: 'list', query: 1, pinnedCount: 0, times: [1], laterCount: 0 },
    rows: [
      {
        ...{ conversation: 'c', title: 't', updatedAt: 1, isPinned: false, isArchived: false },
        ...{ workspace: 'w', excerpt: 'e', turn: 't' },
      },
    ],
  },
  { is: 'rows', query: 1, from: 100, rows: [] },
  { is: 'changed' },
  {
    ...{ is: 'head', conversation: 'c', title: 't', place: 'editor', hasWorkspace: true, notices: ['n'] },
    sessions: [{ conversation: 'c', title: 't', state: 'answering' }],
  },
  { is: 'turn', conversation: 'c', turn: 't' },
]

const historyFromPageMessages: readonly HistoryFromPage[] = [
  { is: 'list', query: 1, text: 'json', scope: 'all' },
  { is: 'rows', query: 1, from: 100, count: 100 },
  { is: 'open', conversation: 'c', where: 'editor', turn: 't' },
  { is: 'rename', conversation: 'c', title: 't' },
  { is: 'flag', conversation: 'c', flag: 'pinned', value: true },
  { is: 'export', conversation: 'c' },
  { is: 'import' },
  { is: 'move' },
]

const toPageMessages: readonly ToPage[] = [
  { kind: 'read-focused' },
  { kind: 'go-to-question', by: -1 },
  { kind: 'focus-message', conversation: 'c', message: { turn: 't', role: 'assistant' } },
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
  { kind: 'replay', conversation: 'c', window: windowOf(emptyConversation('c'), () => true) },
  { kind: 'turns', conversation: 'c', n: 1, turns: [] },
  { kind: 'declined-mention', conversation: 'c', text: '@.env' },
  { kind: 'find' },
  { kind: 'found', conversation: 'c', text: 'x', turns: [{ turn: 't', question: 1, answer: 0 }] },
  {
    kind: 'events',
    conversation: 'c',
    events: [{ kind: 'text-delta', conversation: 'c', n: 1, time: 1, turn: 't', part: 'p', offset: 0, text: 'x' }],
  },
  { kind: 'activity', conversation: 'c', activity: { is: 'idle' } },
  {
    kind: 'activity',
    conversation: 'c',
    activity: { is: 'waiting', wait: { text: 't', time: { left: 1 }, details: ['d'] }, mayRetryNow: true },
  },
  { kind: 'activity', conversation: 'c', activity: { is: 'answering' } },
  { kind: 'activity', conversation: 'c', activity: { is: 'answering', wait: { text: 't' }, isElsewhere: true } },
  { kind: 'activity', conversation: 'c', activity: { is: 'failed', notice: { text: 't' } } },
  { kind: 'model' },
  { kind: 'settings', sendOnEnter: true },
  { kind: 'settings', sendOnEnter: true, font: { sizePx: 16, family: 'Serif' } },
  {
    kind: 'agent',
    conversation: 'c',
    agent: {
      ...{ modes: ['ask', 'plan', 'edit'], mode: 'plan', plan: [{ text: 't', state: 'doing' }] },
      commands: [{ id: 1, command: 'make' }],
      questions: [
        { id: 'q', is: 'call', part: 'p' },
        { id: 'r', is: 'continue', text: 't' },
      ],
    },
  },
  { kind: 'call-progress', conversation: 'c', part: 'p', text: 't' },
  { kind: 'limits' },
  { kind: 'limits', lacksFolder: true },
  { kind: 'limits', notice: { text: 't', action: { id: 'manage-trust', label: 'l' } } },
  { kind: 'refused-edit', conversation: 'c', turn: 't', text: 'What was not sent' },
  { kind: 'refused-edit', conversation: 'c', turn: 't', text: 'What was not sent', why: 'It is too long.' },
  { kind: 'draft-context', conversation: 'c', edited: 't', chips: [], offers: [] },
  { kind: 'draft', conversation: 'c', text: 'What was not sent' },
  { kind: 'draft', conversation: 'c', text: '/fix ', replaces: '/explain ' },
  { kind: 'past-prompts', conversation: 'c', from: 2, prompts: [pastPrompt], isComplete: true },
  { kind: 'kept-draft', conversation: 'c', text: 'What was written last', at: 1, carriesDraft: false },
  { kind: 'kept-draft', conversation: 'c', text: '', at: 1, edits: { t: 'A question' }, carriesDraft: false },
  {
    kind: 'draft-context',
    conversation: 'c',
    chips: [{ id: 'x', kind: 'file', label: 'a.ts', detail: 'src', state: 'ready', tokens: 3, notice: 'n' }],
    offers: [{ offer: 'selection', kind: 'selection', label: 'a.ts:1-2' }],
  },
  {
    kind: 'context-use',
    conversation: 'c',
    use: {
      tokens: 12,
      limit: 10,
      parts: [
        { kind: 'chip', chip: 'x', label: 'a.ts', tokens: 9 },
        { kind: 'system', tokens: 3 },
      ],
      mayCompact: true,
      isCompacting: false,
      trouble: { text: 't', drops: [{ chip: 'x', label: 'a.ts' }], helps: ['compact', 'new-chat'] },
    },
  },
  {
    kind: 'suggestions',
    conversation: 'c',
    request: 1,
    items: [{ kind: 'command', label: '/fix', labelMatches: [1], detailMatches: [], insert: '/fix ' }],
    isComplete: true,
  },
  { kind: 'focus' },
  {
    ...{ kind: 'colours', block: 0, request: 0, name: 'TypeScript' },
    colours: { is: 'coloured', from: 0, lines: [[3, 1], []], styles: [[1, '#aabbccdd', 15]] },
  },
  { kind: 'colours', block: 1, request: 2, colours: { is: 'forgotten' } },
  { kind: 'colours', block: 1, request: 3, colours: { is: 'plain' } },
  { kind: 'theme' },
  { kind: 'script', name: 'math' },
  { kind: 'script', name: 'math', text: 'f()' },
  { kind: 'chip-picture', conversation: 'c', chip: 'x', mediaType: 'image/png', base64: 'AAAA' },
  { kind: 'scale-image', request: 1, base64: 'AAAA' },
  { kind: 'links', files: ['src/a.ts:12'], symbols: ['fooBar'] },
  ...historyToPageMessages.map(message => ({ kind: 'history', message }) as const),
]

const fromPageMessages: readonly FromPage[] = [
  { kind: 'focused', value: true },
  { kind: 'read', conversation: 'c', message: { turn: 't', role: 'user' } },
  { kind: 'ready' },
  { kind: 'replay', conversation: 'c', from: 2 },
  { kind: 'drawn', conversation: 'c' },
  { kind: 'turns', conversation: 'c', turns: ['t'] },
  { kind: 'find', conversation: 'c', text: 'x' },
  { kind: 'send', conversation: 'c', text: 'question' },
  { kind: 'continue', conversation: 'c' },
  { kind: 'draft', conversation: 'c', text: 'half a question', at: 1 },
  { kind: 'draft', conversation: 'c', text: '', at: 1, edits: { t: 'half a change' } },
  { kind: 'past-prompts', conversation: 'c', before: 't', from: 0 },
  { kind: 'recall', conversation: 'c', prompt: { text: 'Why?', conversation: 'd', turn: 't' } },
  { kind: 'recall', conversation: 'c' },
  { kind: 'keep-recalled', conversation: 'c' },
  { kind: 'compact', conversation: 'c' },
  { kind: 'stop-compaction', conversation: 'c' },
  { kind: 'dismiss-trouble', conversation: 'c' },
  { kind: 'change-summary', conversation: 'c', summary: 's', text: 'x' },
  { kind: 'change-summary', conversation: 'c', summary: 's' },
  { kind: 'restore-summary', conversation: 'c', summary: { id: 's', turn: 't', steps: 1, text: 'x' } },
  { kind: 'preview-request', conversation: 'c' },
  { kind: 'stop', conversation: 'c' },
  { kind: 'set-mode', conversation: 'c', mode: 'edit' },
  { kind: 'answer-questions', conversation: 'c', answers: [{ question: 'q', is: 'deny', reason: 'no' }] },
  { kind: 'show-proposed', conversation: 'c', part: 'p' },
  { kind: 'start-plan', conversation: 'c' },
  { kind: 'stop-command', conversation: 'c', command: 1 },
  { kind: 'stop-call', conversation: 'c', part: 'p' },
  { kind: 'show-terminal', conversation: 'c' },
  { kind: 'restore', conversation: 'c', turn: 't' },
  { kind: 'new-chat', conversation: 'c' },
  { kind: 'code', conversation: 'c', turn: 't', action: 'apply', language: 'ts', label: 'ts src/a.ts', text: 'x' },
  { kind: 'change', conversation: 'c', action: 'undo', uri: 'file:///a' },
  ...remedies.map(action => ({ kind: 'act', conversation: 'c', action }) as const),
  { kind: 'copy-code' },
  { kind: 'open-browser' },
  { kind: 'cancel-sign-in' },
  { kind: 'suggest', conversation: 'c', request: 1, trigger: '@', text: 'a' },
  { kind: 'take-suggestion', conversation: 'c', request: 1, item: 0 },
  { kind: 'take-offer', conversation: 'c', offer: 'selection' },
  { kind: 'remove-chip', conversation: 'c', chip: 'x' },
  { kind: 'open-chip', conversation: 'c', chip: 'x' },
  { kind: 'show-picture', conversation: 'c', chip: 'x' },
  { kind: 'script', name: 'diagram' },
  { kind: 'scaled-image', request: 1 },
  { kind: 'scaled-image', request: 1, image: { mediaType: 'image/png', base64: 'AAAA', width: 1, height: 1 } },
  { kind: 'attach-uris', conversation: 'c', uris: ['file:///a'] },
  {
    kind: 'attach-image',
    conversation: 'c',
    name: 'a.png',
    mediaType: 'image/png',
    base64: 'AAAA',
    width: 1,
    height: 1,
  },
  { kind: 'attach-text', conversation: 'c', name: 'a.txt', text: 'x' },
  { kind: 'find-links', files: ['src/a.ts:12'], symbols: ['fooBar'] },
  { kind: 'open-link', target: 'file', text: 'src/a.ts:12' },
  { kind: 'open-part', conversation: 'c', turn: 't', part: 'p' },
  { kind: 'open-part', conversation: 'c', turn: 't', part: 'p', instructions: 'file:///w/AGENTS.md' },
  { kind: 'steer', conversation: 'c', message: 'm' },
  { kind: 'withdraw', conversation: 'c', message: 'm', toComposer: true },
  { kind: 'queue-again', conversation: 'c', messages: ['m'] },
  { kind: 'retry-turn', conversation: 'c', turn: 't' },
  { kind: 'edit-turn', conversation: 'c', turn: 't', text: 'x' },
  { kind: 'edit-turn', conversation: 'c', turn: 't', text: 'x', chips: ['a'] },
  { kind: 'begin-edit', conversation: 'c', edited: 't' },
  { kind: 'end-edit', conversation: 'c', edited: 't' },
  { kind: 'attach-uris', conversation: 'c', edited: 't', uris: ['file:///w/a.ts'] },
  { kind: 'choose-branch', conversation: 'c', turn: 't' },
  { kind: 'fork', conversation: 'c', turn: 't' },
  { kind: 'delete-turn', conversation: 'c', turn: 't', value: true },
  { kind: 'open', url: 'https://example.com' },
  {
    ...{ kind: 'colour', block: 0, request: 0, label: 'ts', from: 0, text: 'a\nb', isOpen: true },
    theme: { id: 'Dark', kind: 'vs-dark' },
  },
  { kind: 'report', text: 'x' },
  ...historyFromPageMessages.map(message => ({ kind: 'history', message }) as const),
]

test('every message passes as it is, also through the channel', () => {
  for (const message of toPageMessages) assert.deepEqual(toPage.parse(structuredClone(message)), message)
  for (const message of fromPageMessages) assert.deepEqual(fromPage.parse(structuredClone(message)), message)
})

test('every message of the history has been tried', () => {
  const kinds = (union: typeof historyToPage | typeof historyFromPage) =>
    union.def.options.map(option => [...option.def.shape.is.def.values][0])
  assert.deepEqual(new Set(historyToPageMessages.map(({ is }) => is)), new Set(kinds(historyToPage)))
  assert.deepEqual(new Set(historyFromPageMessages.map(({ is }) => is)), new Set(kinds(historyFromPage)))
})

test('every kind of message has been tried', () => {
  const kinds = (union: typeof toPage | typeof fromPage) =>
    union.def.options.map(option => [...option.def.shape.kind.def.values][0])
  assert.deepEqual(new Set(toPageMessages.map(({ kind }) => kind)), new Set(kinds(toPage)))
  assert.deepEqual(new Set(fromPageMessages.map(({ kind }) => kind)), new Set(kinds(fromPage)))
})

test('members that are not agreed upon do not come through', () => {
  const parsed = fromPage.parse({
    kind: 'send',
    conversation: 'c',
    text: 'x',
    command: 'workbench.action.quit',
    __proto__: { evil: 1 },
  })
  assert.deepEqual(parsed, { kind: 'send', conversation: 'c', text: 'x' })
})

test('[A71] what a page must not say is refused, such as an answer without the id of its question', () => {
  const wrong: unknown[] = [
    null,
    'ready',
    { kind: 'unknown' },
    { kind: 'send' },
    { kind: 'send', conversation: 'c', text: 5 },
    { kind: 'send', text: 'x' },
    { kind: 'send', conversation: 'c', text: 'x'.repeat(2_000_001) },
    { kind: 'act', conversation: 'c', action: 'workbench.action.quit' },
    { kind: 'open', url: `https://example.com/${'x'.repeat(2_048)}` },
    { kind: 'report', text: 'x'.repeat(2_001) },
    { kind: 'account', account: { is: 'out', service: 'S' } },
    { kind: 'answer-questions', conversation: 'c', answers: [{ is: 'allow' }] },
    { kind: 'answer-questions', conversation: 'c', answers: [{ part: 'p', is: 'allow' }] },
  ]
  for (const message of wrong) assert.ok(!fromPage.safeParse(message).success, JSON.stringify(message)?.slice(0, 60))
})
