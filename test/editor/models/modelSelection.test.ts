// Which model a question goes to: while the service reports nothing, and after it has refused one.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { Log } from '../../../src/core/log/log.ts'
import { Catalog, type Model } from '../../../src/core/model/catalog.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { NoModelError } from '../../../src/core/model/noModelError.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { memorySession, messagesIn } from '../../support/memorySession.ts'
import { type Script, ScriptedHttp } from '../../support/scriptedHttp.ts'

const { ModelSelection } = await withFakeVscode(() => import('../../../src/editor/models/modelSelection.ts'))
const { panelActivity } = await withFakeVscode(() => import('../../../src/editor/chat/panelActivity.ts'))
const { selectModel } = await withFakeVscode(() => import('../../../src/editor/models/selectModel.ts'))
const { thinkingNotice } = await withFakeVscode(() => import('../../../src/editor/complete/thinkingNotice.ts'))

const listed = (...ids: string[]) => ({ body: { object: 'list', data: ids.map(id => ({ id })) } })
const recalledAs = (...ids: string[]) => ids.map(id => ({ id, inputLimit: 1_000 }))

function chat(recalled: readonly Model[], script: readonly Script[], stream?: ModelClient['stream'], isIn = true) {
  fakeEditor.reset()
  const http = new ScriptedHttp(...script)
  const catalog = new Catalog(http.send, () => 'https://api.example.com', new FakeClock(), new Log())
  const written = new Map<string, unknown>()
  const settings = {
    get: (name: string) => (written.get(name) ?? '') as never,
    set: async (name: string, value: unknown) => void written.set(name, value),
  }
  const keys = new KeyText(() => undefined)
  const selection = new ModelSelection({ catalog, settings, keys, isSignedIn: () => isIn, recalled: () => recalled })
  const models: string[] = []
  const answering: ModelClient['stream'] = async function* ({ model }) {
    models.push(model)
    yield { kind: 'text-delta', text: `${model} speaks` }
    yield { kind: 'finish', why: 'done' }
  }
  let ids = 0
  const session = memorySession({
    models: { stream: stream ?? answering },
    model: selection.forChat,
    newId: () => String(++ids),
    clock: new FakeClock(),
  })
  const activity = () => panelActivity(session, { service: 'Example' }, 0)
  const select = () => selectModel(selection, { current: session })
  return { selection, http, session, models, written, activity, select }
}

const loginPage = { body: '<title>Wi-Fi</title>', headers: { 'content-type': 'text/html' } }
const action = { id: 'retry', label: 'Retry' }
const host = 'api.example.com'
const failures: Readonly<Record<string, readonly [Script, text: string]>> = {
  'a service out of reach': [
    { fault: new TransportError(host, 'before', 'unreachable') },
    `Example at ${host} cannot be reached. Check the network, then try again.`,
  ],
  'no name service': [
    { fault: new TransportError(host, 'before', 'name not found') },
    `Kourier cannot find ${host}. Check the network or the address.`,
  ],
  'a service that stumbles': [
    { status: 500, body: {} },
    `Example at ${host} has trouble answering at the moment. Try again.`,
  ],
}

describe('[R56] a first question where nobody knows a model yet', () => {
  for (const [name, [failure, text]] of Object.entries(failures)) {
    it(`${name}: is told as what it is, and the question waits for Retry`, async () => {
      const { session, models, written, activity } = chat([], [failure, listed('only')])
      await session.ask('hello')
      assert.deepEqual(activity(), { is: 'failed', notice: { text, action } })
      assert.equal(session.unanswered, 'hello')
      assert.deepEqual([fakeEditor.interactions, written.size], [[], 0])
      await session.retry()
      assert.deepEqual([models, messagesIn(session).at(-1)?.text], [['only'], 'only speaks'])
    })
  }

  it('a certificate that is not trusted is told, and no model asked for', async () => {
    const { session, activity } = chat([], [{ fault: new TransportError(host, 'before', 'certificate') }])
    await session.ask('hello')
    assert.match(JSON.stringify(activity()), /certificate/)
    assert.deepEqual(fakeEditor.interactions, [])
  })

  it('[R12] the login page of a network is told as one, and the question waits for Retry', async () => {
    const { session, models, written, activity } = chat([], [loginPage, listed('only')])
    await session.ask('hello')
    const text = `${host} answered with a web page. It may be the login page of your network, or the address is not that of the service; open a browser to see.`
    assert.deepEqual(activity(), { is: 'failed', notice: { text, action } })
    assert.deepEqual([session.unanswered, fakeEditor.interactions, written.size], ['hello', [], 0])
    await session.retry()
    assert.deepEqual([models, messagesIn(session).at(-1)?.text], [['only'], 'only speaks'])
  })

  it('[R12] a way to it that leads elsewhere is told as one', async () => {
    const { session, activity } = chat([], [{ status: 302, headers: { location: 'https://wifi.hotel.test/' } }])
    await session.ask('hello')
    const text = `${host} redirects to wifi.hotel.test, and Kourier follows no redirect. Check the address.`
    const notice = { text, action: { id: 'change-address', label: 'Change Address' } }
    assert.deepEqual([activity(), fakeEditor.interactions], [{ is: 'failed', notice }, []])
  })

  it('whoever knows the model names it then, and the question is asked', async () => {
    const { session, models, select } = chat([], [loginPage])
    await session.ask('hello')
    fakeEditor.typed = { '': 'named' }
    await select()
    await settled()
    assert.deepEqual([models, messagesIn(session).at(-1)?.text], [['named'], 'named speaks'])
  })

  it('too many requests hold the question back, and that is no fault', async () => {
    const { session, models, activity } = chat([], [{ status: 429, body: {} }, listed('only')])
    await session.ask('hello')
    const wait = { text: "The plan's limit is reached; the question is kept" }
    assert.deepEqual(activity(), { is: 'waiting', wait, mayRetryNow: true, maySend: true })
    assert.deepEqual([session.unanswered, fakeEditor.interactions], ['hello', []])
    await session.retry()
    assert.deepEqual(models, ['only'])
  })

  it('a service that keeps no list, or none that can be read, has the user asked', async () => {
    for (const none of [{ status: 404, body: {} }, listed(), { body: { models: [] } }, { body: 'none' }]) {
      const { session } = chat([], [none])
      await session.ask('hello')
      assert.ok(session.state.is === 'failed' && session.state.fault instanceof NoModelError)
      assert.equal(fakeEditor.interactions.length, 1)
    }
  })
})

describe('a service that keeps no list', () => {
  const none = { status: 404, body: {} }

  it('has the model asked for after a sign-in, once and with one button', async () => {
    const { selection } = chat([], [none])
    fakeEditor.pressed = 'Select Model'
    await selection.afterSignIn()
    await settled()
    const [notice] = fakeEditor.messages
    assert.match(notice?.text ?? '', /^The service does not say which model your key may use\..*“Connect your tools”/)
    assert.deepEqual(fakeEditor.interactions.slice(1), [{ kind: 'command', id: 'kourier.selectModel' }])
    assert.ok(selection.isMissing)
  })

  it('has nothing asked where the settings name the model, or where the network may be at fault', async () => {
    const named = chat([], [none])
    named.written.set('model', 'mine')
    await named.selection.afterSignIn()
    const offline = chat([], [{ fault: new TransportError(host, 'before', 'unreachable') }])
    await offline.selection.afterSignIn()
    assert.deepEqual(fakeEditor.interactions, [])
    assert.ok(!named.selection.isMissing && !offline.selection.isMissing)
  })
})

describe('[R56] what was listed last is known without a network', () => {
  const offline = { fault: new TransportError(host, 'before', 'unreachable') }

  it('the only model is asked', async () => {
    const { selection, session, models, http } = chat(recalledAs('only'), [offline])
    assert.equal(selection.current, 'only')
    await session.ask('hello')
    assert.deepEqual([models, fakeEditor.interactions, http.requests.length], [['only'], [], 0])
  })

  for (const [where, nothing] of Object.entries({ 'without a network': offline, 'behind a login page': loginPage })) {
    it(`several are offered ${where}`, async () => {
      const { session } = chat(recalledAs('a', 'b'), [nothing])
      await session.ask('hello')
      assert.match(JSON.stringify(fakeEditor.interactions), /"label":"a".*"label":"b"/)
    })
  }

  it('its limits hold', () => {
    const { selection } = chat([{ id: 'only', inputLimit: 1_000, totalLimit: 1_500, outputLimit: 400 }], [offline])
    assert.deepEqual(selection.limitsOf('only'), { input: 1_000, total: 1_500, output: 400 })
    assert.deepEqual(selection.limitsOf('unlisted'), { input: 262_144, total: 278_528 })
  })

  it('and what is listed now comes before it', async () => {
    const { selection } = chat(recalledAs('old'), [listed('new')])
    await selection.select()
    assert.equal(selection.current, 'new')
    assert.deepEqual([selection.limitsOf('new').input, selection.limitsOf('old').input], [262_144, 262_144])
  })
})

describe('what the editor’s own chat is set up with', () => {
  it('is what is listed, without another question', async () => {
    const { selection, http } = chat(recalledAs('only'), [])
    assert.deepEqual(
      (await selection.loadAvailable()).map(({ id }) => id),
      ['only'],
    )
    assert.equal(http.requests.length, 0)
  })

  it('is asked of the service where nothing is listed yet', async () => {
    const { selection } = chat([], [listed('one', 'other')])
    assert.deepEqual(
      (await selection.loadAvailable()).map(({ id }) => id),
      ['one', 'other'],
    )
  })

  it('is the model of the settings where the service keeps no list', async () => {
    const { selection, written } = chat([], [listed()])
    written.set('model', 'mine')
    assert.deepEqual(
      (await selection.loadAvailable()).map(({ id }) => id),
      ['mine'],
    )
    assert.deepEqual(selection.available, await selection.loadAvailable())
  })

  it('is what stands in the way where nothing is known for that reason', async () => {
    for (const script of [{ fault: new TransportError(host, 'before', 'unreachable') }, { status: 403, body: {} }]) {
      const { selection } = chat([], [script])
      await assert.rejects(
        selection.loadAvailable(),
        fault => fault instanceof TransportError || fault instanceof ProblemError,
      )
    }
  })

  it('is nothing where the service keeps no list and nobody has named a model', async () => {
    const { selection } = chat([], [listed()])
    assert.deepEqual(await selection.loadAvailable(), [])
  })

  it('is nothing while nobody is signed in, and nobody is asked', async () => {
    const { selection, http, written } = chat(recalledAs('only'), [], undefined, false)
    assert.deepEqual(await selection.loadAvailable(), [])
    written.set('model', 'mine')
    assert.deepEqual(await selection.loadAvailable(), [])
    assert.equal(http.requests.length, 0)
  })
})

describe('[R20] a model that is refused', () => {
  const refusing = (refused: string, models: string[]): ModelClient['stream'] =>
    async function* ({ model }) {
      models.push(model)
      if (model === refused) throw new ProblemError(host, 404, { code: 'model_not_found' })
      yield { kind: 'text-delta', text: `${model} speaks` }
      yield { kind: 'finish', why: 'done' }
    }
  const failed = {
    is: 'failed',
    notice: {
      text: 'Kourier was not granted the model A. Select another model.',
      action: { id: 'select-model', label: 'Select Model' },
    },
  }

  for (const [now, script] of Object.entries({ 'is empty': listed(), 'has several': listed('B', 'C') })) {
    it(`is named although the list ${now} now`, async () => {
      const { session, activity, selection } = chat([], [listed('A'), script], refusing('A', []))
      await session.ask('hello')
      assert.deepEqual([activity(), selection.current], [failed, undefined])
    })
  }

  it('is named until the user chooses another, which is asked at once', async () => {
    const models: string[] = []
    const { session, activity, select } = chat([], [listed('A'), listed('B', 'C')], refusing('A', models))
    await session.ask('hello')
    await select()
    assert.deepEqual([activity(), models], [failed, ['A']], 'who chooses nothing is asked nothing')
    fakeEditor.picked = 'C'
    await select()
    await settled()
    assert.deepEqual([models, messagesIn(session).at(-1)?.text], [['A', 'C'], 'C speaks'])
    assert.equal(messagesIn(session).length, 2, 'the question stands once')
    await select()
    assert.equal(models.length, 2, 'an answer that has come is not asked for again')
  })

  it('stays the one that is named after another was chosen elsewhere', async () => {
    const { session, activity, written } = chat([], [listed('A'), listed('B', 'C')], refusing('A', []))
    await session.ask('hello')
    written.set('model', 'B')
    assert.deepEqual(activity(), failed)
  })

  it('a question that failed for want of a model is asked once there is one', async () => {
    const { session, select, models } = chat([], [listed('B', 'C')])
    await session.ask('hello')
    assert.ok(session.state.is === 'failed' && session.state.fault instanceof NoModelError)
    fakeEditor.picked = 'B'
    await select()
    await settled()
    assert.deepEqual(models, ['B'])
  })
})

describe('a model that thinks before each completion', () => {
  it('is named once, and a button selects another one for completions alone', async () => {
    const { selection, written } = chat([], [listed('thinker', 'quick')])
    written.set('model', 'thinker')
    assert.equal(selection.completionModel, 'thinker')
    fakeEditor.pressed = 'Select Model for Completions'
    fakeEditor.picked = 'quick'
    await thinkingNotice('thinker', () => selection.selectForCompletions())
    assert.deepEqual(fakeEditor.messages, [
      {
        text: 'The model thinker thinks before each answer, so completions are off for it.',
        buttons: ['Select Model for Completions'],
      },
    ])
    assert.deepEqual([selection.completionModel, selection.current], ['quick', 'thinker'])
  })
})
