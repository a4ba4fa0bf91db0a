// A commit message of the chat goes into the box of the right repository, and replaces nothing unasked.
import assert from 'node:assert/strict'
import { beforeEach, describe, type TestContext, test } from 'node:test'
import { extensions, fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { writeCommitMessage } = await withFakeVscode(() => import('../../../src/editor/edit/commitMessage.ts'))

const repository = (path: string, staged: number, value = '') => ({
  rootUri: { path },
  inputBox: { value },
  state: { indexChanges: Array(staged).fill({}) },
})

function open(t: TestContext, ...repositories: readonly ReturnType<typeof repository>[]): void {
  const exports = { getAPI: () => ({ repositories }) }
  t.mock.method(extensions, 'getExtension', () => ({ isActive: true, exports }))
}

describe('a commit message', () => {
  beforeEach(() => fakeEditor.reset())

  test('goes where something is staged, and the view with the box is shown', async t => {
    const [counter, tracker] = [repository('/work/counter', 0), repository('/work/tracker', 2)]
    open(t, counter, tracker)
    await writeCommitMessage('Weigh parcels\n\nBecause postage depends on it.\n')
    assert.deepEqual(
      [counter.inputBox.value, tracker.inputBox.value],
      ['', 'Weigh parcels\n\nBecause postage depends on it.'],
    )
    assert.deepEqual(fakeEditor.interactions, [{ kind: 'command', id: 'workbench.view.scm' }])
  })

  test('goes where the user says if that is not clear', async t => {
    const [counter, tracker] = [repository('/work/counter', 0), repository('/work/tracker', 0)]
    open(t, counter, tracker)
    await writeCommitMessage('Weigh parcels')
    assert.deepEqual([counter.inputBox.value, tracker.inputBox.value], ['', ''], 'none was picked')
    fakeEditor.picked = 'tracker'
    await writeCommitMessage('Weigh parcels')
    assert.deepEqual([counter.inputBox.value, tracker.inputBox.value], ['', 'Weigh parcels'])
  })

  test('replaces what the user has begun only after a question', async t => {
    const counter = repository('/work/counter', 1, 'My own')
    open(t, counter)
    fakeEditor.pressed = 'Cancel'
    await writeCommitMessage('Weigh parcels')
    assert.equal(counter.inputBox.value, 'My own')
    fakeEditor.pressed = 'Replace'
    await writeCommitMessage('Weigh parcels')
    assert.equal(counter.inputBox.value, 'Weigh parcels')
  })

  test('without a repository the user is told', async t => {
    await writeCommitMessage('Weigh parcels')
    const off = () => {
      throw new Error('Git model not found')
    }
    t.mock.method(extensions, 'getExtension', () => ({ isActive: true, exports: { getAPI: off } }))
    await writeCommitMessage('Weigh parcels')
    assert.equal(fakeEditor.messages.filter(({ text }) => text.startsWith('Git has no repository open')).length, 2)
  })
})
