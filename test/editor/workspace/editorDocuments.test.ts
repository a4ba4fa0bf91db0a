// The editor's documents and change events, with either line end, as snapshots and logged edits.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type * as vscode from 'vscode'
import type { Disposable } from '../../../src/base/disposable.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import { factsOf } from '../../../src/core/workspace/documentSnapshot.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { FakeTextDocument } from '../../support/fakeTextDocument.ts'
import { fakeEditor, Uri, withFakeVscode } from '../../support/fakeVscode.ts'

const [{ EditorDocuments }, { ExcludedGlobs }, { completionSettings }] = await withFakeVscode(() =>
  Promise.all([
    import('../../../src/editor/workspace/editorDocuments.ts'),
    import('../../../src/editor/workspace/excludedGlobs.ts'),
    import('../../../src/editor/complete/completionSettings.ts'),
  ]),
)

const { documentChanged, documentClosed } = fakeEditor
const listening = () => documentChanged.listenerCount + documentClosed.listenerCount

const owners = new Set<Disposable>()
afterEach(() => {
  for (const owner of owners) owner.dispose()
  owners.clear()
  fakeEditor.reset()
})

function followed(path: string, text: string) {
  const documents = new Documents()
  const owner = new EditorDocuments(documents)
  owners.add(owner)
  const document = new FakeTextDocument(path, text)
  const look = (line = 0, character = 0) =>
    owner.snapshotOf(document as unknown as vscode.TextDocument, { line, character } as vscode.Position)
  return { documents, owner, document, look, uri: document.uri.toString() }
}

describe('a snapshot', () => {
  test('has the text with line feeds, the place in it, and the path in the workspace', () => {
    const { look } = followed('/work/src/a.ts', 'a\r\n  bc\r\nd')
    const { log, ...snapshot } = look(1, 3) ?? assert.fail('no snapshot')
    assert.deepEqual(snapshot, {
      id: 'file:///work/src/a.ts',
      path: 'src/a.ts',
      fullPath: '/work/src/a.ts',
      isInWorkspace: true,
      language: 'typescript',
      version: 1,
      text: 'a\n  bc\nd',
      offset: 5,
      indent: '  ',
    })
    assert.equal(log.start.reason, 'opened')
  })

  test('outside the workspace it has the name alone', () => {
    const snapshot = followed('/home/me/a.ts', 'a').look()
    assert.deepEqual([snapshot?.path, snapshot?.isInWorkspace], ['a.ts', false])
  })

  test('[R48] there is none of another kind of document, a large one, a long line; and these are not read', () => {
    for (const { look, document } of [
      followed('output:/work/log', 'a'),
      followed('/work/a.ts', 'a\n'.repeat(500_001)),
      followed('/work/a.ts', 'a'.repeat(2_001)),
    ]) {
      assert.equal(look(), undefined)
      assert.equal(document.reads, 0)
    }
    assert.ok(followed('/work/a.ts', `${'a'.repeat(2_001)}\nb`).look(1))
  })
})

describe('a cell of a notebook', () => {
  const cell = (path: string) => {
    const { owner, document, look } = followed(`vscode-notebook-cell:${path}`, 'total = 1')
    const addNotebook = () =>
      void fakeEditor.notebooks.push({ uri: Uri.file(path), getCells: () => [{ document }] } as never) // as: what is read of it
    return { addNotebook, look, facts: () => owner.factsOf(document as unknown as vscode.TextDocument) }
  }
  const policy = () => {
    const globs = new ExcludedGlobs(file => completionSettings(file).exclude)
    owners.add(globs)
    const ignoredOf = async () => new Set<string>()
    return new AccessPolicy({ isTrusted: () => true, excludedGlobs: file => globs.for(file), ignoredOf })
  }

  test('has the place of its notebook', () => {
    const { addNotebook, look, facts } = cell('/work/private/book.ipynb')
    addNotebook()
    const expected = ['private/book.ipynb', '/work/private/book.ipynb', true]
    for (const found of [look(), facts()])
      assert.deepEqual([found?.path, found?.fullPath, found?.isInWorkspace], expected)
  })

  test('is not looked at while its notebook is unknown', () => {
    const { look, facts } = cell('/work/private/book.ipynb')
    assert.deepEqual([look(), facts()], [undefined, undefined])
  })

  for (const [layer, settings] of [
    ['user', fakeEditor.settings],
    ['folder', fakeEditor.folderSettings],
  ] as const) {
    test(`is neither completed nor sent where a glob of the ${layer} excludes its notebook`, () => {
      settings.set('kourier.completions.exclude', ['private/**'])
      const access = policy()
      for (const [path, reason] of [
        ['/work/private/book.ipynb', 'excluded'],
        ['/work/public/book.ipynb', undefined],
      ] as const) {
        const { addNotebook, look, facts } = cell(path)
        addNotebook()
        const snapshot = look() ?? assert.fail('no snapshot')
        assert.equal(access.refusalOf(factsOf(snapshot), 'completion')?.reason, reason)
        assert.equal(access.refusalOf(facts() ?? assert.fail('no facts'), 'context')?.reason, reason)
      }
    })
  }
})

describe('changes', () => {
  for (const lineEnd of ['\n', '\r\n']) {
    test(`are followed exactly without reading the text again, with ${JSON.stringify(lineEnd)}`, () => {
      const { document, look } = followed('/work/a.ts', ['f()', 'const a = ', '', 'g()'].join(lineEnd))
      const first = look()
      document.change([1, 10], [1, 10], 's')
      document.change([1, 11], [3, 1], `um(b)${lineEnd}h`)
      document.change([0, 0], [0, 1], 'ff', 1)
      document.isDirty = false
      document.change([2, 3], [2, 3], ';')
      const last = look(2, 1)
      assert.equal(last?.text, 'ff()\nconst a = sum(b)\nh();')
      assert.equal(last?.text, document.text.replaceAll('\r\n', '\n'))
      assert.equal(last?.offset, last?.text.indexOf('()', 5))
      assert.equal(last?.log.editBetween(1)?.apply(first?.text ?? ''), last?.text)
      assert.deepEqual(
        last?.log.edits.map(({ version, origin }) => [version, origin]),
        [
          [2, 'typed'],
          [3, 'other'],
          [4, 'undo'],
          [5, 'reload'],
        ],
      )
      assert.equal(document.reads, 1)
    })
  }

  test('the first change of a saved file is the user’s, though it is reported before the file has unsaved changes', () => {
    const { document, look } = followed('/work/a.ts', 'a')
    look()
    const originsAfter = (isUser: boolean) => {
      document.isDirty = false
      document.change([0, 0], [0, 0], 'b')
      document.isDirty = isUser
      if (isUser) document.fire([])
      return look()?.log.edits.map(({ origin }) => origin)
    }
    assert.deepEqual(originsAfter(true), ['typed'])
    assert.deepEqual(originsAfter(false), ['typed', 'reload'])
    assert.deepEqual(originsAfter(true), ['typed', 'reload', 'typed'])
  })

  test('a suggestion that is accepted as the first change of a saved file is known as one', () => {
    const { document, documents, look, uri } = followed('/work/a.ts', 'f(')
    look()
    let accepted = 0
    documents.announce(uri, 1, { start: 0, end: 2, text: 'f(items)' }, () => accepted++)
    document.isDirty = false
    document.change([0, 2], [0, 2], 'items)')
    document.isDirty = true
    document.fire([])
    assert.equal(accepted, 1)
    assert.deepEqual(
      look()?.log.edits.map(({ origin }) => origin),
      ['own'],
    )
  })

  test('another line end for the whole document changes no text, and later changes fit', () => {
    const { document, look } = followed('/work/a.ts', 'a\nbc\nd')
    look()
    const before = document.text
    document.eol = 2
    document.version++
    const range = { start: { line: 0, character: 0 }, end: { line: 2, character: 1 } }
    document.fire([{ range, rangeOffset: 0, rangeLength: before.length, text: document.text }])
    document.change([2, 0], [2, 1], 'e')
    assert.equal(look()?.text, 'a\nbc\ne')
    assert.equal(look()?.log.start.version, 1)
    assert.equal(document.reads, 1)
  })

  test('an event that comes after its version was read changes nothing', () => {
    const { document, look, documents, uri } = followed('/work/a.ts', 'a')
    look()
    document.version++
    look()
    const known = documents.get(uri)
    const start = { line: 0, character: 0 }
    document.fire([{ range: { start, end: start }, rangeOffset: 0, rangeLength: 0, text: 'b' }])
    assert.equal(documents.get(uri), known)
    assert.equal(known?.version, 2)
  })

  test('a version that was missed makes the log start anew', () => {
    const { document, look } = followed('/work/a.ts', 'a')
    look()
    document.version += 3
    const snapshot = look()
    assert.deepEqual([snapshot?.version, snapshot?.log.start.reason], [4, 'version gap'])
  })

  test('a document that nobody asked for is not read, nor one that was closed or has become too large', () => {
    const { document, look, documents, uri } = followed('/work/a.ts', 'a')
    document.change([0, 1], [0, 1], 'b')
    assert.equal(document.reads, 0)
    look()
    documentClosed.fire(document as unknown as vscode.TextDocument)
    assert.equal(documents.get(uri), undefined)
    look()
    document.change([0, 0], [0, 0], 'a\n'.repeat(500_000))
    assert.equal(documents.get(uri), undefined)
  })

  test('it ends with its owner', () => {
    const before = listening()
    const { owner } = followed('/work/a.ts', 'a')
    assert.equal(listening(), before + 2)
    owner.dispose()
    assert.equal(listening(), before)
  })
})
