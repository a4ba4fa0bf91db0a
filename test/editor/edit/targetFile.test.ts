// Which file the code of an answer goes into: by its label, the text before it, the question, the editor, or the user.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { TextEditor } from 'vscode'
import type { PathResolver } from '../../../src/core/workspace/pathResolver.ts'
import type { PromptPart } from '../../../src/protocol/conversation.ts'
import { fakeEditor, window, withFakeVscode, workspace } from '../../support/fakeVscode.ts'

const { TargetFile } = await withFakeVscode(() => import('../../../src/editor/edit/targetFile.ts'))
const { LastEditor } = await withFakeVscode(() => import('../../../src/editor/edit/lastEditor.ts'))

const uri = (path: string) => `file:///work/${path}`
const resolver = {
  candidates: (path: string) => (path.startsWith('..') ? [] : [uri(path)]),
  resolve: async (of: string) => ({ is: 'file', uri: of, isInWorkspace: !of.includes('linked') }),
} as unknown as PathResolver // as: only these two are asked

function attached(path: string): PromptPart {
  return { kind: 'attachment', id: path, source: 'file', name: path, uri: uri(path), sizeChars: 1 }
}

async function found(place: Partial<Parameters<InstanceType<typeof TargetFile>['find']>[0]>, inFront?: string) {
  if (inFront) {
    const document = { uri: { scheme: 'file', toString: () => uri(inFront) } }
    workspace.textDocuments.push(document as (typeof workspace.textDocuments)[number]) // as: only its URI is read
    window.activeTextEditor = { document } as TextEditor // as: only its document is read
  }
  const target = new TargetFile({ resolver, lastEditor: new LastEditor() })
  const result = await target.find({ label: 'ts', text: 'x', before: '', prompt: [], ...place })
  return result && [result.uri.slice('file:///work/'.length), result.isNew ? 'new' : 'there'].join(' ')
}

// Hooks of one file would run for the tests of all that share its process.
describe('the file that code goes into', () => {
  beforeEach(() => {
    fakeEditor.reset()
    window.activeTextEditor = undefined
    workspace.textDocuments.length = 0
    for (const path of ['src/a.ts', 'src/b.ts', 'lib/c.ts', 'x/same.ts', 'y/same.ts'])
      fakeEditor.files.set(uri(path), new Uint8Array())
  })

  test('the label counts before all else, in each of its forms', async () => {
    const rest = { before: 'In `src/b.ts`:', prompt: [attached('lib/c.ts')] }
    assert.equal(await found({ label: 'ts src/a.ts', ...rest }, 'src/b.ts'), 'src/a.ts there')
    assert.equal(await found({ text: '// src/a.ts\nx', ...rest }), 'src/a.ts there')
    assert.equal(await found({ label: 'ts c.ts' }), 'lib/c.ts there', 'the only file of that name')
    assert.equal(await found({ label: 'ts src/new.ts', ...rest }), 'src/new.ts new')
  })

  test('then the text before, the files of the question, the editor in front', async () => {
    assert.equal(
      await found({ before: 'In `src/b.ts`:', prompt: [attached('lib/c.ts')] }, 'src/a.ts'),
      'src/b.ts there',
    )
    assert.equal(await found({ before: 'In `gone.ts`:', prompt: [attached('lib/c.ts')] }, 'src/a.ts'), 'lib/c.ts there')
    assert.equal(await found({ prompt: [attached('gone.ts')] }, 'src/a.ts'), 'src/a.ts there')
  })

  test('where several files may be meant, or none is known, the user is asked, with the likely ones first', async () => {
    fakeEditor.picked = 'y/same.ts'
    assert.equal(await found({ label: 'ts same.ts' }, 'src/a.ts'), 'y/same.ts there')
    const [asked] = fakeEditor.interactions
    assert.deepEqual(asked?.kind === 'pick' && asked.items.map(({ label }) => label).slice(0, 3), [
      'x/same.ts',
      'y/same.ts',
      'src/a.ts',
    ])
    fakeEditor.picked = undefined
    assert.equal(await found({ prompt: [attached('src/a.ts'), attached('src/b.ts')] }), undefined, 'nothing was chosen')
  })

  test('[T40] a label that leads out of the workspace names no file', async () => {
    fakeEditor.files.set(uri('linked/out.ts'), new Uint8Array())
    fakeEditor.picked = undefined
    assert.equal(await found({ label: 'ts ../../etc/passwd.txt' }, 'src/a.ts'), 'src/a.ts there')
    assert.notEqual(await found({ before: 'In `linked/out.ts`:' }, 'src/b.ts'), 'linked/out.ts there')
  })
})
