// `chatStates`: the messages and the steps that bring the chat's page into each state that it has a look of its own for.
import type { Page } from '@playwright/test'
import type { PageContextUse } from '../../src/protocol/contextUse.ts'
import type { Chip, SuggestionItem } from '../../src/protocol/draft.ts'
import type { HistoryRow, HistoryToPage } from '../../src/protocol/historyPanel.ts'
import type { PanelAccount, PanelActivity, ToPage } from '../../src/protocol/panel.ts'
import { TIME } from '../../src/protocol/timePlaceholder.ts'
import { agentTurn, longPreview, plan } from '../support/agentTurn.ts'
import { type Drawn, PageConversation } from '../support/pageConversation.ts'
import { slashSuggestions } from '../support/slashSuggestions.ts'
import type { ChatPage } from './chatPage.ts'
import { fullChat } from './pageStates.ts'

export interface ChatState {
  readonly messages: readonly ToPage[]
  /** What is done in the page after the messages. */
  readonly act?: (chat: ChatPage) => Promise<unknown>
  /** It needs more room than most. */
  readonly height?: number
}

const service = 'Example AI'
const account = (value: PanelAccount): ToPage => ({ kind: 'account', account: value })
const signedIn = account({ is: 'in', service, email: 'ada@example.com' })
const activity = (value: PanelActivity): ToPage => ({ kind: 'activity', conversation: 'c', activity: value })
const answering = activity({ is: 'answering' })
const idle = activity({ is: 'idle' })
const model: ToPage = { kind: 'model', id: 'kourier-large-2' }
const limits: ToPage = { kind: 'limits', mayRun: true }
const history = (message: HistoryToPage): ToPage => ({ kind: 'history', message })
const sessions = [
  { conversation: 'c', title: 'Sort the routes by delay', state: 'answering' },
  { conversation: 'd', title: 'Why does the build of the documentation fail on Windows?', state: 'waiting' },
  { conversation: 'e', title: 'Names for the new module', state: 'failed' },
] as const
const head = (title: string, values: Partial<Extract<HistoryToPage, { is: 'head' }>> = {}) =>
  history({
    ...{ is: 'head', conversation: 'c', title, place: 'side-bar', hasWorkspace: true, sessions: [], notices: [] },
    ...values,
  })

const use = (more: Partial<PageContextUse> = {}, edited?: string): ToPage =>
  // as: nothing changes the members that the schema has as mutable.
  ({
    kind: 'context-use',
    conversation: 'c',
    ...(edited && { edited }),
    use: {
      ...{ tokens: 48_000, limit: 200_000, mayCompact: true, isCompacting: false },
      parts: [
        { kind: 'chip', chip: 'chip-1', label: 'delays.py', tokens: 21_000 },
        { kind: 'conversation', tokens: 17_500 },
        { kind: 'attached', label: 'a-file-with-a-long-name-from-before.test.tsx', tokens: 9_000 },
        { kind: 'system', tokens: 440 },
        { kind: 'text', tokens: 12 },
      ],
      ...more,
    },
  }) as ToPage

const code = `def worst_routes(deliveries: list[Delivery], limit: int = 5) -> list[Route]:
    """The routes with the largest delays, the worst of them first."""
    delays = late_routes(deliveries)
    return list(delays)[:limit]`

const short = `Sort by the delay and keep the worst first:

\`\`\`python reports/delays.py
${code}
\`\`\`

\`late_routes\` already returns a dictionary in **descending** order, so the first keys are the worst. See the
[documentation](https://example.com/docs) of \`dict\`.`

const kitchenSink = `## What changes

The report reads *every* delivery, **groups** them by route and keeps \`limit\` of them. ~~Nothing~~ is cached.

1. Read the deliveries
   - from the file
   - or from the service
2. Group them by route
3. Sort the groups

- [x] Read the file
- [ ] Sort the groups
- [ ] Write \`delays.test.py\`

> The order of a dictionary is the order of insertion, which Python has guaranteed since version 3.7.

### Figures

| Route | Deliveries | Mean delay | Worst delay | Remark |
|---|--:|--:|--:|---|
| Harbour | 120 | 4 min | 31 min | A bridge that opens every hour |
| Old town | 87 | 11 min | 52 min | |
| Northern industrial estate | 9 | 2 min | 5 min | |

The mean is $\\bar d = \\frac{1}{n}\\sum_{i=1}^{n} d_i$, and the variance

$$
\\sigma^2 = \\frac{1}{n}\\sum_{i=1}^{n} (d_i - \\bar d)^2
$$

---

\`\`\`ts src/reports/a/rather/long/path/to/the/delaysByRoute.test.ts
export const routes = new Map<string, readonly Delivery[]>() // a line that is longer than the panel is wide, so it scrolls
\`\`\`

\`\`\`sh
npm run report -- --limit 5
\`\`\`

\`\`\`mermaid
graph LR
  A[Read] --> B[Group] --> C[Sort]
\`\`\`

AVeryLongWordWithoutAnySpaceInItThatIsWiderThanANarrowPanelAndSoHasToBeBroken and \`aVeryLongNameOfAFunctionThatIsWiderThanThePanel()\`.`

const callouts = `${['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION']
  .map(kind => `> [!${kind}]\n> The report reads **every** delivery.[^1]\n\n`)
  .join('')}<details>
<summary>The log of \`npm run report\`</summary>

The last lines:

\`\`\`
12 routes
\`\`\`

- sorted

</details>

<details>
<summary>Another one, which is folded</summary>

Nothing.

</details>

[^1]: With their delays.
[^2]: Press <kbd>Ctrl</kbd>+<kbd>S</kbd> first.`

/** A chart of bars. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAABaAQMAAAAFCM8RAAAABlBMVEXr8Pgobr4z+/NhAAAAJ0lEQVR42mNgGKGA////UcHBKwjmjwoOVkEEf1RwEAqi8UcFB1AQAARqkgQzyZkRAAAAAElFTkSuQmCC'

const question: Drawn = { role: 'user', id: 'q', text: 'How do I list the five worst routes?' }
const attached: Drawn = {
  ...question,
  parts: [
    {
      ...{ kind: 'attachment', id: 'f', source: 'file', name: 'delays.py', uri: 'file:///w/reports/delays.py' },
      ...{ sizeChars: 40, text: 'def late_routes(deliveries):\n    ...\n' },
    },
    {
      ...{ kind: 'attachment', id: 's', source: 'selection', name: 'a-file-with-a-rather-long-name.test.tsx' },
      ...{ uri: 'file:///w/a.tsx', sizeChars: 40, text: 'one' },
      range: { startLine: 11, startCharacter: 0, endLine: 27, endCharacter: 0 },
    },
    { kind: 'image', id: 'i', mediaType: 'image/png', base64: png, name: 'chart.png', width: 160, height: 90 },
    {
      ...{ kind: 'attachment', id: 'e', source: 'environment', name: 'situation' },
      ...{ sizeChars: 40, text: 'The user has reports/delays.py open.' },
    },
  ],
}
const answer = (text: string, more: Partial<Extract<Drawn, { role: 'assistant' }>> = {}): Drawn => ({
  ...{ role: 'assistant', id: 'a', text, state: 'whole' },
  ...more,
})

/** A chat with these messages, and what is always sent beside them. */
function chat(drawn: readonly Drawn[], ...more: readonly ToPage[]): ToPage[] {
  const title = drawn.length > 0 ? 'Sort the routes by delay' : ''
  const replayed = new PageConversation().replay(...drawn)
  return [signedIn, model, limits, head(title), replayed, idle, use({ tokens: 9_000 }), ...more]
}

const chips: readonly Chip[] = [
  { id: '0', kind: 'instructions', label: 'AGENTS.md', state: 'ready', tokens: 310, isAutomatic: true },
  { id: '1', kind: 'file', label: 'delays.py', detail: 'reports', state: 'ready', tokens: 1_240 },
  { id: '2', kind: 'selection', label: 'a-file-with-a-rather-long-name.test.tsx:12-28', state: 'ready', tokens: 96 },
  { id: '3', kind: 'folder', label: 'desk', state: 'reading' },
  { id: '4', kind: 'file', label: 'secrets.env', state: 'unavailable', problem: 'The file may hold secrets.' },
  { id: '5', kind: 'git-change', label: 'Changes', state: 'ready', tokens: 900, notice: 'Two files are left out.' },
]
const context: ToPage = {
  kind: 'draft-context',
  conversation: 'c',
  chips: [...chips],
  offers: [
    { offer: 'active-file', kind: 'file', label: 'parcel.ts', detail: 'desk' },
    { offer: 'selection', kind: 'selection', label: 'parcel.ts:3-9' },
  ],
}
const draft: ToPage = {
  ...{ kind: 'kept-draft', conversation: 'c', at: 1, carriesDraft: false },
  text: 'Write a test for worst_routes.\nIt should cover an empty list.',
}

const edited: readonly ToPage[] = [
  {
    kind: 'draft-context',
    conversation: 'c',
    edited: 'a',
    chips: chips.filter(({ isAutomatic }) => !isAutomatic),
    offers: [{ offer: 'active-file', kind: 'file', label: 'parcel.ts', detail: 'desk' }],
  },
  use({ tokens: 9_000, parts: [{ kind: 'conversation', tokens: 9_000 }] }, 'a'),
]
const questionBox = (page: Page) => page.locator('.composer.in-place textarea')
const beginEdit = async (chat: ChatPage) => {
  await chat.page.locator('.message.mine').first().hover()
  await chat.page.locator('.message.mine').first().getByRole('button').first().click()
  await chat.post(...edited)
}

const composer = (page: Page) => page.locator('.composer:not(.in-place) textarea')

const suggest = (typed: string, items: readonly SuggestionItem[]) => suggestIn(composer, typed, items)

const suggestIn =
  (box: typeof composer, typed: string, items: readonly SuggestionItem[]) =>
  async (chat: ChatPage): Promise<void> => {
    await box(chat.page).pressSequentially(typed)
    await chat.page.evaluate('new Promise(done => setTimeout(done, 100))')
    const asked = chat.sent.findLast(({ kind }) => kind === 'suggest')
    const request = asked?.kind === 'suggest' ? asked.request : 0
    // as: the schema infers mutable arrays.
    await chat.post({ kind: 'suggestions', conversation: 'c', request, items, isComplete: true } as ToPage)
  }
const item = (kind: SuggestionItem['kind'], label: string, detail: string): SuggestionItem => ({
  ...{ kind, label, detail, labelMatches: [0, 1], detailMatches: [], insert: '' },
})

const hourMs = 3_600_000
const row = (id: string, title: string, hours: number, values: Partial<HistoryRow> = {}): HistoryRow => ({
  ...{ conversation: id, title, updatedAt: Date.now() - hours * hourMs - 300_000 },
  ...{ isPinned: false, isArchived: false, ...values },
})
const rows = [
  row('p', 'Release notes', 300, { isPinned: true }),
  row('c', 'Sort the routes by delay', 0),
  row('u', 'Write a test for worst_routes. It should cover an empty list.', 0.5, { isUnsent: true }),
  row('d', 'Why does the build of the documentation fail on Windows and not on Linux?', 1),
  row('e', 'Names for the new module', 2),
  row('f', 'Regular expression for postal codes', 26),
  row('g', 'AVeryLongWordWithoutAnySpaceInItThatIsWiderThanANarrowPanel', 60),
  row('h', 'Explain the retry of the queue', 24 * 12),
  row('i', 'SQL: deliveries per month', 24 * 70),
]
const foundRows = [
  row('c', 'Sort the routes by delay', 0, { excerpt: '… the first keys are the worst route of all …' }),
  row('d', 'A bicycle route planner', 30, { workspace: 'another-workspace-with-a-long-name', excerpt: 'the route is' }),
  row('e', 'Route names', 90, { workspace: 'desk' }),
]

/** Opens the history and answers what the page asks for. */
async function openHistory(chat: ChatPage, shown: readonly HistoryRow[], laterCount = 0): Promise<void> {
  await chat.post(history({ is: 'show' }))
  await answerList(chat, shown, laterCount)
}

async function answerList(chat: ChatPage, shown: readonly HistoryRow[], laterCount = 0): Promise<void> {
  for (;;) {
    const { message } = await chat.received('history')
    if (message.is !== 'list') continue
    const pinnedCount = shown.filter(({ isPinned }) => isPinned).length
    const times = shown.map(({ updatedAt }) => updatedAt)
    const list = { query: message.query, pinnedCount, times, rows: [...shown], laterCount }
    return chat.post(history({ is: 'list', ...list }))
  }
}

const onHistory =
  (shown: readonly HistoryRow[], then?: (chat: ChatPage) => Promise<unknown>, laterCount = 0) =>
  async (chat: ChatPage) => {
    await openHistory(chat, shown, laterCount)
    await then?.(chat)
  }

const code2 = { is: 'code', service, code: '4821 7730', host: 'app.example.com', tag: 'amber-fox' } as const
const qr = {
  size: 21,
  path: 'M0 0h7v1h-7zM0 1h1v5h-1zM6 1h1v5h-1zM0 6h7v1h-7zM2 2h3v3h-3zM14 0h7v1h-7zM14 1h1v5h-1zM20 1h1v5h-1zM14 6h7v1h-7zM16 2h3v3h-3zM0 14h7v1h-7zM0 15h1v5h-1zM6 15h1v5h-1zM0 20h7v1h-7zM2 16h3v3h-3zM9 2h2v3h-2zM9 9h4v2h-4zM15 10h2v4h-2zM10 15h3v2h-3zM18 17h3v2h-3z',
}

const changes = () => {
  const conversation = new PageConversation()
  const replayed = conversation.replay(question, answer('I have changed these files.'))
  const file = { change: 'modified', hunks: 1, addedLines: 20, removedLines: 3 } as const
  const files = [
    { ...file, uri: 'file:///w/reports/delays.py', review: 'open' as const },
    { ...file, uri: 'file:///w/a-file-with-a-rather-long-name-that-is-cut.test.tsx', review: 'open' as const },
    { ...file, uri: 'file:///w/reports/kept.py', review: 'kept' as const },
    { ...file, uri: 'file:///w/reports/undone.py', review: 'undone' as const },
  ]
  const value = { kind: 'change-set', id: 'x', files } as const
  return [replayed, conversation.append({ kind: 'part-started', turn: 'a', value: { ...value, files } })]
}

const reasoning = (isOver: boolean) => {
  const conversation = new PageConversation()
  const text = 'The user wants the worst five routes. late_routes returns a dictionary that is already sorted.'
  const over = isOver ? { endedAt: 7_000 } : {}
  const value = { kind: 'reasoning', id: 'r', text, startedAt: 1_000, ...over } as const
  const started = { kind: 'turn-started', turn: 'a', origin: { is: 'new' } } as const
  const prompt = [{ kind: 'text', id: 'w', text: 'How do I list the five worst routes?' } as const]
  return [
    conversation.replay(),
    conversation.append(
      { ...started, prompt },
      { kind: 'step-started', turn: 'a', model: 'm' },
      { kind: 'part-started', turn: 'a', value },
      ...(isOver
        ? [
            {
              kind: 'part-started',
              turn: 'a',
              value: { kind: 'text', id: 't', text: `${short.slice(0, 230)}` },
            } as const,
          ]
        : []),
    ),
  ]
}

const queued = () => {
  const conversation = new PageConversation()
  const replayed = conversation.replay(question, answer('Sort by the', { state: 'streaming' }))
  const message = (id: string, text: string) =>
    ({ kind: 'message-queued', message: id, parts: [{ kind: 'text', id: `${id}t`, text }] }) as const
  return [
    replayed,
    conversation.append(
      message('m', 'And then write a test for it, please, with an empty list and a very long one'),
      message('n', 'Thanks'),
    ),
  ]
}

const summary = () => {
  const conversation = new PageConversation()
  const replayed = conversation.replay(question, answer('Sort by the delay.'), { ...question, id: 'q2' })
  const text = 'The user asked how to list the **worst routes**:\n\n- `late_routes` is sorted\n- five are wanted'
  return [replayed, conversation.append({ kind: 'summary', turn: 'a', summary: 's', text })]
}

const wait = (text: string, details?: string[]): PanelActivity => ({
  is: 'waiting',
  wait: { text, time: { left: 7_000 }, ...(details && { details }) },
  mayRetryNow: true,
})
const failed = activity({
  is: 'failed',
  notice: {
    text: 'Kourier was not granted the model kourier-1-0815. Pick another model.',
    action: { id: 'select-model', label: 'Select Model' },
  },
})
const ended = (state: Extract<Drawn, { role: 'assistant' }>['state']) =>
  chat([question, answer('Sort by the delay and keep the worst first, so that', { state })])

const longAnswer = ['One', 'Two', 'A third heading that is rather long', 'Four', 'Five']
  .map((name, at) => `${at === 2 ? '###' : '##'} ${name}\n\n${'A paragraph of some length. '.repeat(30)}\n`)
  .join('\n')

const tight = use({ tokens: 236_000 })
const trouble = {
  text: 'The message is 36,000 tokens longer than what the model reads.',
  drops: [{ chip: '1', label: 'a-file-with-a-rather-long-name.test.tsx' }],
  helps: ['compact', 'new-chat'],
} satisfies PageContextUse['trouble']

/** Opens whatever is folded. */
async function unfold({ page }: ChatPage): Promise<void> {
  for (const fold of await page.getByRole('log').locator('summary').all()) await fold.click()
}

async function find(chat: ChatPage, text: string): Promise<void> {
  await chat.post({ kind: 'find' })
  await chat.page.locator('.find input').fill(text)
  await chat.received('find')
  await chat.post({ kind: 'found', conversation: 'c', text, turns: [] })
}

export const chatStates: Readonly<Record<string, ChatState>> = {
  'before it is known who is signed in': { messages: [] },
  'signed out': { messages: [account({ is: 'out', service, canUseBrowser: true })] },
  'signed out, with a notice': {
    messages: [
      account({ is: 'out', service, notice: { text: 'The code was not used in time.', action: undefined } } as never),
    ],
  },
  'signing in': { messages: [account({ is: 'signing-in', service, text: 'Asking Example AI for a code …' })] },
  'a code': { messages: [account({ ...code2, qr, remainingMs: 125_000, isRenewing: false })], height: 720 },
  'a code that has run out': { messages: [account({ ...code2, remainingMs: 0, isRenewing: false })] },
  'the key is refused': {
    messages: [
      ...chat([question, answer('Sort by the delay.')]),
      account({
        ...{ is: 'refused', service },
        notice: {
          text: 'Example AI no longer accepts the key. Sign in again.',
          action: { id: 'sign-in', label: 'Sign In' },
        },
      }),
    ],
  },
  'an empty chat': { messages: chat([], context) },
  'an empty chat without a folder': {
    messages: [...chat([]), { kind: 'limits', lacksFolder: true }],
  },
  'a draft with what is attached': { messages: chat([question, answer('Sort them.')], context, draft) },
  'a question is changed': { messages: chat([question, answer('Sort them.')]), act: beginEdit },
  'a question is changed, with mentions': {
    messages: chat([question, answer('Sort them.')]),
    act: async chat => {
      await beginEdit(chat)
      await suggestIn(questionBox, ' @de', [
        item('file', 'delays.py', 'reports'),
        item('folder', 'desk', ''),
        item('symbol', 'delaysOf', 'reports/delays.py'),
      ])(chat)
    },
  },
  'a question is changed, and its size is shown': {
    messages: chat([question, answer('Sort them.')]),
    act: async chat => {
      await beginEdit(chat)
      await chat.page.locator('.composer.in-place .meter-open').click()
    },
  },
  mentions: {
    messages: chat([question, answer('Sort them.')]),
    act: suggest('@de', [
      item('file', 'delays.py', 'reports'),
      item('file', 'desk-of-a-rather-long-name-that-is-cut-somewhere.test.tsx', 'a/long/path/to/the/file'),
      item('folder', 'desk', ''),
      item('symbol', 'delaysOf', 'reports/delays.py'),
      item('open-editors', 'open-editors', 'All open files'),
      item('problems', 'problems', '3 problems'),
      item('terminal', 'terminal', 'The selection'),
      item('git-change', 'changes', 'Not committed'),
      item('commit', 'commit', 'One commit'),
      item('repository', 'repository', 'An overview'),
    ]),
  },
  'slash commands': {
    messages: chat([]),
    act: async chat => {
      await composer(chat.page).fill('/')
      await chat.post(...(await slashSuggestions(await chat.received('suggest'))))
    },
  },
  'a question without an answer': { messages: chat([question]) },
  'no answer yet': { messages: [...chat([question]), answering] },
  thinking: { messages: [...chat([]), ...reasoning(false), answering] },
  'an answer under way': {
    messages: [...chat([]), ...reasoning(true), answering],
    act: ({ page }) => page.locator('.reasoning summary').click(),
  },
  'a slot is waited for': {
    messages: [
      ...chat([question]),
      activity(
        wait(`Waiting for a free slot (3 of 3 in use) since ${TIME}`, [
          'You are next.',
          'In use by another window: chat.',
        ]),
      ),
    ],
  },
  'the limit is reached': {
    messages: [...chat([question]), activity(wait(`The plan’s limit is reached; trying again in ${TIME}`))],
  },
  'a short answer': {
    messages: chat([attached, answer(short)]),
    act: ({ page }) => page.locator('.attachment summary').first().click(),
  },
  'an answer of everything': { messages: chat([question, answer(kitchenSink)]), height: 2_100 },
  'everything that a message can have, unfolded': { messages: fullChat().messages, act: unfold },
  'callouts, what is folded, and notes': {
    messages: chat([question, answer(callouts)]),
    act: ({ page }) => page.locator('details').first().getByText('The log').click(),
    height: 900,
  },
  'code under the pointer': {
    messages: chat([question, answer(short)]),
    act: ({ page }) => page.locator('.code').first().hover(),
  },
  'a commit message': {
    messages: chat([
      { role: 'user', text: '/commit' },
      answer('```text\nSort the report by delay\n\nThe worst routes were found at its end.\n```\n'),
    ]),
    act: ({ page }) => page.locator('.code').first().hover(),
  },
  'a table under the pointer': {
    messages: chat([question, answer('| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n')]),
    act: ({ page }) => page.locator('.table').first().hover(),
  },
  'a diagram': {
    messages: chat([question, answer('```mermaid\ngraph LR\n  A[Read] --> B[Group] --> C[Sort]\n```\n')]),
    act: async ({ page }) => {
      await page.locator('.diagram-action').click()
      await page.locator('.diagram img').waitFor()
    },
  },
  outline: {
    messages: chat([question, answer(longAnswer)]),
    act: async ({ page }) => {
      await page.locator('.outline-toggle').click({ force: true })
      await page.locator('.outline-list').waitFor()
    },
  },
  'versions of an answer': {
    messages: chat([question, answer('The second one.', { earlier: ['The first one.'] })]),
    act: ({ page }) => page.locator('.message.mine').hover(),
  },
  'interrupted and failed': { messages: [...ended('cut-off'), failed] },
  'cut by length': { messages: ended('length') },
  filtered: { messages: ended('filtered') },
  stopped: { messages: ended('stopped') },
  'interrupted by the end of the window': { messages: ended('interrupted') },
  refused: { messages: ended('refused') },
  'answered in another window': {
    messages: [
      ...chat([question, answer('Sort by the delay and', { state: 'streaming' })]),
      activity({
        ...{ is: 'answering', isElsewhere: true },
        wait: { text: 'Another window is answering in this chat; you can send when its answer has ended' },
      }),
    ],
  },
  'a chat that cannot be written': {
    messages: [
      ...chat([question, answer('Sort them.')]),
      head('Sort the routes by delay', {
        notices: [
          'The disk is full, so this chat is kept in memory only until there is room.',
          'Three lines of this chat could not be read.',
        ],
      }),
    ],
  },
  'a key in the message': {
    messages: chat([question, answer('Sort them.')]),
    act: ({ page }) => composer(page).fill(`Why is ${'sk-bf-'}${'a1B2'.repeat(8)} refused?`),
  },
  'a message that was not sent': {
    messages: [
      ...chat([question, answer('Sort them.')], context),
      {
        ...{ kind: 'draft', conversation: 'c', text: 'Write a test for worst_routes.' },
        why: 'The file secrets.env could not be attached: the file may hold secrets.',
      },
    ],
  },
  'a queued message that was removed': {
    messages: [...chat([]), ...queued(), answering, draft],
    act: ({ page }) =>
      page
        .getByRole('button', { name: /^(Remove|Entfernen)/ })
        .first()
        .click(),
  },
  'a deleted chat': {
    messages: chat([question, answer('Sort them.')]),
    act: async chat => {
      await chat.page.locator('.head .icon-button').last().click()
      await chat.page.getByRole('menuitem').last().click()
    },
  },
  'an enlarged picture': {
    messages: chat([attached, answer(short)]),
    act: ({ page }) => page.locator('.message.mine button:has(img)').click(),
  },
  'queued messages': { messages: [...chat([]), ...queued(), answering, draft] },
  'a question being changed': {
    messages: chat([question, answer(short)]),
    act: async ({ page }) => {
      await page.locator('.message.mine').hover()
      await page.locator('.message.mine .actions .icon-button').first().click()
    },
  },
  'what takes the context': {
    messages: chat([question, answer('Sort them.')], use({ tokens: 178_000 })),
    act: ({ page }) => page.locator('.meter-open').click(),
  },
  'a message that is too long': {
    messages: chat([question, answer('Sort them.')], context, draft, tight, use({ tokens: 236_000, trouble })),
  },
  'a summary is written': { messages: chat([question, answer('Sort them.')], use({ isCompacting: true })) },
  'a summary': { messages: [...chat([]), ...summary()], act: ({ page }) => page.locator('.summary > summary').click() },
  'a summary being changed': {
    messages: [...chat([]), ...summary()],
    act: async ({ page }) => {
      await page.locator('.summary > summary').click()
      await page.locator('.summary-buttons button').first().click()
    },
  },
  'the find bar': {
    messages: chat([question, answer(short)]),
    act: chat => find(chat, 'worst'),
  },
  'the find bar without a result': {
    messages: chat([question, answer(short)]),
    act: chat => find(chat, 'nowhere'),
  },
  changes: { messages: [...chat([]), ...changes()] },
  'a turn of the agent': {
    messages: [
      ...chat([]),
      ...agentTurn({
        plan,
        commands: [{ id: 1, command: 'npm run watch' }],
        isEnded: true,
        ended: [{ exitCode: 1 }],
      }),
    ],
  },
  'a turn of the agent, unfolded': {
    messages: [...chat([]), ...agentTurn({ plan, commands: [{ id: 1, command: 'npm run watch' }], isEnded: true })],
    act: async ({ page }) => {
      await page.locator('.plan summary').click()
      await page.locator('.tool-text', { hasText: /[“„]postage/ }).click()
    },
  },
  'an exploration is under way': { messages: [...chat([]), ...agentTurn({ isExploring: true })] },
  'a change is asked about': { messages: [...chat([]), ...agentTurn({ asks: ['edit'], plan })] },
  'a long change is asked about': { messages: [...chat([]), ...agentTurn({ asks: ['edit'], change: longPreview })] },
  'a command is asked about': { messages: [...chat([]), ...agentTurn({ asks: ['command'] })] },
  'several questions': { messages: [...chat([]), ...agentTurn({ asks: ['edit', 'command', 'secret'] })] },
  'a plan that can be started': { messages: [...chat([]), ...agentTurn({ mode: 'plan', isEnded: true })] },
  'a deleted message, and limits': {
    messages: [
      ...chat([question, answer('Sort them.'), { ...question, id: 'q2' }, answer('Yes.', { id: 'b' })]),
      {
        ...{ kind: 'limits', mayRun: false },
        notice: {
          text: 'In Restricted Mode, files of the workspace are not read and code is not run.',
          action: { id: 'manage-trust', label: 'Manage Trust' },
        },
      } as ToPage,
    ],
    act: async ({ page }) => {
      await page.locator('.message.mine').last().hover()
      await page.locator('.message.mine').last().locator('.actions .icon-button').last().click()
    },
  },
  'several chats': {
    messages: [...chat([question, answer(short)]), head('Sort the routes by delay', { sessions: [...sessions] })],
    act: ({ page }) => page.locator('.head-chats').click(),
  },
  'what can be done with a chat': {
    messages: chat([question, answer('Sort them.')]),
    act: ({ page }) => page.locator('.head .icon-button').last().click(),
  },
  'the title being changed': {
    messages: chat([question, answer('Sort them.')]),
    act: ({ page }) => page.locator('button.head-title').click(),
  },
  history: {
    messages: [
      ...chat([question, answer('Sort them.')]),
      head('Sort the routes by delay', { sessions: [...sessions] }),
    ],
    act: onHistory(rows, ({ page }) => page.locator('.history-row').nth(3).hover(), 2),
  },
  'history, found': {
    messages: chat([question, answer('Sort them.')]),
    act: onHistory(rows, async chat => {
      await chat.page.locator('.history-search').fill('route')
      await answerList(chat, foundRows)
    }),
  },
  'history, nothing found': {
    messages: chat([]),
    act: onHistory(rows, async chat => {
      await chat.page.locator('.history-search').fill('nothing of the kind')
      await answerList(chat, [])
    }),
  },
  'history, nothing there': { messages: chat([]), act: onHistory([]) },
  'history, a chat being renamed': {
    messages: chat([]),
    act: onHistory(rows, async ({ page }) => {
      await page.locator('.history-row').nth(2).focus()
      await page.keyboard.press('F2')
    }),
  },
  'history, the menu of a chat, one deleted': {
    messages: chat([]),
    act: onHistory(rows, async ({ page }) => {
      await page.locator('.history-row').nth(2).focus()
      await page.keyboard.press('Delete')
      await page.locator('.history-row').nth(3).focus()
      await page.keyboard.press('Shift+F10')
    }),
  },
}
