// Each change with the cursor that it leaves, within ten milliseconds.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { FakeTextDocument } from '../../support/fakeTextDocument.ts'
import { FakeTextEditor } from '../../support/fakeTextEditor.ts'
import { fakeEditor, window, withFakeVscode } from '../../support/fakeVscode.ts'

const { cursorAfterChange } = await withFakeVscode(() => import('../../../src/editor/complete/cursorAfterChange.ts'))

// The hooks are those of this file alone, although it shares its process with others.
describe('the cursor after a change', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => {
    mock.timers.reset()
    fakeEditor.reset()
  })

  function followed() {
    const document = new FakeTextDocument('/work/a.ts', 'a\nb')
    const editor = new FakeTextEditor(document)
    window.activeTextEditor = editor.asEditor
    const reported: string[] = []
    const subscription = cursorAfterChange((of, { line, character }) => {
      reported.push(`${of.uri.path} ${line}:${character}`)
    })
    return { document, editor, reported, subscription }
  }

  test('a change is reported with the cursor as soon as the editor reports that, and once', () => {
    const { document, editor, reported } = followed()
    document.change([0, 1], [0, 1], 'b')
    assert.deepEqual(reported, [])
    editor.moveTo(0, 2)
    assert.deepEqual(reported, ['/work/a.ts 0:2'])
    mock.timers.tick(20)
    assert.equal(reported.length, 1)
  })

  test('a change that does not move the cursor is reported within ten milliseconds', () => {
    const { document, reported } = followed()
    document.change([1, 0], [1, 1], '')
    mock.timers.tick(10)
    assert.deepEqual(reported, ['/work/a.ts 0:0'])
  })

  test('of several changes that come before their cursor the last is reported', () => {
    const { document, editor, reported } = followed()
    for (const text of ['b', 'c']) document.change([0, 1], [0, 1], text)
    editor.moveTo(0, 3)
    mock.timers.tick(20)
    assert.deepEqual(reported, ['/work/a.ts 0:3'])
  })

  test('changes of other documents, and those that the user has left, are not reported', () => {
    const { document, reported, subscription } = followed()
    new FakeTextDocument('/work/b.ts', '').change([0, 0], [0, 0], 'x')
    mock.timers.tick(20)
    document.change([0, 0], [0, 0], 'x')
    window.activeTextEditor = new FakeTextEditor(new FakeTextDocument('/work/c.ts', '')).asEditor
    mock.timers.tick(20)
    document.change([0, 0], [0, 0], 'x')
    subscription.dispose()
    mock.timers.tick(20)
    assert.deepEqual(reported, [])
  })
})
