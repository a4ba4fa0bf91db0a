// All conversations are listed and found, with the index, without it, and while it is made anew.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { ConversationLog } from '../../../src/core/conversation/conversationLog.ts'
import { Log } from '../../../src/core/log/log.ts'
import { IndexDatabase } from '../../../src/node/history/indexDatabase.ts'
import { JournalFolder } from '../../../src/node/history/journalFolder.ts'
import { JournalHistory, type JournalHistoryOptions } from '../../../src/node/history/journalHistory.ts'
import type { EventBody } from '../../../src/protocol/conversation.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-history-'))
after(() => rmSync(root, { recursive: true, force: true }))
const forever = new AbortController().signal
let folders = 0

type OpenIndex = NonNullable<JournalHistoryOptions['openIndex']>
const withoutSqlite: OpenIndex = async () => undefined
const withoutWordIndex: OpenIndex = path => IndexDatabase.open(path, false)

function storage(folder = join(root, String(folders++))) {
  const clock = new FakeClock()
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const journals = new JournalFolder({ folder, clock, log, isAlive: () => true })
  const history = (openIndex?: OpenIndex) => new JournalHistory({ journals, log, ...(openIndex && { openIndex }) })
  return { folder, clock, journals, history, lines, indexPath: join(folder, 'index.sqlite') }
}

type Storage = ReturnType<typeof storage>

/** A conversation of one exchange, and whatever else happens in it. */
async function writeExchange(
  { journals, clock }: Storage,
  id: string,
  question: string,
  answer: string,
  ...more: EventBody[]
) {
  await clock.advance(1_000)
  const log = await ConversationLog.open({ journal: journals.open(id), clock }, forever)
  await log.claim()
  const turn = `turn-${log.state.n}`
  const bodies: EventBody[] = [
    ...(log.state.n === 0 ? [{ kind: 'created', workspace: 'file:///project' } as const] : []),
    { kind: 'turn-started', turn, origin: { is: 'new' }, prompt: [{ kind: 'text', id: `${turn}-p`, text: question }] },
    { kind: 'part-started', turn, value: { kind: 'text', id: `${turn}-a`, text: answer } },
    { kind: 'turn-ended', turn, state: 'done' },
    ...more,
  ]
  for (const body of bodies) await log.append(body)
  await log.close()
}

async function threeConversations(): Promise<Storage> {
  const kept = storage()
  await writeExchange(kept, 'a', 'How do I parse JSON?', 'Call JSON.parse and catch what it throws.')
  await writeExchange(kept, 'b', 'Was ist ein Übertrag?', 'Die Zahl, die ÜBRIG bleibt.', {
    kind: 'pinned',
    value: true,
  })
  await writeExchange(
    kept,
    'c',
    'Sort a list',
    'Use toSorted.',
    { kind: 'archived', value: true },
    {
      kind: 'title',
      text: 'Sorting',
      by: 'model',
    },
  )
  await writeExchange(kept, 'd', 'A secret', 'Gone.', { kind: 'deleted', value: true })
  return kept
}

const listed = async (history: JournalHistory, filter = {}) =>
  (await history.list(filter, forever)).map(({ conversation, title }) => [conversation, title])
const found = async (history: JournalHistory, text: string) =>
  (await history.search(text, {}, forever)).map(({ summary, turn }) => [summary.conversation, turn])

const ways = { 'the index': undefined, 'no index of words': withoutWordIndex, 'no SQLite': withoutSqlite }
for (const [way, openIndex] of Object.entries(ways))
  test(`conversations are listed and found with ${way}`, async () => {
    const kept = await threeConversations()
    const history = kept.history(openIndex)
    for (const isUpToDate of [false, true]) {
      if (isUpToDate) await history.updated()
      assert.deepEqual(await listed(history), [
        ['b', 'Was ist ein Übertrag?'],
        ['c', 'Sorting'],
        ['a', 'How do I parse JSON?'],
      ])
      assert.deepEqual(await listed(history, { isDeleted: true }), [['d', 'A secret']])
      assert.deepEqual(await listed(history, { isArchived: false }), [
        ['b', 'Was ist ein Übertrag?'],
        ['a', 'How do I parse JSON?'],
      ])
      assert.deepEqual(await listed(history, { workspace: 'file:///elsewhere' }), [])
      assert.deepEqual(await found(history, 'json PARSE'), [['a', 'turn-0']])
      assert.deepEqual(await found(history, 'übr'), [['b', 'turn-0']])
      assert.deepEqual(
        (await found(history, 'a l')).map(([id]) => id),
        ['c', 'b', 'a'],
      )
      assert.deepEqual(await found(history, 'json sort'), [])
      assert.deepEqual(await found(history, '"*) OR'), [])
      assert.deepEqual(await found(history, 'Gone'), [], 'what is deleted is not found')
      assert.deepEqual(await found(history, '  '), [])
    }
    const [hit] = await history.search('throws', {}, forever)
    assert.match(hit?.excerpt ?? '', /catch what it throws/)
    await history.close()
  })

test('the three ways find the same', async () => {
  const kept = storage()
  const words = ['alpha', 'beta', 'ab', 'gamma ray', 'İstanbul', 'straße', '数据库', 'x']
  const texts = fc.sample(fc.array(fc.constantFrom(...words), { maxLength: 4 }), { numRuns: 12, seed: 7 })
  for (const [at, text] of texts.entries())
    await writeExchange(kept, `c${at}`, text.join(' '), text.toReversed().join('-'))
  const histories = Object.values(ways).map(openIndex => storage(kept.folder).history(openIndex))
  // One after the other: two of them share a file.
  const results: unknown[][] = []
  for (const history of histories) {
    rmSync(kept.indexPath, { force: true })
    await history.updated()
    const queries = [...words, 'alpha beta', 'amma', 'be al', '据库', 'STRASSE', 'İ', 'mm-']
    results.push(await Promise.all(queries.map(query => found(history, query))))
    await history.close()
  }
  assert.deepEqual(results[1], results[0])
  assert.deepEqual(results[2], results[0])
})

test('what another window appends, begins or removes is seen', async () => {
  const kept = await threeConversations()
  const history = kept.history()
  await history.updated()
  let changes = 0
  history.onDidChange(() => changes++)
  await writeExchange(kept, 'e', 'Something new', 'Yes.')
  await kept.journals.remove('a')
  await writeExchange(kept, 'c', 'And in reverse?', 'Use toReversed.')
  await history.updated()
  assert.equal(changes, 1)
  assert.deepEqual(
    (await listed(history)).map(([id]) => id),
    ['b', 'c', 'e'],
  )
  assert.deepEqual(await found(history, 'reverse'), [['c', 'turn-6']])
  await history.updated()
  assert.equal(changes, 1, 'nothing has changed since')
  await history.close()
})

test('an index that was deleted, cut, overwritten or made by another version is made anew from the journals', async () => {
  const kept = await threeConversations()
  const damages: Record<string, () => void> = {
    deleted: () => rmSync(kept.indexPath),
    cut: () => writeFileSync(kept.indexPath, 'SQLite format 3\0'),
    overwritten: () => writeFileSync(kept.indexPath, 'x'.repeat(50_000)),
    empty: () => writeFileSync(kept.indexPath, ''),
  }
  const first = kept.history()
  await first.updated()
  const before = [await listed(first), await found(first, 'toSorted')]
  await first.close()
  for (const [damage, harm] of Object.entries(damages)) {
    for (const ending of ['-wal', '-shm']) rmSync(`${kept.indexPath}${ending}`, { force: true })
    harm()
    const history = kept.history()
    assert.deepEqual([await listed(history), await found(history, 'toSorted')], before, `${damage}, at once`)
    await history.updated()
    const made = await IndexDatabase.open(kept.indexPath)
    assert.deepEqual([...(made?.rows().keys() ?? [])].sort(), ['a', 'b', 'c', 'd'])
    made?.close()
    assert.deepEqual([await listed(history), await found(history, 'toSorted')], before, `${damage}, then`)
    await history.close()
  }
})

test('the next window answers from the index at once, and finds what was appended since', async () => {
  const kept = await threeConversations()
  const first = kept.history()
  await first.updated()
  await first.close()
  await writeExchange(kept, 'e', 'Something new', 'Yes.')
  const next = kept.history()
  assert.equal((await listed(next)).length, 3)
  const changed = new Promise<void>(resolve => next.onDidChange(resolve))
  await changed
  assert.equal((await listed(next)).length, 4)
  await next.close()
})

test('an index that is damaged while it is open costs no answer', async () => {
  const kept = await threeConversations()
  let damaged = false
  const history = kept.history(async path => {
    const index = await IndexDatabase.open(path)
    if (!index || damaged) return index
    const fail = () => {
      damaged = true
      throw Object.assign(new Error('database disk image is malformed'), { errcode: 11 })
    }
    index.list = fail
    return index
  })
  await history.updated()
  assert.equal((await listed(history)).length, 3)
  assert.equal(damaged, true)
  await history.updated()
  assert.equal((await listed(history)).length, 3)
  assert.match(kept.lines.join('\n'), /made anew/)
  await history.close()
})

test('a journal that cannot be read costs only itself', async () => {
  const kept = await threeConversations()
  writeFileSync(kept.journals.pathOf('later'), '{"format":"kourier-conversation","version":9}\n')
  writeFileSync(kept.journals.pathOf('garbage'), '\0'.repeat(1_000))
  const history = kept.history()
  assert.equal((await listed(history)).length, 3)
  await history.updated()
  assert.equal((await listed(history)).length, 3)
  await history.close()
})

for (const [way, openIndex] of Object.entries(ways))
  test(`a conversation is found by its title with ${way}`, async () => {
    const kept = storage()
    await writeExchange(kept, 'a', 'How?', 'Like this.', { kind: 'title', text: 'Release plan', by: 'user' })
    await writeExchange(kept, 'b', 'The release plan?', 'Here.')
    const history = kept.history(openIndex)
    for (const isUpToDate of [false, true]) {
      if (isUpToDate) await history.updated()
      assert.deepEqual(await found(history, 'PLAN release'), [
        ['b', 'turn-0'],
        ['a', ''],
      ])
    }
    await writeExchange(kept, 'a', 'More?', 'Yes.', { kind: 'title', text: 'Something else', by: 'user' })
    await history.updated()
    assert.deepEqual(await found(history, 'release plan'), [['b', 'turn-0']])
    await history.close()
  })

test('a conversation whose title was removed is listed by its first question', async () => {
  const kept = storage()
  await writeExchange(kept, 'a', 'How do I\nparse JSON?', 'Like this.', { kind: 'title', text: '', by: 'user' })
  const history = kept.history()
  await history.updated()
  assert.deepEqual(await listed(history), [['a', 'How do I parse JSON?']])
  await history.close()
})

test('one conversation is listed as it is now without reading the others', async () => {
  const kept = await threeConversations()
  const history = kept.history()
  await history.updated()
  let changes = 0
  history.onDidChange(() => changes++)
  await writeExchange(kept, 'a', 'More?', 'Yes.', { kind: 'title', text: 'Renamed', by: 'user' })
  await history.refreshOne('a', forever)
  assert.equal(changes, 1)
  assert.ok((await listed(history)).some(([id, title]) => id === 'a' && title === 'Renamed'))
  await history.refreshOne('none', forever)
  await history.close()
})

test('a deleted conversation is removed after a day, but not while a window writes it', async () => {
  const kept = await threeConversations()
  const history = kept.history()
  const isThere = async (id: string) => (await kept.journals.entry(id)) !== undefined
  await history.updated()
  assert.equal(await isThere('d'), true, 'it can be restored')
  await kept.clock.advance(25 * 3_600_000)
  const other = await ConversationLog.open({ journal: kept.journals.open('d'), clock: kept.clock }, forever)
  assert.equal(await other.claim(), true)
  await history.updated()
  assert.equal(await isThere('d'), true)
  await other.close()
  await history.updated()
  assert.deepEqual(
    [await isThere('a'), await isThere('b'), await isThere('c'), await isThere('d')],
    [true, true, true, false],
  )
  await history.close()
})

test('[R42] a journal of a later version is counted, and stays as it is', async () => {
  const kept = await threeConversations()
  const path = kept.journals.pathOf('later')
  const text = '{"format":"kourier-conversation","version":2,"conversation":"later"}\n{"kind":"new"}\n'
  writeFileSync(path, text)
  const history = kept.history()
  await history.updated()
  assert.equal(history.laterCount, 1)
  assert.equal((await listed(history)).length, 3)
  assert.equal(readFileSync(path, 'utf8'), text)
  rmSync(path)
  await history.updated()
  assert.equal(history.laterCount, 0)
  await history.close()
})
