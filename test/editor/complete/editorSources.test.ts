// What the editor knows of the place where the user types.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type * as vscode from 'vscode'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { FakeTextDocument } from '../../support/fakeTextDocument.ts'
import { env, fakeEditor, Range, Uri, withFakeVscode } from '../../support/fakeVscode.ts'

const [{ editorSources }, { EditorDocuments }] = await withFakeVscode(() =>
  Promise.all([
    import('../../../src/editor/complete/editorSources.ts'),
    import('../../../src/editor/workspace/editorDocuments.ts'),
  ]),
)

// The hooks are those of this file alone, although it shares its process with others.
describe('the sources of the editor', () => {
  afterEach(() => fakeEditor.reset())

  const signal = new AbortController().signal

  function sources({ ignored = [] }: { readonly ignored?: readonly string[] } = {}) {
    const documents = new EditorDocuments(new Documents())
    const access = new AccessPolicy({
      isTrusted: () => true,
      excludedGlobs: () => [],
      ignoredOf: async () => new Set(ignored),
    })
    const found = editorSources({
      access,
      snapshotOf: (document, position) => documents.snapshotOf(document, position),
      factsOf: document => documents.factsOf(document),
    })
    return found
  }

  function open(path: string, text: string): FakeTextDocument {
    const document = new FakeTextDocument(path, text)
    fakeEditor.documents.push(document.asDocument)
    return document
  }

  const here = 'file:///work/a.ts'

  /** The language answers with this place. */
  const definedAt = (place: object | undefined) => {
    fakeEditor.onCommand = id => (id === 'vscode.executeDefinitionProvider' && place ? [place] : undefined)
  }

  test('a declaration is found in another file of the workspace, in either form of the answer', async () => {
    open('/work/a.ts', "import { price } from './b'\nprice")
    open('/work/b.ts', '\nexport const price = 12')
    const uri = Uri.parse('file:///work/b.ts')
    const range = new Range(1, 13, 1, 18)
    for (const place of [
      { uri, range },
      { targetUri: uri, targetRange: new Range(0, 0, 1, 20), targetSelectionRange: range },
    ]) {
      definedAt(place)
      assert.deepEqual(await sources().definitionOf(here, 9, signal), {
        path: 'b.ts',
        text: '\nexport const price = 12',
        line: 1,
      })
    }
  })

  test('none is found in the same file, outside of the workspace, in what git ignores, in a secret file', async () => {
    open('/work/a.ts', "import { price } from './b'\nprice")
    const range = new Range(0, 0, 0, 5)
    for (const [path, ignored] of [
      ['/work/a.ts', []],
      ['/other/b.ts', []],
      ['/work/dist/b.ts', ['file:///work/dist/b.ts']],
      ['/work/secret.ts', []],
    ] as const) {
      if (path !== '/work/a.ts') open(path, 'price')
      definedAt({ uri: Uri.parse(`file://${path}`), range })
      assert.equal(await sources({ ignored }).definitionOf(here, 9, signal), undefined, path)
    }
    definedAt(undefined)
    assert.equal(await sources().definitionOf(here, 9, signal), undefined)
    assert.equal(await sources().definitionOf('file:///work/closed.ts', 9, signal), undefined)
  })

  test('problems are those of the lines', () => {
    const problem = (message: string, line: number) => ({ message, range: new Range(line, 0, line, 4) })
    const problems = [problem('far', 1), problem('before', 4), problem('at', 5), problem('after', 6), problem('far', 7)]
    fakeEditor.problems.set(here, problems as unknown as vscode.Diagnostic[])
    assert.deepEqual(sources().problemsIn(here, 4, 6), ['before', 'at', 'after'])
  })

  test('the other cells of a notebook come the nearest first, without those that are text for people', () => {
    const cell = (id: string, kind = 2) => ({
      kind,
      document: new FakeTextDocument(`vscode-notebook-cell:/work/book.ipynb#${id}`, id),
    })
    const cells = [cell('one'), cell('two'), cell('note', 1), cell('here'), cell('four'), cell('five')]
    fakeEditor.notebooks.push({ uri: Uri.parse('file:///work/book.ipynb'), getCells: () => cells } as never) // as: what is read of it
    const { above, below } = sources().cellsAround(cells[3]?.document.uri.toString() ?? '')
    assert.deepEqual(
      [[...above], [...below]].map(list => list.map(({ text }) => text)),
      [
        ['two', 'one'],
        ['four', 'five'],
      ],
    )
    const elsewhere = sources().cellsAround(here)
    assert.deepEqual([...elsewhere.above, ...elsewhere.below], [])
  })

  test('the clipboard is not read where a browser would ask the user for permission', async () => {
    fakeEditor.clipboard = 'copied'
    assert.equal(await sources().clipboard(), 'copied')
    Object.assign(env, { uiKind: 2 })
    try {
      assert.equal(await sources().clipboard(), '')
    } finally {
      Object.assign(env, { uiKind: 1 })
    }
  })
})
