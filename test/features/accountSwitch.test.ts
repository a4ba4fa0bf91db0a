// After another account has signed in, nothing that the editor receives names a model of the account before.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ToPage } from '../../src/protocol/panel.ts'
import { startService } from '../localService/server.ts'
import { made } from '../support/credential.ts'
import { eventually } from '../support/wire.ts'
import { extensionContext } from './extensionContext.ts'
import { showChat } from './fakeChatView.ts'
import { fakeEditor, recorder } from './recordedEditor.ts'
import { createServices, features } from './recordedFeatures.ts'

/** What the editor receives from the moment in which the second account has signed in. */
async function recordedAfterSwitch(order: readonly number[], where: 'here' | 'in another window'): Promise<string> {
  await using service = await startService({ plan: 'pro' })
  const { baseUrl: resource, authUrl: issuer, state } = service
  const signedIn = (email: string) => {
    const key = state.issueKey(email, 'switch')
    return { version: 1, key, resource, issuer, service: 'Kourier', email, origin: 'pasted', id: email } as const
  }
  const folder = mkdtempSync(join(tmpdir(), 'kourier-switch-'))
  recorder.forget()
  fakeEditor.reset()
  fakeEditor.settings.set('kourier.baseUrl', resource)
  const context = extensionContext({ folder, credential: signedIn('ada@example.com') })
  const services = createServices(context)
  const pageMessages: ToPage[] = []
  const forget = () => {
    recorder.statusTexts.length = 0
    recorder.modelsAtChanges.length = 0
    pageMessages.length = 0
  }
  // Before any feature is notified of it.
  services.account.onDidChange(({ is }) => is === 'in' && forget())
  const started = order.map(at => features[at]?.(services, context))
  const hasModel = () => pageMessages.some(one => one.kind === 'model' && one.id !== undefined)
  try {
    state.listedModels = ['model-of-ada']
    const send = showChat(message => pageMessages.push(message))
    // Before it is known who is signed in.
    send({ kind: 'ready' })
    await eventually('there is the model of the one', hasModel)
    state.listedModels = ['model-of-bob']
    const bob = signedIn('bob@example.com')
    if (where === 'here') {
      await services.account.signOut(false, new AbortController().signal)
      await services.account.accept(made(bob, services.log.redactor))
    } else {
      await context.secrets.store('kourier.credential', JSON.stringify(bob))
      await services.account.restore()
    }
    assert.equal(services.account.signInId, bob.id)
    await eventually('there is the model of the other', hasModel)
    const models = await Promise.all(recorder.modelsAtChanges)
    return JSON.stringify([models, pageMessages, recorder.statusTexts])
  } finally {
    for (const feature of started) feature?.dispose()
    services.dispose()
    await services.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('features started in any order name no model of the account before, once another has signed in', async () => {
  const inOrder = features.map((_, at) => at)
  const orders = fc.shuffledSubarray(inOrder, { minLength: inOrder.length })
  const places = fc.constantFrom('here', 'in another window')
  const anyOrder = fc.asyncProperty(orders, places, async (order, where) => {
    const recorded = await recordedAfterSwitch(order, where)
    assert.doesNotMatch(recorded, /model-of-ada/)
    assert.match(recorded, /"family":.*model-of-bob.*Signed in to/, 'there is something to look at')
  })
  await fc.assert(anyOrder, { numRuns: 12 })
})
