// What is written to a file that an editor has open: by the editor, byte for byte elsewhere, and never against the user.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import type { EditorFileDocuments } from '../../../src/editor/edit/editorFiles.ts'
import { SystemFiles } from '../../../src/node/changes/systemFiles.ts'
import { FakeTextDocument } from '../../support/fakeTextDocument.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { EditorFiles } = await withFakeVscode(() => import('../../../src/editor/edit/editorFiles.ts'))

/** Its file gets the text when it is saved, with what `onSave` makes of it; undefined fails. */
class OpenDocument extends FakeTextDocument {
  override isDirty = false
  readonly isUntitled: boolean = this.uri.scheme === 'untitled'
  onSave = (text: string): string | undefined => text
  saves = 0

  async save(): Promise<boolean> {
    this.saves++
    const text = this.onSave(this.text)
    if (text === undefined) return false
    if (text !== this.text) this.change([0, 0], [this.lineCount, 0], text)
    if (this.uri.scheme === 'file') writeFileSync(this.uri.path, this.text)
    this.isDirty = false
    return true
  }

  /** As the editor does when the file is another one. */
  reload(): void {
    this.change([0, 0], [this.lineCount, 0], readFileSync(this.uri.path, 'utf8').replaceAll(/\r\n?/g, '\n'))
  }
}

/** The editor notices what is written. */
class WatchedFiles extends SystemFiles {
  override async write(...given: Parameters<SystemFiles['write']>) {
    const result = await super.write(...given)
    // as: the documents of this test
    for (const one of fakeEditor.documents) queueMicrotask(() => (one as unknown as OpenDocument).reload())
    return result
  }
}

describe('a file that an editor has open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-files-'))
  const disk = new WatchedFiles({
    pathOf: uri => (uri.startsWith('file://') ? uri.slice('file://'.length) : undefined),
    codec: {
      decode: async bytes => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      encode: async text => new TextEncoder().encode(text),
    },
  })
  const documents = {
    track: () => ({ log: { version: 0, editBetween: () => undefined } }),
    whileChanging: (_: unknown, change: () => unknown) => change(),
  } as unknown as EditorFileDocuments // as: what is used of both
  const path = join(folder, 'a.txt')
  const uri = `file://${path}`

  beforeEach(() => fakeEditor.reset())
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** `shown`: the text in the editor. */
  function open(bytes: string, shown = bytes) {
    rmSync(path, { force: true })
    writeFileSync(path, bytes)
    const document = new OpenDocument(path, shown)
    fakeEditor.files.set(uri, Buffer.from(bytes))
    fakeEditor.documents.push(document.asDocument)
    return { document, files: new EditorFiles(documents, disk), bytes: () => readFileSync(path, 'utf8') }
  }

  test('is changed in the editor and saved, with its own line ends', async () => {
    const { document, files, bytes } = open('one\r\ntwo\r\n')
    assert.equal(await files.write(uri, 'one\ntwo\n', 'one\n2\nthree\n'), 'written')
    assert.equal(bytes(), 'one\r\n2\r\nthree\r\n')
    assert.deepEqual([document.isDirty, document.saves], [false, 1])
  })

  test('keeps line ends of several kinds, which the editor would make the same', async () => {
    for (const end of ['\r', '\r\n']) {
      const { files, bytes } = open(`one${end}two\nthree${end}`, 'one\ntwo\nthree\n')
      assert.equal(await files.write(uri, 'one\ntwo\nthree\n', 'one\n2\nthree\n'), 'written')
      assert.equal(bytes(), `one${end}2\nthree${end}`)
      fakeEditor.reset()
    }
  })

  test('is not changed where nobody may write it, because the editor could not save it', async () => {
    const { document, files } = open('one\n')
    chmodSync(path, 0o444)
    assert.deepEqual(await files.read(uri), { is: 'read-only' })
    chmodSync(path, 0o644)
    assert.equal((await files.read(uri)).is, 'text')
    assert.equal(document.version, 1)
  })

  test('is not saved where the user has unsaved text, and that text stays', async () => {
    const { document, files, bytes } = open('one\ntwo\n', 'mine\ntwo\n')
    document.isDirty = true
    assert.partialDeepStrictEqual(await files.read(uri), { text: 'mine\ntwo\n', isUnsaved: true })
    assert.equal(await files.write(uri, 'one\ntwo\n', 'one\n2\n'), 'changed meanwhile')
    assert.equal(await files.write(uri, 'mine\ntwo\n', 'mine\n2\n'), 'written')
    assert.deepEqual([document.text, document.saves, bytes()], ['mine\n2\n', 0, 'one\ntwo\n'])
  })

  test('is saved once for several changes, and not where the user goes on in it', async () => {
    const { document, files, bytes } = open('one\ntwo\n')
    await files.write(uri, 'one\ntwo\n', '1\ntwo\n', { isUnsaved: true })
    assert.partialDeepStrictEqual(await files.read(uri), { text: '1\ntwo\n', isUnsaved: false })
    await files.write(uri, '1\ntwo\n', '1\n2\n', { isUnsaved: true })
    assert.deepEqual([document.saves, bytes()], [0, 'one\ntwo\n'])
    assert.equal(await files.save(uri), true)
    assert.deepEqual([document.saves, bytes()], [1, '1\n2\n'])
    await files.write(uri, '1\n2\n', '1\n3\n', { isUnsaved: true })
    document.change([0, 0], [0, 0], 'mine ')
    assert.equal(await files.save(uri), true)
    assert.deepEqual([document.saves, document.text, document.isDirty], [1, 'mine 1\n3\n', true])
  })

  test('that cannot be saved has the change in the editor alone; what the editor makes of it is read', async () => {
    const { document, files, bytes } = open('one\n')
    document.onSave = () => undefined
    assert.equal(await files.write(uri, 'one\n', 'two\n'), 'not saved')
    assert.deepEqual([document.text, bytes()], ['two\n', 'one\n'])
    document.isDirty = false
    document.onSave = text => `${text}formatted\n`
    assert.equal(await files.write(uri, 'two\n', 'three\n'), 'written')
    assert.deepEqual(
      [await files.read(uri).then(found => found.is === 'text' && found.text), bytes()],
      ['three\nformatted\n', 'three\nformatted\n'],
    )
  })

  test('gets its bytes from before again where it is undone, whatever the editor makes of them', async () => {
    const { document, files, bytes } = open('one\n')
    const image = { bytes: Buffer.from('zero  \n'), mode: 0o640 }
    document.onSave = text => text.replace(/ +\n/, '\n')
    assert.equal(await files.write(uri, 'one\n', 'zero  \n', { image }), 'written')
    assert.deepEqual([bytes(), document.text, statSync(path).mode & 0o777], ['zero  \n', 'zero  \n', 0o640])
  })

  test('that was never saved is changed in the editor', async () => {
    const document = new OpenDocument('untitled:Untitled-1', 'one')
    fakeEditor.documents.push(document.asDocument)
    const files = new EditorFiles(documents, disk)
    const untitled = document.uri.toString()
    assert.equal(await files.write(untitled, 'one', 'two'), 'written')
    assert.deepEqual([document.text, document.saves], ['two', 0])
  })

  test('and is on no disk is changed, saved and made there', async () => {
    const document = new OpenDocument('memfs:/w/a.txt', 'one\n')
    fakeEditor.documents.push(document.asDocument)
    const virtual = document.uri.toString()
    fakeEditor.files.set(virtual, Buffer.from('one\n'))
    const files = new EditorFiles(documents, disk)
    assert.equal(await files.write(virtual, 'one\n', 'two\n'), 'written')
    assert.deepEqual([document.text, document.saves], ['two\n', 1])
    assert.equal(await files.create('memfs:///w/b.txt', 'new\n'), 'written')
    assert.deepEqual(fakeEditor.files.get('memfs:///w/b.txt'), new TextEncoder().encode('new\n'))
    assert.equal(await files.create(virtual, 'other\n'), 'changed meanwhile')
    const removed = new TextEncoder().encode('\ufeffone\r\n')
    fakeEditor.files.set('memfs:///w/c.txt', removed)
    const image = await files.image('memfs:///w/c.txt')
    fakeEditor.files.delete('memfs:///w/c.txt')
    assert.equal(await files.create('memfs:///w/c.txt', 'one\n', image), 'written')
    assert.deepEqual(fakeEditor.files.get('memfs:///w/c.txt'), removed, 'what was removed comes back byte for byte')
  })
})
