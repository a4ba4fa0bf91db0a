// What the editor gets of an answer that is not whole, and what the model gets of a tool's result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  CancellationToken,
  LanguageModelChatInformation,
  LanguageModelChatRequestMessage,
  LanguageModelResponsePart,
  ProvideLanguageModelChatResponseOptions,
} from 'vscode'
import { Emitter } from '../../../src/base/event.ts'
import type { ModelEvent } from '../../../src/core/model/modelClient.ts'
import type { QueuedRequest } from '../../../src/core/model/queuedClient.ts'
import { repairHistory } from '../../../src/core/model/repair.ts'
import { Waits } from '../../../src/core/model/waits.ts'
import * as vscode from '../../support/fakeVscode.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'
import { resultMessage, wordsOf } from '../../support/messages.ts'

const { NativeModels } = await withFakeVscode(() => import('../../../src/editor/models/nativeModels.ts'))
const { nativeRequest, toModelMessages } = await withFakeVscode(
  () => import('../../../src/editor/models/nativeMessages.ts'),
)

const untilCancelled: CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose() {} }),
}

/** What is reported of these events, and the sentence that the editor shows at their end. */
async function answer(...events: readonly ModelEvent[]) {
  const reported: LanguageModelResponsePart[] = []
  const native = new NativeModels({
    ...options,
    models: {
      async *stream() {
        yield* events
      },
    },
  })
  const sentence = await ask(native, reported).then(
    () => undefined,
    (fault: Error) => fault.message,
  )
  native.dispose()
  return { reported, sentence }
}

const options = {
  waits: new Waits(),
  available: () => [],
  refresh: async () => {},
  countTokens: async () => 0,
  names: () => ({ service: 'Kourier' }),
  changes: [],
}

function ask(native: InstanceType<typeof NativeModels>, reported: LanguageModelResponsePart[]): Promise<void> {
  const question = [{ role: 1, content: [new vscode.LanguageModelTextPart('q')], name: undefined }]
  return native.provideLanguageModelChatResponse(
    { id: 'm' } as LanguageModelChatInformation,
    question as readonly LanguageModelChatRequestMessage[],
    { toolMode: vscode.LanguageModelChatToolMode.Auto },
    { report: part => void reported.push(part) },
    untilCancelled,
  )
}

const text: ModelEvent = { kind: 'text-delta', text: 'I look.' }
const begun: ModelEvent = { kind: 'tool-input-start', id: 'a', name: 'look' }
const call = (id: string, input: unknown): ModelEvent => ({ kind: 'tool-call', id: id, name: 'look', input })
const textParts = [new vscode.LanguageModelTextPart('I look.')]

test('calls come in their order, and what was counted comes last', async () => {
  const usage = { input: 3, output: 2 }
  const { reported, sentence } = await answer(text, begun, call('a', { at: 1 }), call('b', {}), {
    kind: 'finish',
    why: 'tools',
    usage,
  })
  assert.equal(sentence, undefined)
  assert.deepEqual(reported.slice(0, -1), [
    ...textParts,
    new vscode.LanguageModelToolCallPart('a', 'look', { at: 1 }),
    new vscode.LanguageModelToolCallPart('b', 'look', {}),
  ])
  assert.ok(reported.at(-1) instanceof vscode.LanguageModelDataPart)
})

test('no call of an answer is given where one of them cannot be read', async () => {
  for (const odd of ['{"path": "/tmp', [1], null, 5]) {
    const { reported, sentence } = await answer(text, call('a', {}), call('b', odd), { kind: 'finish', why: 'tools' })
    assert.match(sentence ?? '', /no tool was run/)
    assert.deepEqual(reported, textParts)
  }
})

test('an answer that the limit has cut keeps its text and says that it is not whole', async () => {
  for (const events of [[text], [text, begun]]) {
    const { reported, sentence } = await answer(...events, { kind: 'finish', why: 'length' })
    assert.match(sentence ?? '', /reached its length limit\. What arrived is kept/)
    assert.deepEqual(reported, textParts)
  }
  assert.match((await answer(begun, { kind: 'finish', why: 'length' })).sentence ?? '', /before it wrote anything/)
})

test('who cancels the wait cancels the request', async () => {
  const waits = new Waits()
  const waiting = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<unknown>()
  const native = new NativeModels({
    ...options,
    waits,
    models: {
      async *stream(request: QueuedRequest, signal) {
        signal.addEventListener('abort', () => stopped.resolve(signal.reason))
        request.onWait?.({ is: 'trying again', why: 'limit', at: 0, isAutomatic: false })
        waiting.resolve()
        throw await stopped.promise
      },
    },
  })
  const asking = ask(native, [])
  await waiting.promise
  waits.stop()
  await assert.rejects(asking, vscode.CancellationError)
  native.dispose()
})

test('an answer that broke off keeps its text and says so', async () => {
  const { reported, sentence } = await answer(text, { kind: 'finish', why: 'cut-off' })
  assert.match(sentence ?? '', /broke off/)
  assert.deepEqual(reported, textParts)
})

test('an answer that the model declines to end has what arrived, and a sentence', async () => {
  const { sentence } = await answer(text, { kind: 'finish', why: 'refused' })
  assert.equal(sentence, 'The model declined to go on. What arrived is kept.')
  assert.match((await answer(text, begun, { kind: 'finish', why: 'refused' })).sentence ?? '', /declined/)
})

test('results of calls made side by side come one by one, also behind a picture, and none is lost', () => {
  const resultOf = (call: string, ...content: object[]) => ({
    role: 1,
    content: [new vscode.LanguageModelToolResultPart(call, content)],
    name: undefined,
  })
  const calls = ['a', 'b'].map(call => new vscode.LanguageModelToolCallPart(call, 'look', {}))
  const asked = [
    { role: 1, content: [new vscode.LanguageModelTextPart('look at both')], name: undefined },
    { role: 2, content: calls, name: undefined },
    resultOf('a', new vscode.LanguageModelDataPart(new Uint8Array([1]), 'image/png')),
    resultOf('b', new vscode.LanguageModelTextPart('what b says')),
  ]
  const options = { toolMode: vscode.LanguageModelChatToolMode.Auto } as ProvideLanguageModelChatResponseOptions
  const { messages } = nativeRequest('m', asked as LanguageModelChatRequestMessage[], options)
  assert.deepEqual(
    repairHistory(messages).map(one => [one.role, wordsOf(one)]),
    [
      ['user', 'look at both'],
      ['assistant', ''],
      ['tool', ''],
      ['tool', 'what b says'],
      ['user', ''],
    ],
  )
})

test('whatever a tool answers in words or values reaches the model', () => {
  const tree = { node: { type: 1, children: [{ type: 2, text: 'in a tree' }] } }
  const content = [
    new vscode.LanguageModelTextPart('as text,'),
    new vscode.LanguageModelPromptTsxPart(tree),
    'bare,',
    { some: 'value' },
    undefined,
    new vscode.LanguageModelDataPart(new Uint8Array([1, 2]), 'application/octet-stream'),
  ]
  const message = { role: 1, content: [new vscode.LanguageModelToolResultPart('a', content)], name: undefined }
  assert.deepEqual(toModelMessages(message as LanguageModelChatRequestMessage), [
    resultMessage('a', `as text,${JSON.stringify(tree)}bare,{"some":"value"}`),
  ])
})

test('the editor hears of an offer that is another one, and not of what leaves it as it was', () => {
  const changes = new Emitter<void>()
  let offered = [{ id: 'a', inputLimit: 1_000 }]
  let service = 'Kourier'
  const native = new NativeModels({
    models: { async *stream() {} },
    waits: new Waits(),
    available: () => offered,
    refresh: async () => {},
    countTokens: async () => 0,
    names: () => ({ service }),
    changes: [changes.event],
  })
  let changeCount = 0
  native.onDidChangeLanguageModelChatInformation(() => changeCount++)
  changes.fire()
  assert.equal(changeCount, 0)
  offered = [{ id: 'a', inputLimit: 2_000 }]
  changes.fire()
  changes.fire()
  assert.equal(changeCount, 1)
  service = 'Another'
  changes.fire()
  assert.equal(changeCount, 2)
  offered = []
  changes.fire()
  assert.equal(changeCount, 3)
})
