// The options of a panel on conversations in memory: its drafts, its attachments and a model that a test hands in.
import assert from 'node:assert/strict'
import { Emitter } from '../../src/base/event.ts'
import type { AgentOptions } from '../../src/core/agent/session.ts'
import { Sessions } from '../../src/core/agent/sessions.ts'
import type { LeftOutInstructions } from '../../src/core/context/instructions.ts'
import type { PromptFile } from '../../src/core/context/promptFiles.ts'
import { SafeSources } from '../../src/core/context/safeSources.ts'
import { KeyText } from '../../src/core/log/keyText.ts'
import { Log } from '../../src/core/log/log.ts'
import type { ModelClient } from '../../src/core/model/modelClient.ts'
import { TokenCounter } from '../../src/core/model/tokenCounter.ts'
import { AllowedActions } from '../../src/core/tools/approvals.ts'
import type { ChatPanelOptions } from '../../src/editor/chat/chatPanel.ts'
import { PageImages } from '../../src/editor/context/pageImages.ts'
import type { ReferenceOf } from '../../src/protocol/contextReference.ts'
import type { PartOf } from '../../src/protocol/conversation.ts'
import type { MessagePlace } from '../../src/protocol/panel.ts'
import { FakeClock } from './fakeClock.ts'
import { FakeMemento } from './fakeMemento.ts'
import { fakePanelHistory } from './fakePanelHistory.ts'
import { withFakeVscode } from './fakeVscode.ts'
import { MemoryJournal } from './memoryJournal.ts'
import { memorySources } from './memorySources.ts'
import { noDraftFiles } from './noDraftFiles.ts'
import { scriptedTool, text } from './turnFixture.ts'

const { AddressOpener } = await withFakeVscode(() => import('../../src/editor/chat/addressOpener.ts'))
const { DraftContexts } = await withFakeVscode(() => import('../../src/editor/chat/draftContexts.ts'))
const { DraftMemory } = await withFakeVscode(() => import('../../src/editor/chat/draftMemory.ts'))

const neverAnswering: ModelClient['stream'] = async function* (_, signal) {
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

const agentWithTool: AgentOptions = {
  tools: async () => [scriptedTool('read', 'none', async () => text('-'))],
  allowed: new AllowedActions(),
  defaultMode: () => 'ask',
  maxRequests: () => 10,
}

interface Given {
  readonly answering?: ModelClient['stream']
  readonly summarizing?: ModelClient['stream']
  /** What goes along with a question of a model with tools. */
  readonly surroundings?: AgentOptions['surroundings']
  readonly whenRestored?: Promise<void>
}

/** `answering`: the model of the chat; `summarizing`: that of summaries. Two journals of one id have the same events. */
export function chatPanelFixture({
  answering = neverAnswering,
  summarizing = neverAnswering,
  surroundings,
  whenRestored = Promise.resolve(),
}: Given = {}) {
  const clock = new FakeClock()
  const keys = new KeyText(() => undefined)
  let ids = 0
  const journals = new Map<string, MemoryJournal>()
  const journal = (id: string) => {
    const known = journals.get(id) ?? new MemoryJournal(id)
    journals.set(id, known)
    return known
  }
  const sessions = new Sessions({
    models: { stream: (request, signal) => answering(request, signal) },
    model: async () => 'm',
    journal,
    newId: () => `id${++ids}`,
    clock,
    ...(surroundings && { agent: { ...agentWithTool, surroundings } }),
  })
  const drafts = new DraftMemory(new FakeMemento(), keys, noDraftFiles)
  const report = (fault: unknown) => assert.fail(String(fault))
  const files = memorySources()
  const sources = Object.assign(new SafeSources(files, keys), {
    texts: files.texts,
    secret: files.secret,
    offer: files.offer,
  })
  const withoutSurroundings = new Set<string>()
  const contexts = new DraftContexts({
    drafts,
    report,
    withoutSurroundings,
    context: {
      sources,
      confirm: async () => consents.shift() ?? false,
      tokensOf: async parts => parts.length,
      problemText: (why, name) => `${name} is ${why}.`,
      omissionText: () => undefined,
      lacksGitText: 'Without git.',
      keys,
      differencesText: ({ lacksKey }) => (lacksKey ? 'Without its key.' : undefined),
      store: async () => 'a'.repeat(64),
      load: async () => undefined,
      newId: () => `chip${++ids}`,
    },
    automatic: {
      sources,
      instructionsFor: async () => ({ sent: instructions, leftOut }),
      leftOutText: ({ path }) => `${path} is left out.`,
      changesSince: async () => repository.changes,
      changesName: 'Repository changes',
      surroundingsOf: async () => along,
      surroundingsName: 'Workspace',
      surroundingsText: parts => parts.map(({ name }) => name).join(),
      omissionText: omitted => omitted.map(({ why, names }) => `${why}: ${names.join()}`).join() || undefined,
      differencesText: ({ lacksKey }) => (lacksKey ? 'Without its key.' : undefined),
      tokensOf: async parts => parts.length,
      newId: () => `chip${++ids}`,
      clock,
    },
  })
  const instructions: ReferenceOf<'instructions'>[] = []
  const leftOut: LeftOutInstructions[] = []
  const along: PartOf<'attachment'>[] = []
  const texts: [name: string, text: string][] = []
  const situation = new Emitter<void>()
  const fileChanges = new Emitter<void>()
  const repository = { changes: '' }
  const prompts: PromptFile[] = []
  const consents: boolean[] = []
  const reviews: [conversation: string, action: string][] = []
  const read: (MessagePlace | undefined)[] = []
  const focus: boolean[] = []
  const options: ChatPanelOptions = {
    log: new Log(),
    account: () => ({ is: 'unknown' }),
    model: () => undefined,
    onReady() {},
    names: () => ({ service: 'Example' }),
    whenRestored,
    sendOnEnter: () => true,
    font: () => undefined,
    limits: () => undefined,
    lacksFolder: () => false,
    fork: (session, turn) => sessions.fork(session, turn),
    report,
    context: {
      contexts,
      sources,
      referenceOf: async uri => ({ source: 'file', uri }),
      promptFiles: async () => prompts,
      showRepository: async () => {},
      showText: async (name, text) => void texts.push([name, text]),
      onDidChangeSituation: situation.event,
      onDidChangeFiles: fileChanges.event,
      images: new PageImages(),
      clock,
      report,
    },
    meter: {
      model: () => 'm',
      compaction: async () => ({
        models: { stream: (request, signal) => summarizing(request, signal) },
        model: async () => 'small',
        counter: new TokenCounter(),
        limitsOf: () => ({ input: 10_000, total: 12_000 }),
        newId: () => `summary${++ids}`,
      }),
      names: () => ({ service: 'Example' }),
      drafts,
      clock,
      report,
    },
    agent: {
      modes: () => ['ask', 'plan', 'edit'],
      defaultMode: () => 'ask',
      showProposed: async () => {},
      restore: async () => {},
      commands: { onDidChange: () => ({ dispose() {} }), of: () => [], stop() {}, showTerminal() {} },
      report,
    },
    history: fakePanelHistory(sessions, { keys }),
    clock,
    keys,
    drafts,
    read: async (_, place) => void read.push(place),
    onDidFocus: (_, hasFocus) => void focus.push(hasFocus),
    addresses: new AddressOpener(),
    links: { files: async () => [], symbols: async () => [] },
    script: async name => (name === 'math' ? 'f()' : Promise.reject(new Error('It cannot be read.'))),
    colours: async () => ({ attach: () => ({ receive() {}, dispose() {} }) }),
    code: { run() {}, review: ({ conversation, action }) => void reviews.push([conversation, action]), mayRun: true },
    signIn: { cancel() {}, copyCode: async () => {}, openBrowser: async () => {}, renew() {}, dropNotice() {} },
  }
  return {
    options,
    sessions,
    journals,
    drafts,
    contexts,
    sources,
    consents,
    instructions,
    leftOut,
    along,
    withoutSurroundings,
    texts,
    situation,
    fileChanges,
    repository,
    prompts,
    keys,
    clock,
    reviews,
    read,
    focus,
  }
}
