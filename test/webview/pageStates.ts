// `pageStates`: the messages that lead to states in which tests use the page, and what those have in common.
import type { Locator, Page } from '@playwright/test'
import type { PageContextUse } from '../../src/protocol/contextUse.ts'
import type { HistoryRow, HistoryToPage } from '../../src/protocol/historyPanel.ts'
import type { PanelAccount, PanelActivity, ToPage } from '../../src/protocol/panel.ts'
import { PageConversation } from '../support/pageConversation.ts'
import type { ChatPage } from './chatPage.ts'

const service = 'Example AI'
const account = (value: PanelAccount): ToPage => ({ kind: 'account', account: value })
export const signedIn = account({ is: 'in', service, email: 'ada@example.com' })
const activity = (value: PanelActivity): ToPage => ({ kind: 'activity', conversation: 'c', activity: value })
export const idle = activity({ is: 'idle' })
export const answering = activity({ is: 'answering' })
const model: ToPage = { kind: 'model', id: 'example/large-2' }
const mayRun: ToPage = { kind: 'limits', mayRun: true }
const code = {
  ...({
    is: 'code',
    service,
    code: '4821 7730',
    host: 'app.example.com',
    tag: 'amber-fox',
    isRenewing: false,
  } as const),
  ...{ qr: { size: 21, path: 'M0 0h7v1h-7z' }, remainingMs: 125_000 },
}

export const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

const history = (message: HistoryToPage): ToPage => ({ kind: 'history', message })

export const head = history({
  ...{ is: 'head', conversation: 'c', title: 'Why?', place: 'editor', hasWorkspace: true, notices: [] },
  sessions: [
    { conversation: 'c', title: 'Why?', state: 'idle' },
    { conversation: 'd', title: 'Another', state: 'answering' },
  ],
})

const DAY_MS = 86_400_000
const row = (conversation: string, values: Partial<HistoryRow> = {}): HistoryRow => ({
  ...{ conversation, title: `Chat ${conversation}`, updatedAt: Date.now(), isPinned: false, isArchived: false },
  ...values,
})
const rows = [
  row('p', { isPinned: true, updatedAt: Date.now() - 40 * DAY_MS }),
  row('t'),
  row('d'),
  row('e', { updatedAt: Date.now() - 300 * DAY_MS, workspace: 'tools', excerpt: 'It is the weather.' }),
]

/** Answers the list that the history asks for. */
export async function answerHistory(chat: ChatPage, list: readonly HistoryRow[] = rows): Promise<void> {
  for (;;) {
    const { message } = await chat.received('history')
    if (message.is !== 'list') continue
    const pinnedCount = list.filter(({ isPinned }) => isPinned).length
    const times = list.map(({ updatedAt }) => updatedAt)
    const { query } = message
    return chat.post(history({ is: 'list', query, pinnedCount, times, rows: [...list], laterCount: 1 }))
  }
}

export async function openHistory(chat: ChatPage, list: readonly HistoryRow[] = rows): Promise<void> {
  await button(chat.page, 'History').click()
  await answerHistory(chat, list)
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC'
const attachment = { kind: 'attachment', id: 'f', source: 'file', name: 'parse.ts', sizeChars: 12 } as const
const prompt = [
  { ...attachment, uri: 'file:///w/parse.ts', text: 'const a = 1\n' },
  { kind: 'image', id: 'i', mediaType: 'image/png', base64: png, name: 'shot.png' },
] as const

const section = (at: number) => `## Part ${at}\n\n${'It goes on for a while, with **words**. '.repeat(24)}\n`

export const everything = `# What there is

Some \`code\`, a [link](https://example.com/), ~~old~~ and *new* words.

> A quotation.

${[1, 2, 3, 4, 5].map(section).join('\n')}

\`\`\`ts src/parse.ts
const a = JSON.parse(text) // with a comment
\`\`\`

\`\`\`sh
npm test
\`\`\`

| Part | Shown as |
|---|---:|
| Code | text |
| Table | rows |

- [x] Read it
- [ ] Write it

1. One
2. Two

The formula $x^2 + y^2 = r^2$, and a sum:

$$
\\sum_{k=1}^{n} k
$$

\`\`\`mermaid
flowchart LR
  a[Question] --> b[Answer]
\`\`\`

---

The end.`

const file = { change: 'modified', hunks: 1, addedLines: 20, removedLines: 3 } as const
const files = (['open', 'kept', 'undone', 'partly-undone'] as const).map(review => ({
  ...file,
  ...{ uri: `file:///w/${review}.ts`, review },
}))

/** A conversation with everything that a message can have; the turn `b` is the last. */
export function fullChat(): { readonly conversation: PageConversation; readonly messages: readonly ToPage[] } {
  const conversation = new PageConversation()
  const replay = conversation.replay(
    { role: 'user', id: 'q', text: 'Why?', parts: [...prompt] },
    { role: 'assistant', id: 'a', text: everything, state: 'whole', earlier: ['An earlier answer'] },
    { role: 'user', id: 'q2', text: 'And why that?' },
    { role: 'assistant', id: 'b', text: 'Because', state: 'length' },
  )
  const turn = 'b'
  const reasoning = { kind: 'reasoning', id: 'r', text: 'Let me see.', startedAt: 0, endedAt: 4_000 } as const
  const call = { kind: 'tool-call', id: 't', call: 'x', name: 'read_file', inputText: '{}', isWritten: true } as const
  const more = conversation.append(
    { kind: 'part-started', turn, value: reasoning },
    { kind: 'part-started', turn, value: call },
    { kind: 'part-started', turn, value: { kind: 'change-set', id: 'x', files } },
    { kind: 'summary', turn: 'a', summary: 's', text: 'It was about **one**.' },
  )
  return { conversation, messages: [signedIn, head, model, mayRun, replay, more, idle] }
}

const chips: ToPage = {
  kind: 'draft-context',
  conversation: 'c',
  chips: [
    { id: 'c1', kind: 'instructions', label: 'AGENTS.md', state: 'ready', tokens: 120, isAutomatic: true },
    { id: 'c2', kind: 'file', label: 'big.ts', detail: 'src/big.ts', state: 'ready', tokens: 90_000 },
    { id: 'c3', kind: 'folder', label: 'src', state: 'ready', notice: 'Three files were left out.' },
    { id: 'c4', kind: 'file', label: 'gone.ts', state: 'unavailable', problem: 'The file does not exist any more.' },
    { id: 'c5', kind: 'symbol', label: 'parse', state: 'reading' },
  ],
  offers: [{ offer: 'active-file', kind: 'file', label: 'open.ts', detail: 'src/open.ts' }],
}

const parts: PageContextUse['parts'] = [
  { kind: 'chip', chip: 'c2', label: 'big.ts', tokens: 90_000 },
  { kind: 'conversation', tokens: 60_000 },
  { kind: 'system', tokens: 60 },
]
const use = (more: Partial<PageContextUse>): ToPage =>
  // as: nothing changes the members that the schema has as mutable.
  ({
    kind: 'context-use',
    conversation: 'c',
    use: { tokens: 170_000, limit: 200_000, parts, mayCompact: true, isCompacting: false, ...more },
  }) as ToPage

const wait = {
  text: 'The limit of the plan is reached; trying again in {time}',
  time: { left: 7e6 },
  details: ['You are next.', 'In use by another window: completion.'],
}
const text = 'This message needs about 260,000 tokens, but m accepts only 200,000. Remove big.ts.'
const trouble = { text, drops: [{ chip: 'c2', label: 'big.ts' }], helps: ['compact', 'new-chat'] as const }
const fault = { text: 'Example AI cannot be reached. Try again.', action: { id: 'retry', label: 'Retry' } } as const

const small = (): readonly ToPage[] => [
  ...[signedIn, head, model, mayRun],
  new PageConversation().replay(
    { role: 'user', text: 'Why?', id: 'a' },
    { role: 'assistant', id: 'a', text: 'Because.', state: 'whole' },
  ),
  idle,
]

/** Those that tests of the keyboard begin with; `chatStates` has every one that has a look of its own. */
export const pageStates: Readonly<Record<string, readonly ToPage[]>> = {
  'signed out': [account({ is: 'out', service, canUseBrowser: true, notice: fault })],
  'signing in': [account({ is: 'signing-in', service, text: 'Waiting for your email' })],
  'a code': [account({ ...code, trouble: 'The service does not answer at the moment.' })],
  'an empty chat': [signedIn, head, model, new PageConversation().replay(), idle],
  'a question that waits': [
    ...[signedIn, head, model, new PageConversation().replay({ role: 'user', text: 'Why?' })],
    activity({ is: 'waiting', wait, mayRetryNow: true }),
  ],
  'a message that is too long': [...small(), chips, use({ tokens: 260_000, trouble })],
  'a fault': [...small(), activity({ is: 'failed', notice: fault })],
  'a short chat': small(),
}
