// What is drawn of the next edit, and the pointer to it.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { FakeTextDocument } from '../../support/fakeTextDocument.ts'
import { FakeTextEditor } from '../../support/fakeTextEditor.ts'
import { fakeEditor, Range, Uri, window, withFakeVscode } from '../../support/fakeVscode.ts'

const { NextEditView } = await withFakeVscode(() => import('../../../src/editor/nextEdit/nextEditView.ts'))

let view: InstanceType<typeof NextEditView> | undefined
// The hooks are those of this file alone, although it shares its process with others.
describe('the drawn next edit', () => {
  afterEach(() => {
    view?.dispose()
    fakeEditor.reset()
  })

  const text = `${Array.from({ length: 60 }, (_, at) => `line${at}()`).join('\n')}\n`

  function shown(line: number, { path = '/work/src/a.ts', takesTab = true, more = 0 } = {}) {
    const document = new FakeTextDocument(path, text)
    const editor = new FakeTextEditor(document, 20)
    window.activeTextEditor = editor.asEditor
    window.visibleTextEditors = [editor.asEditor]
    const icon = Uri.file('/icon.svg') as never // as: it is handed on
    view = new NextEditView(icon)
    const uri = 'file:///work/src/a.ts'
    const tracked = new Documents().open({ uri, language: 'typescript', version: 1, text, lineEnd: '\n' })
    const start = text.indexOf(`line${line}(`)
    const preview = { line, text: 'other()', more, removed: [{ start, end: start + 4 }] }
    view.show({ document: tracked, preview, takesTab })
    return { view, document, editor }
  }

  test('where the place is in view, what goes is marked and the line that comes stands behind it', () => {
    const { editor, view: drawing } = shown(3)
    assert.deepEqual(editor.texts, ['3: other()'])
    const marked = [...editor.drawn.values()].flat().filter(({ range }) => !range.isEmpty)
    assert.deepEqual(
      marked.map(({ range: { start, end } }) => [start.line, start.character, end.character]),
      [[3, 0, 4]],
    )
    drawing.show(undefined)
    assert.deepEqual([...editor.drawn.values()].flat(), [])
  })

  test('further lines are counted', () => {
    assert.deepEqual(shown(3, { more: 1 }).editor.texts, ['3: other() (1 more line)'])
    view?.dispose()
    assert.deepEqual(shown(3, { more: 4 }).editor.texts, ['3: other() (4 more lines)'])
  })

  test('a place out of view has a pointer at the edge, which goes when it comes into view', () => {
    const { editor } = shown(40)
    assert.deepEqual(editor.texts.toSorted(), ['19: Tab: next edit below, in line 41', '40: other()'])
    editor.visibleRanges = [new Range(45, 0, 59, 0)]
    fakeEditor.visibleRangesChanged.fire({ textEditor: editor.asEditor, visibleRanges: [] })
    assert.deepEqual(editor.texts.toSorted(), ['40: other()', '45: Tab: next edit above, in line 41'])
    editor.visibleRanges = [new Range(30, 0, 59, 0)]
    fakeEditor.visibleRangesChanged.fire({ textEditor: editor.asEditor, visibleRanges: [] })
    assert.deepEqual(editor.texts, ['40: other()'])
  })

  test('a place in another file is named at the cursor', () => {
    const { editor } = shown(3, { path: '/work/src/b.ts' })
    assert.deepEqual(editor.texts, ['0: Tab: next edit in src/a.ts'])
    editor.moveTo(7, 0)
    assert.deepEqual(editor.texts, ['7: Tab: next edit in src/a.ts'])
  })

  test('no pointer promises what Tab does not do', () => {
    assert.deepEqual(shown(40, { takesTab: false }).editor.texts, ['40: other()'])
  })

  test('nothing is drawn in a document that has changed since', () => {
    const { editor, document } = shown(3)
    document.version = 2
    fakeEditor.visibleRangesChanged.fire({ textEditor: editor.asEditor, visibleRanges: [] })
    assert.deepEqual(editor.texts, [])
  })
})
