// What goes along with a question by itself: instruction files once, and the changes of a repository that was attached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Session } from '../../../src/core/agent/session.ts'
import { AutomaticContext, isAutomatic } from '../../../src/core/context/automaticContext.ts'
import { FittingRepository } from '../../../src/core/context/fittingRepository.ts'
import { Instructions } from '../../../src/core/context/instructions.ts'
import { RepositorySource } from '../../../src/core/context/repositorySource.ts'
import { ConversationLog } from '../../../src/core/conversation/conversationLog.ts'
import { sentParts } from '../../../src/core/conversation/sentTurns.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import type { ModelRequest } from '../../../src/core/model/modelClient.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../../src/core/model/surfaces.ts'
import type { PartOf } from '../../../src/protocol/conversation.ts'
import { contextNames } from '../../support/contextNames.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { MemoryFiles } from '../../support/memoryFiles.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'

const { signal } = new AbortController()
const keys = new KeyText(() => undefined)

/** A chat over files in memory whose model answers at once. */
function chat(
  files: MemoryFiles,
  { declined = [] as string[], isOn = true, surroundings = [] as readonly PartOf<'attachment'>[] } = {},
) {
  const requests: ModelRequest[] = []
  let ids = 0
  const newId = () => `i${++ids}`
  const clock = new FakeClock()
  const log = ConversationLog.empty({ journal: new MemoryJournal('c'), clock })
  const session = new Session(log, {
    models: {
      async *stream(request) {
        requests.push(request)
        yield { kind: 'text-delta', text: 'Yes.' }
        yield { kind: 'finish', why: 'done' }
      },
    },
    model: async () => 'm',
    newId,
    clock,
  })
  const instructions = new Instructions(files.access, {
    folders: () => [{ uri: 'file:///work' }],
    isOn: () => isOn,
    isTrusted: () => files.isTrusted,
    filesIn: async () => [],
    clock,
  })
  const repository = new RepositorySource(files.access, files, contextNames, keys)
  const source = instructions.source()
  const automatic = new AutomaticContext(
    {
      // as: only instructions are asked for.
      sources: { describe: source.describe, resolve: source.resolve } as never,
      instructionsFor: (attached, stop) => instructions.for(attached, stop),
      changesSince: (earlier, stop) => repository.changesSince(earlier, stop),
      changesName: 'Repository changes',
      leftOutText: ({ path }) => `${path} is left out.`,
      surroundingsOf: async () => surroundings,
      surroundingsName: 'Workspace',
      surroundingsText: parts => parts.map(({ name }) => name).join(),
      omissionText: omitted => omitted.map(({ why, names }) => `${why}: ${names.join()}`).join() || undefined,
      differencesText: ({ lacksKey }) => (lacksKey ? 'Without its key.' : undefined),
      tokensOf: async parts => parts.length,
      newId,
      clock,
    },
    declined,
  )
  const question = (attached: readonly string[] = []) => ({
    ...{ conversation: 'c', attached, sent: sentParts(session.conversation) },
  })
  return {
    session,
    requests,
    automatic,
    clock,
    repository,
    /** The names of the chips. */
    async chips(attached?: readonly string[]) {
      await automatic.refresh(question(attached))
      return automatic.chips.map(({ label }) => label)
    },
    async ask(text: string, attached: readonly string[] = [], isWithRepository = false) {
      const along = await automatic.take(question(attached), signal)
      const resolved = await repository.resolve(undefined, undefined, signal)
      const own = isWithRepository && resolved.is === 'ready' ? resolved.parts : []
      const parts = [...own, ...along]
      await session.ask(text, parts)
      automatic.onSent()
      return parts.map(({ name, text: sent }) => [name, sent])
    },
  }
}

test('an instruction file goes along with the first question, and again only when its text has changed', async () => {
  const files = new MemoryFiles({ 'AGENTS.md': 'Be kind.', 'a.ts': '1' })
  const { chips, ask } = chat(files)
  assert.deepEqual(await chips(), ['AGENTS.md'])
  assert.deepEqual(await ask('Why?'), [['AGENTS.md', 'Be kind.']])
  assert.deepEqual(await chips(), [])
  assert.deepEqual(await ask('And?'), [])
  files.all.set('file:///work/AGENTS.md', { text: 'Be short.' })
  assert.deepEqual(await ask('How?'), [['AGENTS.md', 'Be short.']])
  assert.deepEqual(await ask('When?'), [])
})

test('one in a folder goes along with the first question about a file in it', async () => {
  const files = new MemoryFiles({ 'src/AGENTS.md': 'In src.', 'src/a.ts': '1' })
  const { chips, ask } = chat(files)
  assert.deepEqual(await ask('Why?'), [])
  assert.deepEqual(await chips(['file:///work/src/a.ts']), ['src/AGENTS.md'])
  assert.deepEqual(await ask('How?', ['file:///work/src/a.ts']), [['src/AGENTS.md', 'In src.']])
})

test('what the user has removed stays away from this conversation, also after a reload', async () => {
  const files = new MemoryFiles({ 'AGENTS.md': 'Be kind.' })
  const { chips, ask, automatic } = chat(files)
  await chips()
  assert.equal(automatic.remove(automatic.chips[0]?.id ?? ''), true)
  assert.equal(automatic.remove('another'), false)
  assert.deepEqual(await chips(), [])
  assert.deepEqual(await ask('Why?'), [])
  assert.deepEqual(await chat(files, { declined: [...automatic.declined] }).chips(), [])
})

test('none where the workspace is not trusted, or where the user has them off', async () => {
  const files = new MemoryFiles({ 'AGENTS.md': 'Be kind.' })
  assert.deepEqual(await chat(files, { isOn: false }).ask('Why?'), [])
  files.isTrusted = false
  assert.deepEqual(await chat(files).ask('Why?'), [])
})

test('the workspace is a chip that shows what is sent, and once removed it stays away', async () => {
  const base = { kind: 'attachment', source: 'environment', sizeChars: 1 } as const
  const surroundings = [
    { ...base, id: '1', name: 'environment', text: 'System: Linux.' },
    { ...base, id: '2', name: 'situation', text: 'a.ts is open.' },
  ]
  const { chips, ask, automatic } = chat(new MemoryFiles({ 'AGENTS.md': 'Be kind.' }), { surroundings })
  assert.deepEqual(await chips(), ['AGENTS.md', 'Workspace'])
  const [, chip] = automatic.chips
  assert.deepEqual(
    [chip?.kind, chip?.detail, chip?.tokens, chip?.isAutomatic],
    [...['environment', 'environment,situation', 2, true]],
  )
  assert.equal(automatic.text(chip?.id ?? ''), 'System: Linux.\n\na.ts is open.')
  assert.deepEqual(await ask('Why?'), [['AGENTS.md', 'Be kind.']], 'the conversation itself adds it')
  surroundings.splice(0, 1)
  await automatic.refreshSurroundings({ conversation: 'c' }, signal)
  assert.equal(automatic.chips.at(-1)?.detail, 'situation')
  assert.equal(automatic.declinesSurroundings, false)
  assert.equal(automatic.remove(chip?.id ?? ''), true)
  assert.equal(automatic.declinesSurroundings, true)
  assert.deepEqual(await chips(), [])
  const reloaded = chat(new MemoryFiles({}), { surroundings, declined: [...automatic.declined] })
  assert.deepEqual([await reloaded.chips(), reloaded.automatic.declinesSurroundings], [[], true])
})

test('an instruction file that is left out is named before the question, and not again after it', async () => {
  const files = new MemoryFiles({ 'AGENTS.md': 'a'.repeat(60_001) })
  const { automatic, chips, ask } = chat(files)
  await chips()
  assert.deepEqual(
    automatic.chips.map(({ label, state, problem }) => [label, state, problem]),
    [['AGENTS.md', 'unavailable', 'AGENTS.md is left out.']],
  )
  assert.deepEqual(await ask('Why?'), [])
  assert.deepEqual(await chips(), [])
})

test('after a summary they go along again, because the model no longer has them', async () => {
  const { ask, session } = chat(new MemoryFiles({ 'AGENTS.md': 'Be kind.' }))
  await ask('Why?')
  const turn = session.conversation.tip
  await session.record({ kind: 'summary', turn, summary: 's', text: 'Short.' })
  assert.deepEqual(await ask('And?'), [['AGENTS.md', 'Be kind.']])
})

test('of a repository that was attached only what has changed goes along, each state once', async () => {
  const files = new MemoryFiles({ 'a.ts': 'one\n', 'b.ts': 'b\n' })
  const { ask, chips, clock } = chat(files)
  const [[, whole] = []] = await ask('What is this?', [], true)
  assert.match(whole ?? '', /^==> a\.ts/)
  assert.deepEqual(await ask('And?'), [])
  files.all.set('file:///work/a.ts', { text: 'two\n' })
  await clock.advance(60_000)
  assert.deepEqual(await chips(), ['Repository changes'])
  const [[name, changes] = []] = await ask('Now?')
  assert.deepEqual([name, changes], ['Repository changes', '--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n'])
  assert.deepEqual(await ask('Still?'), [])
  files.all.set('file:///work/a.ts', { text: 'one\n' })
  assert.deepEqual(await ask('Back?'), [['Repository changes', 'The repository is again as it was attached.\n']])
})

for (const surface of surfaceIds)
  test(`the bytes of earlier messages are the same in the next request (${surface})`, async () => {
    const files = new MemoryFiles({ 'AGENTS.md': 'Be kind.', 'a.ts': 'one\n' })
    const { ask, requests } = chat(files)
    await ask('What is this?', [], true)
    files.all.set('file:///work/a.ts', { text: 'two\n' })
    files.all.set('file:///work/AGENTS.md', { text: 'Be short.' })
    await ask('Now?')
    await ask('And then?')
    const bodies = requests.map(request => messagesOf(surfaces[surface].write(request)))
    assert.equal(bodies.length, 3)
    for (const [at, earlier] of bodies.slice(0, -1).entries()) {
      const later = bodies[at + 1] ?? []
      assert.ok(later.length > earlier.length)
      assert.deepEqual(later.slice(0, earlier.length), earlier)
    }
  })

/** Each as its bytes. */
function messagesOf(body: object): string[] {
  const { messages, input } = body as { messages?: unknown[]; input?: unknown[] } // as: one of the two by the surface
  return (messages ?? input ?? []).map(message => JSON.stringify(message))
}

test('what goes along by itself is recognized, so that it is not attached again with a message that was not sent', () => {
  const base = { kind: 'attachment', id: 'x', name: 'x', sizeChars: 1, text: 'x' } as const
  assert.equal(isAutomatic({ ...base, source: 'instructions', uri: 'file:///work/AGENTS.md' }), true)
  assert.equal(isAutomatic({ ...base, source: 'instructions' }), false, 'a prompt that the user has chosen')
  assert.equal(isAutomatic({ ...base, source: 'repository', language: 'diff' }), true)
  assert.equal(isAutomatic({ ...base, source: 'repository' }), false)
})

test('a repository that does not fit is not attached, and its largest folders are named', async () => {
  const files = new MemoryFiles({
    'src/a.ts': 'a'.repeat(6_000),
    'src/b/c.ts': 'b'.repeat(9_000),
    'test/d.ts': 'd'.repeat(2_000),
  })
  const tokensOf = async (text: string) => text.length / 4
  const { repository } = chat(files)
  const fitting = (limit: number) => new FittingRepository(repository, { limit: () => limit, tokensOf })
  const ask = (limit: number) => fitting(limit).resolve(undefined, { isConfirmed: false }, signal)
  assert.equal((await ask(5_000)).is, 'ready')
  const close = await ask(4_000)
  assert.ok(close.is === 'unavailable' && close.why === 'no-room')
  assert.equal(close.room?.limit, 4_000)
  assert.deepEqual(
    close.room?.folders.map(({ path }) => path),
    ['src/b', 'src', 'test'],
  )
  files.reads.length = 0
  const far = await ask(1_000)
  assert.ok(far.is === 'unavailable' && (far.room?.tokens ?? 0) > 4_000)
  assert.deepEqual(files.reads, [], 'what cannot fit is not read')
})
