// In which order features start makes no difference to what the editor receives.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { LanguageModelChatProvider } from 'vscode'
import type { ToPage } from '../../src/protocol/panel.ts'
import { eventually } from '../support/wire.ts'
import { extensionContext } from './extensionContext.ts'
import { showChat } from './fakeChatView.ts'
import { fakeEditor, neverCancelled, recorder } from './recordedEditor.ts'
import { commandTable, createServices, features } from './recordedFeatures.ts'

/** Nothing listens there. */
const service = 'http://127.0.0.1:9'
const record = {
  version: 1,
  key: 'sk-bf-of-a-window',
  resource: service,
  issuer: service,
  service: 'Example',
  email: 'ada@example.com',
  origin: 'pasted',
}

/** What the editor shows once it is signed in with a list of models, once it is signed out again, and on the way. */
async function recordedWithOrder(order: readonly number[]): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-features-'))
  recorder.forget()
  fakeEditor.reset()
  fakeEditor.settings.set('kourier.baseUrl', service)
  fakeEditor.settings.set('kourier.model', 'example-1')
  const context = extensionContext({ folder, credential: record })
  const services = createServices(context)
  const started = order.map(at => features[at]?.(services, context))
  const pageMessages: ToPage[] = []
  showChat(message => pageMessages.push(message))({ kind: 'ready' })
  try {
    await eventually('the account is there', () => recorder.contextKeys.get('kourier.account') === 'in')
    const isShown = (is: string) => pageMessages.some(one => one.kind === 'account' && one.account.is === is)
    await eventually('the page shows it', () => isShown('in'))
    const signedIn = await seen()
    await services.account.signOut(false, new AbortController().signal)
    await eventually('it is gone', () => recorder.contextKeys.get('kourier.account') === 'out')
    await eventually('the page shows that', () => isShown('out'))
    const changes = sequences([
      ...recorder.contextChanges,
      ...pageMessages
        .filter(message => !isAtAnyTime(message))
        .map(message => [`page: ${message.kind}`, withoutId(message)] as const),
      ...recorder.statusTexts.map(text => ['status', text] as const),
    ])
    return [signedIn, await seen(), await modelsAtChanges(), changes]
  } finally {
    for (const feature of started) feature?.dispose()
    services.dispose()
    await services.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The size of a request is counted some time after the last change, which may be after the end of a short run. The code of
 * the panel may be loaded before it is known who is signed in, or after.
 */
const isAtAnyTime = (message: ToPage) =>
  message.kind === 'context-use' || (message.kind === 'account' && message.account.is === 'unknown')

/** Each start makes a conversation with an id of its own. */
function withoutId(message: ToPage): unknown {
  const inner = message.kind === 'history' ? { message: { ...message.message, conversation: '' } } : {}
  return { ...message, ...inner, conversation: '' }
}

/** The values of each name in their order, as often as one differs from the one before. */
function sequences(changes: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown[]> {
  const found: Record<string, unknown[]> = {}
  for (const [name, value] of changes) {
    const values = found[name] ?? []
    found[name] = values
    if (!isDeepStrictEqual(values.at(-1), value)) values.push(value)
  }
  return found
}

async function seen(): Promise<unknown> {
  const models = recorder.providers.get('models of kourier') as LanguageModelChatProvider
  return {
    commands: [...recorder.commands].sort(),
    contextKeys: Object.fromEntries([...recorder.contextKeys].sort()),
    providers: [...recorder.providers.keys()].sort(),
    statusBar: { ...recorder.statusBar },
    models: await models.provideLanguageModelChatInformation({ silent: true }, neverCancelled),
    messages: fakeEditor.messages.map(({ text, buttons }) => ({ text, buttons })),
  }
}

/** One list after the other, as often as it differs from the one before. */
async function modelsAtChanges(): Promise<string[]> {
  const lists = (await Promise.all(recorder.modelsAtChanges)).map(models => (models ?? []).map(({ id }) => id).join())
  return lists.filter((list, at) => at === 0 || list !== lists[at - 1])
}

test('every command of the table is registered by a feature', async () => {
  const inOrder = features.map((_, at) => at)
  await recordedWithOrder(inOrder)
  assert.deepEqual([...recorder.commands].sort(), Object.keys(commandTable).sort())
})

test('features started in any order tell the editor the same', async () => {
  const inOrder = features.map((_, at) => at)
  const expected = await recordedWithOrder(inOrder)
  const [signedIn] = expected as { models: unknown[]; statusBar: { text: string } }[]
  assert.equal(signedIn?.models.length, 1, 'there is something to compare')
  const orders = fc.shuffledSubarray(inOrder, { minLength: inOrder.length })
  const anyOrder = fc.asyncProperty(orders, async order => assert.deepEqual(await recordedWithOrder(order), expected))
  await fc.assert(anyOrder, { numRuns: 12 })
})
