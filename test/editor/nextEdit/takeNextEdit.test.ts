// The first Tab goes to the place of the next edit, the second makes it.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { FakeTextDocument } from '../../support/fakeTextDocument.ts'
import { FakeTextEditor } from '../../support/fakeTextEditor.ts'
import { fakeEditor, window, withFakeVscode } from '../../support/fakeVscode.ts'

const { takeNextEdit } = await withFakeVscode(() => import('../../../src/editor/nextEdit/takeNextEdit.ts'))

// The hooks are those of this file alone, although it shares its process with others.
describe('taking the next edit', () => {
  afterEach(() => fakeEditor.reset())

  const text = 'const total = 1\n\nadd(count)\n'

  function hinted(path = '/work/a.ts') {
    const document = new FakeTextDocument(path, text)
    const editor = new FakeTextEditor(document)
    window.activeTextEditor = editor.asEditor
    const uri = 'file:///work/a.ts'
    const tracked = new Documents().open({ uri, language: 'typescript', version: 1, text, lineEnd: '\n' })
    const start = text.indexOf('count')
    const edit = { documentId: uri, version: 1, replacements: [{ start, end: start + 5, text: 'total' }] }
    return { document, editor, take: () => takeNextEdit({ edit, key: 'k' }, tracked) }
  }

  test('from another line it goes to the place and changes nothing', async () => {
    const { editor, take } = hinted()
    assert.equal(await take(), false)
    assert.deepEqual(fakeEditor.shownFiles.at(-1), 'file:///work/a.ts')
    assert.deepEqual(editor.edits, [])
  })

  test('from another file it opens the one of the place, also on the same line', async () => {
    const { editor, take } = hinted('/work/b.ts')
    editor.moveTo(2, 4)
    assert.equal(await take(), false)
    assert.deepEqual(fakeEditor.shownFiles.at(-1), 'file:///work/a.ts')
    assert.deepEqual(editor.edits, [])
  })

  test('on the line of the place it makes the change', async () => {
    const { editor, take } = hinted()
    editor.moveTo(2, 0)
    assert.equal(await take(), true)
    assert.deepEqual(
      editor.edits.map(({ range, text: made }) => [range.start.line, range.start.character, range.end.character, made]),
      [[2, 4, 9, 'total']],
    )
  })

  test('nothing is made in a document that has changed since', async () => {
    const { document, editor, take } = hinted()
    editor.moveTo(2, 0)
    document.version = 2
    assert.equal(await take(), false)
    assert.deepEqual(editor.edits, [])
  })
})
