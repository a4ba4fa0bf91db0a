// What a chip opens: the right editor for a file, a change as a diff, a folder in the explorer, else the text that is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContextReference } from '../../../src/protocol/contextReference.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { attachedName, showAttached, textOf } = await withFakeVscode(
  () => import('../../../src/editor/chat/showAttached.ts'),
)

const range = { startLine: 1, startCharacter: 2, endLine: 3, endCharacter: 4 }

/** The commands with their first value, and `text` where the text was shown. */
async function shown(reference: ContextReference): Promise<string[]> {
  fakeEditor.reset()
  fakeEditor.shownFiles.length = 0
  const seen: string[] = []
  fakeEditor.onCommand = (id, first) => void seen.push(`${id} ${first}`)
  await showAttached(reference, async () => void seen.push('text'))
  return [...seen, ...fakeEditor.shownFiles.map(uri => `text editor ${uri}`)]
}

const uri = 'file:///work/a.png'

test('a file opens in the editor that the user has for its kind', async () => {
  assert.deepEqual(await shown({ source: 'file', uri }), [`vscode.open ${uri}`])
  assert.deepEqual(await shown({ source: 'selection', uri, range }), [`vscode.open ${uri}`])
  assert.deepEqual(await shown({ source: 'problems', uri, problem: { range, message: 'x' } }), [`vscode.open ${uri}`])
})

test('an address of the web is not handed to the browser', async () => {
  const address = 'https://example.com/a'
  assert.deepEqual(await shown({ source: 'file', uri: address }), [`text editor ${address}`])
})

test('a change opens as a diff, and as text where no extension of the editor shows one', async () => {
  assert.deepEqual(await shown({ source: 'git-change', uri }), [`git.openChange ${uri}`])
  fakeEditor.reset()
  fakeEditor.onCommand = () => {
    throw new Error('There is no such command')
  }
  let texts = 0
  await showAttached({ source: 'git-change', uri }, async () => void texts++)
  assert.equal(texts, 1)
})

test('a folder of the workspace is shown in the explorer; what has no place in the editor is shown as text', async () => {
  const folder = 'file:///work/src'
  assert.deepEqual(await shown({ source: 'folder', uri: folder }), [`revealInExplorer ${folder}`])
  const others: ContextReference[] = [
    { source: 'folder', uri: 'file:///elsewhere' },
    { source: 'terminal', text: 'ok' },
    { source: 'git-change' },
    { source: 'problems' },
    { source: 'open-editors' },
    { source: 'commit', repository: 'file:///work', hash: 'abcdef', subject: 'x' },
  ]
  for (const reference of others) assert.deepEqual(await shown(reference), ['text'], reference.source)
})

test('the text has the name of the chip, with an ending by which the editor colours it', () => {
  const part = { kind: 'attachment', id: '1', source: 'git-change', name: 'a', text: '+ a', sizeChars: 3 } as const
  assert.equal(textOf([part, { ...part, text: '+ b' }]), '+ a\n\n+ b')
  assert.equal(attachedName({ kind: 'git-change', label: 'Changes in a/b' }), 'Changes in a b.diff')
  assert.equal(attachedName({ kind: 'terminal', label: 'Terminal' }), 'Terminal.txt')
  assert.equal(attachedName({ kind: 'instructions', label: '/shout' }), 'shout.md')
  assert.equal(attachedName({ kind: 'file', label: 'notes.txt' }), 'notes.txt')
})
