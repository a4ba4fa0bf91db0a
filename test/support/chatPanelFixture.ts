// The options of a panel on conversations in memory: its drafts, its attachments and a model that a test hands in.
import assert from 'node:assert/strict'
import type { Uri } from 'vscode'
import { Sessions } from '../../src/core/agent/sessions.ts'
import { KeylessSources } from '../../src/core/context/keylessSources.ts'
import type { PromptFile } from '../../src/core/context/promptFiles.ts'
import { KeyText } from '../../src/core/log/keyText.ts'
import { Log } from '../../src/core/log/log.ts'
import type { ModelClient } from '../../src/core/model/modelClient.ts'
import { TokenCounter } from '../../src/core/model/tokenCounter.ts'
import type { ChatPanelOptions } from '../../src/editor/chat/chatPanel.ts'
import type { ReferenceOf } from '../../src/protocol/contextReference.ts'
import type { MessagePlace } from '../../src/protocol/panel.ts'
import { FakeClock } from './fakeClock.ts'
import { FakeMemento } from './fakeMemento.ts'
import { fakePanelHistory } from './fakePanelHistory.ts'
import { Uri as FakeUri, withFakeVscode } from './fakeVscode.ts'
import { MemoryJournal } from './memoryJournal.ts'
import { memorySources } from './memorySources.ts'

const { DraftContexts } = await withFakeVscode(() => import('../../src/editor/chat/draftContexts.ts'))
const { DraftMemory } = await withFakeVscode(() => import('../../src/editor/chat/draftMemory.ts'))

const neverAnswering: ModelClient['stream'] = async function* (_, signal) {
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** `answering`: the model of the chat; `summarizing`: that of summaries. Two journals of one id have the same events. */
export function chatPanelFixture({ answering = neverAnswering, summarizing = neverAnswering } = {}) {
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
  })
  const drafts = new DraftMemory(new FakeMemento(), keys)
  const report = (fault: unknown) => assert.fail(String(fault))
  const files = memorySources()
  const sources = Object.assign(new KeylessSources(files, keys), {
    texts: files.texts,
    secret: files.secret,
    offer: files.offer,
  })
  const contexts = new DraftContexts({
    drafts,
    report,
    context: {
      sources,
      confirm: async () => consents.shift() ?? false,
      tokensOf: async parts => parts.length,
      problemText: (why, name) => `${name} is ${why}.`,
      omissionText: () => undefined,
      keys,
      lacksKeyText: 'Without its key.',
      store: async () => 'a'.repeat(64),
      load: async () => undefined,
      newId: () => `chip${++ids}`,
    },
    automatic: {
      sources,
      instructionsFor: async () => instructions,
      changesSince: async () => '',
      changesName: 'Repository changes',
      lacksKeyText: 'Without its key.',
      tokensOf: async parts => parts.length,
      newId: () => `chip${++ids}`,
      clock,
    },
  })
  const instructions: ReferenceOf<'instructions'>[] = []
  const prompts: PromptFile[] = []
  const consents: boolean[] = []
  const read: (MessagePlace | undefined)[] = []
  const focus: boolean[] = []
  const options: ChatPanelOptions = {
    extensionUri: FakeUri.parse('/extension') as unknown as Uri,
    log: new Log(),
    account: () => ({ is: 'unknown' }),
    model: () => undefined,
    onReady() {},
    names: () => ({ service: 'Example' }),
    sendOnEnter: () => true,
    font: () => undefined,
    limits: () => undefined,
    fork: (session, turn) => sessions.fork(session, turn),
    report,
    context: { contexts, sources, promptFiles: async () => prompts, showRepository: async () => {}, clock, report },
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
    links: { files: async () => [], symbols: async () => [] },
    colours: async () => ({ attach: () => ({ receive() {}, dispose() {} }) }),
    code: { run() {}, review() {}, mayRun: true },
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
    prompts,
    keys,
    clock,
    read,
    focus,
  }
}
