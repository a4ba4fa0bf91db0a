// Files and their text as the editor has them: unsaved text, links, the names of a remote window, binary files.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type * as vscode from 'vscode'
import { fakeEditor, Uri, withFakeVscode } from '../../support/fakeVscode.ts'

const { EditorTextFiles } = await withFakeVscode(() => import('../../../src/editor/context/editorTextFiles.ts'))

const { signal } = new AbortController()
const uri = 'file:///work/src/a.ts'

beforeEach(() => fakeEditor.reset())

/** `links`: where paths lead; each other path leads to itself. */
function filesWith(texts: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) {
  for (const [at, text] of Object.entries(texts)) fakeEditor.files.set(at, new TextEncoder().encode(text))
  return new EditorTextFiles(async path => links[path] ?? path)
}

function open(at: string, text: string, more: Partial<vscode.TextDocument> = {}): void {
  const document = {
    uri: Uri.parse(at),
    languageId: 'typescript',
    version: 7,
    isClosed: false,
    isDirty: false,
    isUntitled: false,
    lineCount: 1,
    getText: () => text,
    lineAt: () => ({ range: { end: 0 } }),
    offsetAt: () => text.length,
    positionAt: () => ({ line: 0, character: 0 }),
    ...more,
  }
  fakeEditor.documents.push(document as unknown as vscode.TextDocument) // as: what is read of a document
}

describe('a file', () => {
  test('is found by its path in the workspace', async () => {
    assert.deepEqual(await filesWith({ [uri]: 'let a' }).find(uri, signal), {
      uri,
      kind: 'file',
      size: 5,
      path: 'src/a.ts',
      fullPath: '/work/src/a.ts',
      isInWorkspace: true,
      isOpen: false,
    })
  })

  test('is the same by the name that a remote window gives it', async () => {
    const found = await filesWith({ [uri]: 'let a' }).find('vscode-remote://machine:8080/work/src/a.ts', signal)
    assert.deepEqual([found?.uri, found?.isInWorkspace], [uri, true])
  })

  test('of another machine is not looked for there before the user has opened it, because that machine would be sent a password', async () => {
    for (const elsewhere of [
      'file://server/share/a.ts',
      'vscode-vfs://github/org/repo/a.ts',
      'file:/\\\\server/a.ts',
    ]) {
      const files = filesWith({ [elsewhere]: 'let a' })
      assert.equal((await files.find(elsewhere, signal))?.kind, 'elsewhere', elsewhere)
      open(elsewhere, 'let a')
      assert.equal((await files.find(elsewhere, signal))?.kind, 'file', elsewhere)
    }
  })

  test('of the machine that the workspace is on is a file like any other', async () => {
    fakeEditor.folderHost = 'server'
    const found = await filesWith({ 'file://SERVER/work/a.ts': 'let a' }).find('file://SERVER/work/a.ts', signal)
    assert.equal(found?.kind, 'file')
  })

  test('has its bytes as they are on the disk', async () => {
    const files = filesWith({ [uri]: 'let a' })
    assert.deepEqual(await files.readBytes(uri, signal), new TextEncoder().encode('let a'))
    assert.equal(await files.readBytes('file:///work/gone.png', signal), undefined)
  })

  test('[T41] is outside where a link leads out of the workspace, also through a folder', async () => {
    const outside = await filesWith({ [uri]: 'x' }, { '/work/src/a.ts': '/home/me/a.ts' }).find(uri, signal)
    assert.deepEqual([outside?.isInWorkspace, outside?.targetPath], [false, '/home/me/a.ts'])
  })

  test('is inside where the folder of the workspace itself is reached by a link', async () => {
    const links = { '/work': '/disk/project', '/work/src/a.ts': '/disk/project/src/a.ts' }
    const found = await filesWith({ [uri]: 'x' }, links).find(uri, signal)
    assert.deepEqual([found?.isInWorkspace, found?.targetPath], [true, undefined])
  })

  test('is inside and names its target where a link leads to another file of the workspace', async () => {
    const found = await filesWith({ [uri]: 'x' }, { '/work/src/a.ts': '/work/.env' }).find(uri, signal)
    assert.deepEqual([found?.isInWorkspace, found?.targetPath], [true, '/work/.env'])
  })

  test('that is a cell of a notebook is named and judged by the notebook', async () => {
    const cell = 'vscode-notebook-cell://work/work/a.ipynb'
    open(cell, 'print(1)')
    const document = { uri: Uri.parse(cell) }
    fakeEditor.notebooks.push({ uri: Uri.parse('file:///work/a.ipynb'), getCells: () => [{ document }] } as never) // as: what is read of it
    const found = await filesWith({}).find(cell, signal)
    assert.deepEqual([found?.kind, found?.path, found?.isInWorkspace, found?.size], ['file', 'a.ipynb', true, 8])
    assert.equal((await filesWith({}).read(cell, undefined, signal))?.text, 'print(1)')
  })

  test('that does not exist is not found, unless it is a document that was never saved', async () => {
    const files = filesWith({})
    assert.equal(await files.find(uri, signal), undefined)
    open('untitled:Untitled-1', 'draft', { isUntitled: true, isDirty: true })
    const found = await files.find('untitled:Untitled-1', signal)
    assert.deepEqual([found?.kind, found?.size, found?.isInWorkspace, found?.isOpen], ['file', 5, true, true])
  })
})

describe('the text', () => {
  test('is that of the file, with its hash', async () => {
    const read = await filesWith({ [uri]: 'one\r\ntwo\r\n' }).read(uri, undefined, signal)
    assert.deepEqual(
      [read?.text, read?.language, read?.version, read?.hash?.length],
      ['one\ntwo\n', 'typescript', undefined, 64],
    )
  })

  test('is the unsaved one, without the hash of the file, which has another', async () => {
    const files = filesWith({ [uri]: 'old' })
    open(uri, 'new', { isDirty: true })
    const read = await files.read(uri, undefined, signal)
    assert.deepEqual([read?.text, read?.version, read?.hash], ['new', 7, undefined])
  })

  test('is cut to the range', async () => {
    const range = { startLine: 0, startCharacter: 2, endLine: 1, endCharacter: 1 }
    const read = await filesWith({ [uri]: 'one\ntwo\n' }).read(uri, range, signal)
    assert.deepEqual([read?.text, read?.head], ['e\nt', 'one\ntwo\n'])
  })

  test('is none where the editor finds the file binary', async () => {
    const files = filesWith({})
    fakeEditor.files.set(uri, new Uint8Array([0xff, 0xfe, 0xff, 0]))
    assert.equal(await files.read(uri, undefined, signal), undefined)
  })
})
