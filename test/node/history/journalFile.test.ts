// The journal on a real disk: every event is there, whatever happens to the window, the file or the disk.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import * as disk from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { ConversationLog } from '../../../src/core/conversation/conversationLog.ts'
import { JournalAccessError, LaterJournalError, NotWriterError } from '../../../src/core/conversation/journal.ts'
import { eventLine, headerLine } from '../../../src/core/conversation/journalLines.ts'
import { Log } from '../../../src/core/log/log.ts'
import { type JournalDisk, JournalFile } from '../../../src/node/history/journalFile.ts'
import type { ConversationEvent, EventBody } from '../../../src/protocol/conversation.ts'
import { answerText, pathOf } from '../../../src/protocol/conversationPath.ts'
import { emptyConversation, replay } from '../../../src/protocol/conversationState.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { CONVERSATION, conversations } from '../../support/randomConversation.ts'
import { eventually } from '../../support/wire.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-journals-'))
after(() => rmSync(root, { recursive: true, force: true }))
const forever = new AbortController().signal
let folders = 0
const freshPath = () => join(root, String(folders++), `${CONVERSATION}.jsonl`)

interface Window {
  readonly path?: string
  readonly disk?: JournalDisk
  readonly isAlive?: (process: number) => boolean
  readonly clock?: FakeClock
}

function journalAt({ path = freshPath(), disk, isAlive = () => true, clock = new FakeClock() }: Window = {}) {
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const options = { conversation: CONVERSATION, path, clock, log, isAlive, ...(disk && { disk }) }
  return { journal: new JournalFile(options), path, clock, lines }
}

async function loaded(journal: JournalFile): Promise<ConversationEvent[]> {
  const events: ConversationEvent[] = []
  for await (const batch of journal.load(forever)) events.push(...batch)
  return events
}

/** A window that has opened the conversation and may write. */
async function writer(window: Window = {}) {
  const opened = journalAt(window)
  const log = await ConversationLog.open(opened, forever)
  assert.equal(await log.claim(), true)
  return { ...opened, log }
}

/** What the next window would see. */
async function kept(path: string) {
  const { journal } = journalAt({ path })
  const state = replay(await loaded(journal), emptyConversation(CONVERSATION))
  await journal.close()
  return state
}

const asked = (turn: string, text: string, parent?: string): EventBody => ({
  kind: 'turn-started',
  turn,
  ...(parent && { parent }),
  origin: { is: 'new' },
  prompt: [{ kind: 'text', id: `${turn}-prompt`, text }],
})
const textDelta = (turn: string, offset: number, text: string): EventBody => ({
  kind: 'text-delta',
  turn,
  part: `${turn}-answer`,
  offset,
  text,
})

test('after every event, replay of the journal equals the state in memory', async () => {
  await fc.assert(
    fc.asyncProperty(conversations, async events => {
      const { log, path, journal } = await writer()
      for (const { conversation: _, n: __, time: ___, ...body } of events) {
        if (body.kind === 'unknown') continue
        await log.append(body)
        await journal.flush()
        assert.deepEqual(await kept(path), log.state)
      }
      await log.close()
    }),
    { numRuns: 20 },
  )
})

test('[R37] a prompt is on disk when it is accepted, a piece of the answer within half a second', async () => {
  const { log, path, clock } = await writer()
  await log.append(asked('t', 'Tell me'))
  assert.match(readFileSync(path, 'utf8'), /"Tell me"/)
  await log.append(textDelta('t', 0, 'Once'))
  await log.append(textDelta('t', 4, ' upon'))
  assert.doesNotMatch(readFileSync(path, 'utf8'), /Once/)
  await clock.advance(500)
  await eventually('the pieces are written, as one line', () => readFileSync(path, 'utf8').includes('"Once upon"'))
  await log.close()
})

test('what waits to be written is on disk when the window has closed the journal', async () => {
  const { journal, log, path } = await writer()
  await log.append(asked('t', 'Tell me'))
  await log.append(textDelta('t', 0, 'Once'))
  assert.doesNotMatch(readFileSync(path, 'utf8'), /Once/)
  await journal.close()
  assert.match(readFileSync(path, 'utf8'), /Once/)
})

test('only the user may read a journal', { skip: process.platform === 'win32' }, async () => {
  const { log, path } = await writer()
  await log.append(asked('t', 'Tell me'))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  await log.close()
})

test('a torn last line is cut off before the next one is written', async () => {
  const first = await writer()
  await first.log.append(asked('t', 'Tell me'))
  await first.log.append({ kind: 'title', text: 'A tale that is cut', by: 'user' })
  await first.log.close()
  truncateSync(first.path, statSync(first.path).size - 7)
  const second = await writer({ path: first.path })
  await second.log.append({ kind: 'title', text: 'A new tale', by: 'user' })
  await second.log.close()
  const lines = readFileSync(first.path, 'utf8').trimEnd().split('\n')
  assert.equal(lines.filter(line => line.includes('that is cut')).length, 0)
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line))
  assert.equal((await kept(first.path)).title?.text, 'A new tale')
})

test('a last line that lacks only its line end gets one before the next', async () => {
  const first = await writer()
  await first.log.append({ kind: 'title', text: 'A tale', by: 'user' })
  await first.log.close()
  truncateSync(first.path, statSync(first.path).size - 1)
  const second = await writer({ path: first.path })
  assert.equal(second.log.state.title?.text, 'A tale')
  await second.log.append({ kind: 'pinned', value: true })
  await second.log.close()
  const state = await kept(first.path)
  assert.deepEqual([state.title?.text, state.isPinned], ['A tale', true])
})

test('[R42] a file that is no conversation is set aside; one of a later version stays as it is', async () => {
  const foreign = freshPath()
  await disk.mkdir(join(foreign, '..'))
  writeFileSync(foreign, 'A shopping list\n'.repeat(50))
  const { log, lines } = await writer({ path: foreign })
  await log.append(asked('t', 'Tell me'))
  await log.close()
  const aside = readdirSync(join(foreign, '..')).filter(name => name.includes('.damaged-'))
  assert.equal(aside.length, 1)
  assert.match(lines.join('\n'), /set aside/)
  assert.equal(pathOf(await kept(foreign)).length, 1)

  const later = freshPath()
  await disk.mkdir(join(later, '..'))
  writeFileSync(later, headerLine(CONVERSATION).replace('"version":1', '"version":9'))
  await assert.rejects(ConversationLog.open(journalAt({ path: later }), forever), LaterJournalError)
  assert.match(readFileSync(later, 'utf8'), /"version":9/)
})

test('a long journal is read in batches, and a long line over several of them', async () => {
  const path = freshPath()
  await disk.mkdir(join(path, '..'))
  const titles = Array.from({ length: 3_000 }, (_, at): ConversationEvent => {
    const text = at === 1_000 ? 'x'.repeat(3_000_000) : `title ${at}`
    return { kind: 'title', conversation: CONVERSATION, n: at + 1, time: at, text, by: 'user' }
  })
  writeFileSync(path, headerLine(CONVERSATION) + titles.map(eventLine).join(''))
  const { journal } = journalAt({ path })
  const sizes: number[] = []
  for await (const batch of journal.load(forever)) sizes.push(batch.length)
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    3_000,
  )
  assert.ok(Math.max(...sizes) < 2_999, `batches of ${sizes}`)
  await journal.close()
})

/** A disk that takes so many bytes and no more, as long as it `isFull`. */
function smallDisk(freeBytes: number) {
  const state = { isFull: true, writes: 0 }
  const open: JournalDisk['open'] = async (...args) => {
    const handle = await disk.open(...args)
    const append = handle.appendFile.bind(handle)
    handle.appendFile = async data => {
      state.writes++
      if (!state.isFull) return append(data)
      const bytes = Buffer.from(data as Buffer)
      await append(bytes.subarray(0, Math.max(0, freeBytes)))
      freeBytes -= bytes.length
      if (freeBytes < 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }
    return handle
  }
  return { state, disk: { ...disk, open } }
}

test('[R43] a full disk costs only the keeping: reported once, and written when there is room again', async () => {
  const { state, disk } = smallDisk(700)
  const { log, path, clock, lines } = await writer({ disk })
  const troubles: unknown[] = []
  log.onDidChangeTrouble(() => troubles.push(log.trouble))
  await log.append(asked('t', 'The first question'))
  await log.append({ kind: 'turn-ended', turn: 't', state: 'done' })
  const before = (await kept(path)).n
  for (let at = 0; at < 20; at++) await log.append(asked(`t${at}`, `Question ${at}`, at > 0 ? `t${at - 1}` : 't'))
  await log.append(textDelta('t19', 0, 'The answer'))
  assert.equal(pathOf(log.state).length, 21, 'the conversation goes on')
  assert.ok((await kept(path)).n >= before, 'and what was kept stays')
  assert.deepEqual(troubles, ['no space'])
  assert.equal(lines.filter(line => line.includes('cannot be kept')).length, 1)
  state.isFull = false
  await clock.advance(5_000)
  await eventually('all is kept', () => troubles.length === 2)
  assert.deepEqual(await kept(path), log.state)
  assert.deepEqual(troubles, ['no space', undefined])
  await log.close()
})

test('a window that has ended its turn on a full disk lets others write as soon as its own events are written', async () => {
  const { state, disk } = smallDisk(0)
  const { log, path, clock } = await writer({ disk })
  await log.append(asked('t', 'Tell me'))
  await log.append({ kind: 'turn-ended', turn: 't', state: 'done' })
  await log.release()
  const second = await ConversationLog.open(journalAt({ path, clock }), forever)
  assert.equal(await second.claim(), false)
  state.isFull = false
  await clock.advance(5_000)
  await eventually('it is written', () => log.trouble === undefined)
  await eventually('it is released', () => !log.isWriter)
  assert.equal(await second.claim(), true)
  assert.equal(pathOf(second.state).length, 1)
  for (const one of [second, log]) await one.close()
})

/** A disk whose system lets this user open no file for that: `r` is reading, `a` writing. */
const refusing = (flag: 'r' | 'a'): JournalDisk => ({
  ...disk,
  open: (path, flags, mode) => {
    if (flags !== flag) return disk.open(path, flags, mode)
    throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' })
  },
})

test('[R44] a file that may not be written is said to be so, and one that may not be read is named', async () => {
  const { log, path } = await writer({ disk: refusing('a') })
  await log.append(asked('t', 'Tell me'))
  assert.equal(log.trouble, 'no access')
  assert.equal(pathOf(log.state).length, 1, 'the conversation goes on')
  await log.close()
  const reading = ConversationLog.open(journalAt({ path, disk: refusing('r') }), forever)
  await assert.rejects(reading, (fault: unknown) => fault instanceof JournalAccessError && fault.path === path)
})

test('[R44] a folder that cannot be written costs only the keeping', async () => {
  const { path: blocked } = journalAt()
  writeFileSync(join(blocked, '..'), 'a file, where the folder should be')
  const { log, clock, lines } = await writer({ path: blocked })
  await log.append(asked('t', 'Tell me'))
  await log.append(textDelta('t', 0, 'Once'))
  await clock.advance(20_000)
  assert.equal(answerText(pathOf(log.state)[0] ?? assert.fail()), 'Once')
  assert.equal(lines.filter(line => line.includes('cannot be kept')).length, 1)
  const again: ConversationEvent[] = []
  for await (const batch of log.events(1, forever)) again.push(...batch)
  assert.deepEqual(replay(again, emptyConversation(CONVERSATION)), log.state, 'a page still gets every event')
  await log.close()
})

test('[A44] of two windows one writes and the other follows live, then takes over', async () => {
  const first = await writer()
  const second = await ConversationLog.open(journalAt({ path: first.path, clock: first.clock }), forever)
  assert.equal(await second.claim(), false)
  await assert.rejects(second.append(asked('x', 'Me too')), NotWriterError)
  const seen: string[] = []
  second.onDidAppend(event => seen.push(event.kind))
  await first.log.append(asked('t', 'Tell me'))
  await first.log.append(textDelta('t', 0, 'Once'))
  await first.clock.advance(1_500)
  await eventually('the other window has it', () => second.state.n === first.log.state.n)
  assert.deepEqual(second.state, first.log.state)
  assert.deepEqual(seen, ['turn-started', 'text-delta'])
  await first.log.append({ kind: 'turn-ended', turn: 't', state: 'done' })
  await first.log.release()
  assert.equal(await second.claim(), true)
  assert.deepEqual(second.state, first.log.state, 'what came meanwhile is there before it writes')
  await second.append(asked('t2', 'And then?', 't'))
  await first.clock.advance(1_500)
  await eventually('now the first one follows', () => first.log.state.n === second.state.n)
  assert.deepEqual(first.log.state, second.state)
  await first.log.close()
  await second.close()
})

test('a window that dies in the middle of an answer leaves the lock and its answer to the one that follows', async () => {
  const dead = new Set<number>()
  const first = await writer({ isAlive: process => !dead.has(process) })
  await first.log.append(asked('t', 'Tell me'))
  await first.log.append(textDelta('t', 0, 'Once'))
  await first.journal.flush()
  const lock = `${first.path}.lock`
  // The same file as another process would have made it.
  writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, '4194303'))
  const clock = new FakeClock()
  const opened = journalAt({ path: first.path, clock, isAlive: process => !dead.has(process) })
  const second = await ConversationLog.open(opened, forever)
  assert.equal(pathOf(second.state)[0]?.state, 'running')
  await clock.advance(1_000)
  dead.add(4_194_303)
  for (let looks = 0; looks < 5; looks++) await clock.advance(1_000)
  await eventually('the answer is marked', () => pathOf(second.state)[0]?.state === 'interrupted')
  await eventually('the lock is free', () => !existsSync(lock))
  assert.deepEqual(await kept(first.path), second.state)
  await second.close()
  await first.log.close()
})

test('the lock of another machine is kept as long as it is marked, and free a minute after the last mark', async () => {
  const { path, log } = await writer()
  await log.close()
  writeFileSync(`${path}.lock`, '77 another-machine a-word')
  const { journal, clock } = journalAt({ path, isAlive: () => false })
  await loaded(journal)
  assert.equal(await journal.claim(), false)
  for (let marks = 1; marks <= 5; marks++) {
    clock.pass(30_000)
    await disk.utimes(`${path}.lock`, marks, marks)
    assert.equal(await journal.claim(), false)
  }
  clock.pass(60_000)
  assert.equal(await journal.claim(), true)
  await journal.close()
})

test('a window that was suspended and has lost the lock keeps what it has to write until it may', async () => {
  const first = await writer()
  await first.log.append(asked('t', 'Tell me'))
  writeFileSync(`${first.path}.lock`, '1 another-machine a-word')
  const troubles: unknown[] = []
  first.log.onDidChangeTrouble(() => troubles.push(first.log.trouble))
  await first.log.append({ kind: 'title', text: 'Mine', by: 'user' })
  assert.deepEqual([first.log.isWriter, troubles], [false, ['unknown']])
  rmSync(`${first.path}.lock`)
  await first.clock.advance(1_000)
  await eventually('it is written', () => troubles.length === 2)
  assert.equal((await kept(first.path)).title?.text, 'Mine')
  await first.log.close()
})

test('a call without a result is interrupted, with a result for the model', async () => {
  const first = await writer()
  await first.log.append(asked('t', 'Read a.ts'))
  await first.log.append({ kind: 'tool-call', turn: 't', part: 'c', input: { path: 'a.ts' } })
  assert.match(readFileSync(first.path, 'utf8'), /"a\.ts"/, 'it is on disk before it is carried out')
  await first.log.close()
  const second = await ConversationLog.open(journalAt({ path: first.path }), forever)
  const [turn] = pathOf(second.state)
  const [part] = turn?.steps.at(-1)?.parts ?? []
  assert.equal(turn?.state, 'interrupted')
  assert.equal(part?.kind === 'tool-call' && part.result?.outcome, 'interrupted')
  assert.equal(second.isWriter, false, 'any window may go on with it')
  await second.close()
})
