// The request that is looked at is the one that is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyText } from '../../../src/core/log/keyText.ts'
import type { ModelRequest } from '../../../src/core/model/modelClient.ts'
import { AllowedActions } from '../../../src/core/tools/approvals.ts'
import type { Tool } from '../../../src/core/tools/tool.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'
import { memorySession } from '../../support/memorySession.ts'
import { memorySources } from '../../support/memorySources.ts'
import { noDraftFiles } from '../../support/noDraftFiles.ts'

const { RequestPreview } = await withFakeVscode(() => import('../../../src/editor/chat/requestPreview.ts'))
const { DraftContexts } = await withFakeVscode(() => import('../../../src/editor/chat/draftContexts.ts'))
const { DraftMemory } = await withFakeVscode(() => import('../../../src/editor/chat/draftMemory.ts'))

const { signal } = new AbortController()

/** What each question gets by itself in a window with an agent. */
const openEditors = { kind: 'attachment', source: 'environment', name: 'situation', text: 'a.ts is open.' } as const

const reading: Tool = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { properties: {} },
  rights: 'read',
  run: async () => ({ content: [] }),
}

function setup() {
  const sent: ModelRequest[] = []
  const shown: string[] = []
  const clock = new FakeClock()
  let ids = 0
  const newId = () => `i${++ids}`
  const session = memorySession({
    models: {
      async *stream(request) {
        sent.push(request)
        yield { kind: 'text-delta', text: 'Yes.' }
        yield { kind: 'finish', why: 'done' }
      },
    },
    model: async () => 'm',
    agent: {
      tools: async () => [reading],
      allowed: new AllowedActions(),
      defaultMode: () => 'ask',
      maxRequests: () => 5,
      surroundings: async () => [{ ...openEditors, id: newId(), sizeChars: openEditors.text.length }],
    },
    newId,
    clock,
  })
  const drafts = new DraftMemory(new FakeMemento(), new KeyText(() => undefined), noDraftFiles)
  const sources = memorySources()
  const tokensOf = async () => 1
  const contexts = new DraftContexts({
    drafts,
    withoutSurroundings: new Set(),
    report: fault => assert.fail(String(fault)),
    context: {
      sources,
      confirm: async () => true,
      tokensOf,
      problemText: (why, name) => `${name} is ${why}.`,
      omissionText: () => undefined,
      lacksGitText: 'Without git.',
      keys: new KeyText(() => undefined),
      differencesText: ({ lacksKey }) => (lacksKey ? 'Without its key.' : undefined),
      store: async () => 'a'.repeat(64),
      load: async () => undefined,
      newId,
    },
    automatic: {
      sources,
      instructionsFor: async () => ({
        sent: [{ source: 'instructions', uri: 'file:///w/AGENTS.md' }],
        leftOut: [],
      }),
      leftOutText: () => assert.fail('nothing is left out'),
      changesSince: async () => '',
      changesName: 'Repository changes',
      surroundingsOf: async () => [],
      surroundingsName: 'Workspace',
      surroundingsText: () => '',
      omissionText: omitted => omitted.map(({ why, names }) => `${why}: ${names.join()}`).join() || undefined,
      differencesText: ({ lacksKey }) => (lacksKey ? 'Without its key.' : undefined),
      tokensOf,
      newId,
      clock,
    },
  })
  const preview = new RequestPreview({
    contexts,
    drafts,
    model: () => 'm',
    bodyOf: async request => request,
    documents: { show: async (_, text) => void shown.push(text) },
  })
  return { preview, session, drafts, contexts, sources, sent, shown }
}

test('with the history, the instructions, what is attached as it is now, and the unsent text', async () => {
  const { preview, session, drafts, contexts, sources, sent, shown } = setup()
  const uri = 'file:///w/a.ts'
  sources.texts.set(uri, 'one')
  sources.texts.set('file:///w/AGENTS.md', 'Be kind.')
  await session.ask('Before?')
  await contexts.of(session.id).add({ source: 'file', uri })
  sources.texts.set(uri, 'two')
  drafts.save(session.id, { text: 'Why?', at: 1 })
  await preview.show(session, signal)
  const taken = await contexts.take(session.conversation, signal)
  await session.ask('Why?', taken.is === 'ready' ? taken.parts : [])
  // When the slot is released is no part of the request.
  const withoutRelease = (key: string, value: unknown) => (key === 'endsAfterRelease' ? undefined : value)
  assert.deepEqual(JSON.parse(shown[0] ?? ''), JSON.parse(JSON.stringify(sent[1], withoutRelease)))
  assert.match(shown[0] ?? '', /Be kind\.[\s\S]*two[\s\S]*Why\?/)
  assert.match(shown[0] ?? '', /<situation>\\na\.ts is open\./)
})

test('nothing is sent or changed by it, and a command that acts is no question', async () => {
  const { preview, session, drafts, sent, shown } = setup()
  drafts.save(session.id, { text: '/compact', at: 1 })
  await preview.show(session, signal)
  assert.deepEqual(JSON.parse(shown[0] ?? '').messages, [])
  assert.deepEqual([sent.length, session.length], [0, 0])
  assert.equal(drafts.saved(session.id)?.text, '/compact')
})

test('what cannot be read keeps it from being shown, because it would not be sent', async () => {
  const { preview, session, drafts, contexts, sources, shown } = setup()
  const uri = 'file:///w/a.ts'
  sources.texts.set(uri, 'one')
  await contexts.of(session.id).add({ source: 'file', uri })
  sources.texts.clear()
  drafts.save(session.id, { text: 'Why?', at: 1 })
  await preview.show(session, signal)
  assert.deepEqual(shown, [])
})
