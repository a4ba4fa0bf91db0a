// The editor's documents and change events, with either line end, as snapshots and logged edits.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type * as vscode from 'vscode'
import type { Disposable } from '../../../src/base/disposable.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { EditorDocuments } = await withFakeVscode(() => import('../../../src/editor/workspace/editorDocuments.ts'))

const { documentChanged, documentClosed } = fakeEditor
const listening = () => documentChanged.listenerCount + documentClosed.listenerCount

interface Position {
  readonly line: number
  readonly character: number
}

/** A document as the editor holds it: lines and one line end. It counts how often its whole text is put together. */
class EditorDocument {
  readonly uri: { readonly scheme: string; readonly path: string; toString(): string }
  readonly languageId = 'typescript'
  isDirty = true
  version = 1
  eol = 1
  reads = 0
  #lines: string[]

  constructor(path: string, text: string) {
    const [scheme, rest] = path.includes(':') ? (path.split(':') as [string, string]) : ['file', path]
    this.uri = { scheme, path: rest, toString: () => `${scheme}://${rest}` }
    if (text.includes('\r\n')) this.eol = 2
    this.#lines = text.split(/\r?\n/)
  }

  get lineCount(): number {
    return this.#lines.length
  }

  get lineEnd(): string {
    return this.eol === 2 ? '\r\n' : '\n'
  }

  get text(): string {
    return this.#lines.join(this.lineEnd)
  }

  getText(): string {
    this.reads++
    return this.text
  }

  lineAt(line: number) {
    const text = this.#lines[line] ?? ''
    return { text, range: { end: { line, character: text.length } } }
  }

  offsetAt({ line, character }: Position): number {
    return this.#lines.slice(0, line).reduce((sum, text) => sum + text.length + this.lineEnd.length, character)
  }

  /** Replaces a range and fires the event, as the editor does. */
  change(from: readonly [number, number], to: readonly [number, number], text: string, reason?: number): void {
    const [start, end] = [from, to].map(([line, character]) => ({ line, character })) as [Position, Position]
    const rangeOffset = this.offsetAt(start)
    const rangeLength = this.offsetAt(end) - rangeOffset
    const whole = this.text
    this.version++
    this.#lines = (whole.slice(0, rangeOffset) + text + whole.slice(rangeOffset + rangeLength)).split(/\r?\n/)
    this.fire([{ range: { start, end }, rangeOffset, rangeLength, text }], reason)
  }

  fire(contentChanges: readonly object[], reason?: number): void {
    // The fake has of a document and its changes what the owner reads.
    documentChanged.fire({ document: this, contentChanges, reason } as unknown as vscode.TextDocumentChangeEvent)
  }
}

const owners = new Set<Disposable>()
afterEach(() => {
  for (const owner of owners) owner.dispose()
  owners.clear()
})

function followed(path: string, text: string) {
  const documents = new Documents()
  const owner = new EditorDocuments(documents)
  owners.add(owner)
  const document = new EditorDocument(path, text)
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

  test('there is none of another kind of document, a large one, a long line; and these are not read', () => {
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
