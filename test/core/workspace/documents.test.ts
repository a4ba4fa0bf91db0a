// Documents followed by change events as an editor sends them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DocumentChange, Documents, type TextChange } from '../../../src/core/workspace/documents.ts'
import { type EditorChange, textWithLineFeeds, withLineFeeds } from '../../../src/core/workspace/lineEnds.ts'
import type { Replacement } from '../../../src/core/workspace/replacement.ts'

const uri = 'file:///a.ts'

/** An editor with one document: it changes the text and sends the event. */
class Editor {
  readonly documents = new Documents()
  text: string
  version = 1
  reads = 0

  constructor(text: string) {
    this.text = text
    this.documents.open({ uri, language: 'typescript', version: 1, text, lineEnd: '\n' })
  }

  /** Changes count one after the other, as editors send them. */
  change(changes: readonly TextChange[], event: Partial<DocumentChange> = {}): void {
    for (const { offset, length, text } of changes) {
      this.text = this.text.slice(0, offset) + text + this.text.slice(offset + length)
    }
    this.version++
    this.documents.change(uri, this.event({ changes, ...event }))
  }

  event(event: Partial<DocumentChange>): DocumentChange {
    const readText = () => {
      this.reads++
      return this.text
    }
    return { version: this.version, lineEnd: '\n', changes: [], lengthAfter: this.text.length, readText, ...event }
  }

  insert(offset: number, text: string): void {
    this.change([{ offset, length: 0, text }])
  }

  get document() {
    const document = this.documents.get(uri)
    assert.ok(document)
    return document
  }

  get origins(): string[] {
    return this.document.log.edits.map(({ origin }) => origin)
  }
}

describe('following', () => {
  test('the text is the editor’s after any events, without reading it, and the log leads there', () => {
    const change = fc.record({ at: fc.nat(), length: fc.nat(5), text: fc.constantFrom('', 'a', 'bc\n', '😀', '()') })
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 15 }), events => {
        const editor = new Editor('const a = 1\n')
        for (const event of events) {
          let length = editor.text.length
          const changes = event.map(({ at, length: wanted, text }) => {
            const offset = at % (length + 1)
            const removed = Math.min(wanted, length - offset)
            length += text.length - removed
            return { offset, length: removed, text }
          })
          editor.change(changes)
          assert.equal(editor.document.text, editor.text)
          assert.equal(editor.document.version, editor.version)
        }
        assert.equal(editor.reads, 0)
        assert.equal(editor.document.log.editBetween(1)?.apply('const a = 1\n'), editor.text)
      }),
      { numRuns: 1_000 },
    )
  })

  test('several changes from the end to the beginning are one edit', () => {
    const editor = new Editor('a b a')
    editor.change([
      { offset: 4, length: 1, text: 'xy' },
      { offset: 0, length: 1, text: 'xy' },
    ])
    assert.equal(editor.document.text, 'xy b xy')
    assert.deepEqual(editor.document.log.edits.at(-1)?.edit.replacements, [
      { start: 0, end: 1, text: 'xy' },
      { start: 4, end: 5, text: 'xy' },
    ])
  })

  test('a version is a value: the next one leaves it as it is', () => {
    const editor = new Editor('a')
    const first = editor.document
    editor.insert(1, 'b')
    assert.deepEqual([first.text, first.version, first.log.version], ['a', 1, 1])
    assert.deepEqual([editor.document.text, editor.document.log.version], ['ab', 2])
  })

  test('an event that is known already, and one of a document that is not followed, change nothing', () => {
    const editor = new Editor('a')
    editor.insert(1, 'b')
    const { document } = editor
    assert.equal(
      editor.documents.change(uri, editor.event({ changes: [{ offset: 0, length: 1, text: '' }] })),
      document,
    )
    assert.equal(editor.documents.change('file:///b.ts', editor.event({ version: 9 })), undefined)
    assert.equal(editor.reads, 0)
  })

  test('a missing version makes the log start anew from the whole text, and says so', () => {
    const editor = new Editor('a')
    editor.insert(1, 'b')
    editor.version++
    editor.insert(2, 'c')
    assert.equal(editor.document.text, 'abc')
    assert.deepEqual(editor.document.log.start, { version: 4, length: 3, reason: 'version gap' })
    assert.equal(editor.document.log.editBetween(2), undefined)
    editor.insert(3, 'd')
    assert.equal(editor.document.log.editBetween(4)?.apply('abc'), 'abcd')
  })

  const wrong: readonly [what: string, changes: readonly TextChange[]][] = [
    ['lengths that disagree', [{ offset: 0, length: 0, text: 'b' }]],
    ['an offset behind the end', [{ offset: 50, length: 0, text: 'bc' }]],
    ['a change beyond the end', [{ offset: 0, length: 50, text: 'bc' }]],
    ['a negative offset', [{ offset: -1, length: 0, text: 'bc' }]],
    ['a negative length', [{ offset: 1, length: -1, text: 'bc' }]],
    [
      'steps of which one lies outside',
      [
        { offset: 0, length: 1, text: 'bc' },
        { offset: 5, length: 0, text: '' },
      ],
    ],
  ]
  for (const [what, changes] of wrong) {
    test(`${what}: the whole text is read instead, and the log starts anew`, () => {
      const editor = new Editor('a')
      editor.text = 'a, b'
      editor.version = 2
      editor.documents.change(uri, editor.event({ changes }))
      assert.equal(editor.document.text, 'a, b')
      assert.deepEqual(editor.document.log.start, { version: 2, length: 4, reason: 'text mismatch' })
      assert.equal(editor.reads, 1)
    })
  }

  test('opened again at the same version it is the same; at another one changes were missed', () => {
    const editor = new Editor('a')
    const opened = { uri, language: 'typescript', version: 1, text: 'a', lineEnd: '\n' } as const
    assert.equal(editor.documents.open(opened), editor.document)
    editor.documents.open({ ...opened, version: 5, text: 'ab' })
    assert.deepEqual(editor.document.log.start, { version: 5, length: 2, reason: 'version gap' })
    editor.documents.close(uri)
    assert.equal(editor.documents.get(uri), undefined)
    editor.documents.open(opened)
    assert.deepEqual(editor.document.log.start, { version: 1, length: 1, reason: 'opened' })
  })
})

describe('who made an edit', () => {
  const made: readonly [what: string, change: TextChange, origin: string, event?: Partial<DocumentChange>][] = [
    ['a letter', { offset: 1, length: 0, text: 'b' }, 'typed'],
    ['an emoji', { offset: 1, length: 0, text: '😀' }, 'typed'],
    ['a bracket with its other half', { offset: 1, length: 0, text: '()' }, 'typed'],
    ['a line end with its indentation', { offset: 1, length: 0, text: '\n    ' }, 'typed'],
    ['Enter between brackets', { offset: 1, length: 0, text: '\n  \n' }, 'typed'],
    ['a character taken back', { offset: 0, length: 1, text: '' }, 'typed'],
    ['a word', { offset: 1, length: 0, text: 'word' }, 'other'],
    ['a line taken out', { offset: 0, length: 4, text: '' }, 'other'],
    ['undo', { offset: 1, length: 0, text: 'b' }, 'undo', { reason: 'undo' }],
    ['redo', { offset: 1, length: 0, text: 'b' }, 'redo', { reason: 'redo' }],
  ]
  for (const [what, change, origin, event] of made) {
    test(`${what}: ${origin}`, () => {
      const editor = new Editor('a = 1')
      editor.change([change], event)
      assert.deepEqual(editor.origins, [origin])
    })
  }

  test('the same letter in two places is no key', () => {
    const editor = new Editor('a a')
    editor.change([
      { offset: 3, length: 0, text: 'b' },
      { offset: 1, length: 0, text: 'b' },
    ])
    assert.deepEqual(editor.origins, ['other'])
  })

  const announce = (editor: Editor, replacement: Replacement, onApplied = () => {}) =>
    editor.documents.announce(uri, editor.version, replacement, onApplied)

  test('an announced insertion is our own, however the editor reports it, and it is made once', () => {
    const editor = new Editor('f()\na = \n')
    let count = 0
    announce(editor, { start: 8, end: 8, text: 'sum(b)' }, () => count++)
    editor.change([{ offset: 4, length: 4, text: 'a = sum(b)' }])
    editor.change([{ offset: 8, length: 6, text: '' }])
    editor.insert(8, 'sum(b)')
    assert.deepEqual(editor.origins, ['own', 'other', 'other'])
    assert.equal(count, 1)
  })

  test('an announcement for another version than the present one has no effect', () => {
    const editor = new Editor('a = ')
    editor.documents.announce(uri, 2, { start: 4, end: 4, text: 'sum(b)' }, () => assert.fail('it was not announced'))
    editor.documents.announce('file:///b.ts', 1, { start: 4, end: 4, text: 'x' }, () => assert.fail('no such document'))
    editor.insert(4, 'sum(b)')
    assert.deepEqual(editor.origins, ['other'])
  })

  test('what undo puts back was not announced', () => {
    const editor = new Editor('a = ')
    announce(editor, { start: 4, end: 4, text: 'sum(b)' }, () => assert.fail('it was undone'))
    editor.change([{ offset: 4, length: 0, text: 'sum(b)' }], { reason: 'undo' })
    assert.deepEqual(editor.origins, ['undo'])
  })

  test('an announced insertion of which a part was typed is our own when the rest comes in one step', () => {
    const editor = new Editor('a = ')
    announce(editor, { start: 0, end: 4, text: 'a = sum(b)' })
    editor.insert(4, 's')
    editor.insert(5, 'um(b)')
    assert.deepEqual(editor.origins, ['typed', 'own'])
  })

  test('an announced insertion that was typed through to its end is not our own', () => {
    const editor = new Editor('a = ')
    announce(editor, { start: 4, end: 4, text: 'sum' })
    for (const [at, key] of [...'sum'].entries()) editor.insert(4 + at, key)
    assert.deepEqual(editor.origins, ['typed', 'typed', 'typed'])
  })

  test('another text, another place, another document, or a withdrawn announcement is not our own', () => {
    const editor = new Editor('a = \nb = ')
    editor.documents.open({ ...editor.document, uri: 'file:///b.ts' })
    editor.documents.announce('file:///b.ts', 1, { start: 4, end: 4, text: 'sum(b)' }, () =>
      assert.fail('another document'),
    )
    const announced = announce(editor, { start: 4, end: 4, text: 'sum(b)' })
    editor.insert(4, 'sum(c)')
    editor.change([{ offset: 4, length: 6, text: '' }])
    editor.insert(9, 'sum(b)')
    editor.change([{ offset: 9, length: 6, text: '' }])
    announced.dispose()
    editor.insert(4, 'sum(b)')
    assert.deepEqual(editor.origins, ['other', 'other', 'other', 'other', 'other'])
  })
})

describe('CRLF', () => {
  /** A change of a text with its own line ends, at whole lines and characters as an editor has them. */
  function changeAt(text: string, from: number, to: number, inserted: string): EditorChange {
    const stops = [...text.matchAll(/\r\n|[\s\S]|$/g)].map(({ index }) => index)
    const [a, b] = [stops[from % stops.length] ?? 0, stops[to % stops.length] ?? 0]
    const [start, end] = [Math.min(a, b), Math.max(a, b)]
    const lineOf = (offset: number) => text.slice(0, offset).split('\r\n').length - 1
    return { offset: start, length: end - start, text: inserted, startLine: lineOf(start), endLine: lineOf(end) }
  }

  test('changes counted with CRLF are exact in the text with line feeds', () => {
    const fragment = fc.constantFrom('a', '\r\n', '😀', ' ')
    const text = fc.array(fragment, { maxLength: 15 }).map(fragments => fragments.join(''))
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (text, inserted, from, to) => {
        const change = changeAt(text, from, to, inserted)
        const after = text.slice(0, change.offset) + inserted + text.slice(change.offset + change.length)
        const documents = new Documents()
        documents.open({ uri, language: '', version: 1, text: textWithLineFeeds(text), lineEnd: '\r\n' })
        const followed = documents.change(uri, {
          version: 2,
          lineEnd: '\r\n',
          changes: [withLineFeeds(change, '\r\n')],
          lengthAfter: textWithLineFeeds(after).length,
          readText: () => assert.fail('the change fits'),
        })
        assert.equal(followed?.text, textWithLineFeeds(after))
      }),
      { numRuns: 1_000 },
    )
  })

  test('another line end for the whole document changes no text', () => {
    const documents = new Documents()
    documents.open({ uri, language: '', version: 1, text: 'a\nb', lineEnd: '\n' })
    const change = withLineFeeds({ offset: 0, length: 3, text: 'a\r\nb', startLine: 0, endLine: 1 }, '\n')
    const readText = () => assert.fail('the change fits')
    const event = { version: 2, lineEnd: '\r\n', changes: [change], lengthAfter: 3, readText } as const
    const after = documents.change(uri, event)
    assert.deepEqual([after?.text, after?.lineEnd], ['a\nb', '\r\n'])
    assert.ok(after?.log.editBetween(1)?.isEmpty)
  })
})
