// What the card of a command names as saved: what is unsaved, and what the calls before it will change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextDocument } from 'vscode'
import type { Changes } from '../../../src/core/tools/changes.ts'
import { PlannedChanges } from '../../../src/core/tools/plannedChanges.ts'
import { Uri as FakeUri, fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { unsavedChanges } = await withFakeVscode(() => import('../../../src/editor/tools/unsavedChanges.ts'))

test('[A63] a file that is open and that an earlier call of the answer edits is named as saved', async () => {
  const uri = (name: string) => FakeUri.parse(`file:///elsewhere/${name}`)
  for (const [name, isDirty] of [['check.js', false] as const, ['a.ts', true] as const, ['own.ts', true] as const])
    fakeEditor.documents.push({ uri: uri(name), isDirty, isUntitled: false } as unknown as TextDocument) // as: of a document only these are read
  const planned = new PlannedChanges()
  const openFiles = () => [uri('a.ts').toString()]
  const unsaved = unsavedChanges({ openFiles } as unknown as Changes, planned, async path => path) // as: of the changes only this is read
  const context = (part: string) => ({ conversation: 'c', turn: 't', answer: 'x', part })
  const preparing = planned.inOrder(async () => {
    planned.add(context('1'), uri('check.js').toString(), 'x')
    planned.add(context('1'), uri('closed.js').toString(), 'x')
  })
  assert.deepEqual(await unsaved.paths(context('2')), ['a.ts', 'check.js'])
  await preparing
  assert.deepEqual(await unsaved.paths({ ...context('3'), answer: 'y' }), ['a.ts'])
})

test('[A62] the text of an unsaved file is what a command finds, by its real path; after saving, what the editor has made of it', async () => {
  const uri = FakeUri.parse('file:///linked/a.js')
  const open = {
    ...{ uri, isDirty: true, isUntitled: false, text: 'as written' },
    getText: () => open.text,
    save: async () => {
      open.text = 'as formatted'
      return true
    },
  }
  fakeEditor.documents.push(open as unknown as TextDocument) // as: of a document only these are read
  const changes = { openFiles: () => [uri.toString()] } as unknown as Changes // as: of the changes only this is read
  const realPath = async (path: string) => path.replace('/linked/', '/real/')
  const unsaved = unsavedChanges(changes, new PlannedChanges(), realPath)
  assert.deepEqual([...(await unsaved.texts('c'))], [['/real/a.js', 'as written']])
  const { failed, texts } = await unsaved.save('c')
  assert.deepEqual([failed, [...texts]], [[], [['/real/a.js', 'as formatted']]])
})
