// How long the list and a search of 10,000 conversations take, with the index and without it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { eventLine, headerLine } from '../../src/core/conversation/journalLines.ts'
import { Log } from '../../src/core/log/log.ts'
import { JournalFolder } from '../../src/node/history/journalFolder.ts'
import { JournalHistory } from '../../src/node/history/journalHistory.ts'
import type { EventBody } from '../../src/protocol/conversation.ts'
import { longMarkdown } from './longMarkdown.ts'
import { median, timed } from './numbers.ts'
import type { Row } from './row.ts'

const CONVERSATIONS = 10_000
const ROUNDS = 9
const never = new AbortController().signal
/** In one of a hundred conversations. */
const RARE = 'platypus'

export async function historyTimes(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-history-'))
  try {
    writeJournals(folder)
    const journals = new JournalFolder({ folder, clock: systemClock, log: new Log(), isAlive: () => true })
    const without = new JournalHistory({ journals, log: new Log(), openIndex: async () => undefined })
    const disk = await timed(async () => void (await without.search(RARE, {}, never)))
    const history = new JournalHistory({ journals, log: new Log() })
    const indexing = await timed(() => history.updated())
    const list = await times(() => history.list({ isArchived: false }, never))
    await history.updated()
    const rare = await times(() => history.search(RARE, {}, never))
    const common = await times(() => history.search('par', {}, never))
    await history.close()
    const what = `${CONVERSATIONS.toLocaleString('en')} chats`
    return [
      { what: `${what}, list`, value: list, unit: 'ms' },
      { what: '  search, a rare word', value: rare, unit: 'ms' },
      { what: '  search, a common one', value: common, unit: 'ms' },
      { what: '  search, no index', value: disk, unit: 'ms' },
      { what: '  index from nothing', value: indexing / 1_000, unit: 's' },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The update of the index, which each list and search begin, has ended before the next. */
async function times(work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let round = 0; round < ROUNDS; round++) all.push(await timed(async () => void (await work())))
  return median(all)
}

function writeJournals(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (let at = 0; at < CONVERSATIONS; at++) writeFileSync(join(folder, `c${at}.jsonl`), journal(`c${at}`, at))
}

function journal(conversation: string, at: number): string {
  const text = longMarkdown(800 + (at % 7) * 300)
  const question = `How do I sort parcels ${at}?${at % 100 === 0 ? ` And the ${RARE}?` : ''}`
  const bodies: EventBody[] = [
    { kind: 'created', workspace: `file:///project${at % 5}` },
    { kind: 'turn-started', turn: 't', origin: { is: 'new' }, prompt: [{ kind: 'text', id: 'p', text: question }] },
    { kind: 'step-started', turn: 't', model: 'm' },
    { kind: 'part-started', turn: 't', value: { kind: 'text', id: 'a', text } },
    { kind: 'step-ended', turn: 't', why: 'done' },
    { kind: 'turn-ended', turn: 't', state: 'done' },
  ]
  const lines = bodies.map((body, n) =>
    eventLine({ ...body, conversation, n: n + 1, time: 1_700_000_000_000 + at * 60_000 }),
  )
  return headerLine(conversation) + lines.join('')
}
