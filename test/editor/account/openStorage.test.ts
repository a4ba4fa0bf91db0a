// The warning that the browser keeps the key unsealed: once, and only where that is so.
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { env, fakeEditor, Uri, withFakeVscode } from '../../support/fakeVscode.ts'

const { warnOfOpenStorage } = await withFakeVscode(() => import('../../../src/editor/account/openStorage.ts'))

describe('[T16] a key in the storage of a browser', () => {
  afterEach(() => {
    fakeEditor.reset()
    Object.assign(env, { uiKind: 1, asExternalUri: undefined })
  })

  /** An editor whose page has come from there. */
  function from(origin: string): void {
    Object.assign(env, { uiKind: 2, asExternalUri: async () => Uri.parse(`${origin}/proxy/1/`) })
  }
  const warnings = () => fakeEditor.messages.map(({ text, buttons }) => [text, buttons])

  it('is named as unsealed where the page came over plain http from elsewhere, once, with the way out', async () => {
    from('http://editor.test:8080')
    fakeEditor.pressed = 'Sign Out'
    const commands: string[] = []
    fakeEditor.onCommand = id => commands.push(id)
    const memory = new FakeMemento()
    await warnOfOpenStorage(memory)
    await warnOfOpenStorage(memory)
    assert.deepEqual(warnings(), [
      [
        'This editor came over plain http from editor.test:8080, so your browser keeps the key unsealed. Open the editor by https or on localhost; sign out here to revoke the key.',
        ['Sign Out'],
      ],
    ])
    assert.deepEqual(commands, ['kourier.signOut'])
  })

  for (const origin of ['https://editor.test', 'http://localhost:8080', 'http://127.0.0.1:8080'])
    it(`is sealed where the page came from ${origin}`, async () => {
      from(origin)
      await warnOfOpenStorage(new FakeMemento())
      assert.deepEqual(warnings(), [])
    })

  it('is none of an editor with a keyring', async () => {
    await warnOfOpenStorage(new FakeMemento())
    assert.deepEqual(warnings(), [])
  })
})
