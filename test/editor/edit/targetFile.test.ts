// Which file the code of an answer goes into: by its label, the text before it, the question, the editor, or the user.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { TextEditor } from 'vscode'
import type { FileSearch } from '../../../src/core/workspace/fileIndex.ts'
import type { PathResolver } from '../../../src/core/workspace/pathResolver.ts'
import type { CodePlace } from '../../../src/editor/edit/targetFile.ts'
import type { PartOf, PromptPart } from '../../../src/protocol/conversation.ts'
import { fakeEditor, window, withFakeVscode, workspace } from '../../support/fakeVscode.ts'

const { TargetFile } = await withFakeVscode(() => import('../../../src/editor/edit/targetFile.ts'))
const { LastEditor } = await withFakeVscode(() => import('../../../src/editor/edit/lastEditor.ts'))

const uri = (path: string) => `file:///work/${path}`
const resolver = {
  candidates: (path: string) => (path.startsWith('..') ? [] : [uri(path)]),
  resolve: async (of: string) => ({ is: 'file', uri: of, isInWorkspace: !of.includes('linked') }),
} as unknown as PathResolver // as: only these two are asked

function attached(path: string, source: PartOf<'attachment'>['source'] = 'file'): PromptPart {
  return { kind: 'attachment', id: path, source, name: path, uri: uri(path), sizeChars: 1 }
}

/** As the index does, without the files of packages. */
const search: FileSearch = {
  async *search(text) {
    const paths = [...fakeEditor.files.keys()].map(one => one.slice(uri('').length))
    yield paths
      .filter(path => path.includes(text) && !path.includes('node_modules'))
      .map(path => ({ path, uri: uri(path), positions: [] }))
  },
}

interface Asked extends Partial<CodePlace> {
  readonly prompt?: readonly PromptPart[]
  readonly inFront?: string
  /** The files that have a place for the code. */
  readonly fitting?: readonly string[]
}

async function found({ prompt = [], inFront, fitting = [], ...place }: Asked) {
  if (inFront) {
    const document = { uri: { scheme: 'file', toString: () => uri(inFront) } }
    workspace.textDocuments.push(document as (typeof workspace.textDocuments)[number]) // as: only its URI is read
    window.activeTextEditor = { document } as TextEditor // as: only its document is read
  }
  const target = new TargetFile({
    resolver,
    lastEditor: new LastEditor(),
    search: async () => search,
    hasPlace: async (_, { uri: asked }) => fitting.map(uri).includes(asked),
  })
  const result = await target.find({
    ...{ label: 'ts', language: 'ts', text: 'x', before: '', questions: [prompt] },
    ...place,
  })
  return result && [result.uri.slice(uri('').length), result.isNew ? 'new' : 'there'].join(' ')
}

const offered = () =>
  fakeEditor.interactions.flatMap(one =>
    one.kind === 'pick' ? [one.items.map(({ label, description }) => `${description}/${label}`)] : [],
  )

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
    assert.equal(await found({ label: 'ts src/a.ts', ...rest, inFront: 'src/b.ts' }), 'src/a.ts there')
    assert.equal(await found({ text: '// src/a.ts\nx', ...rest }), 'src/a.ts there')
    fakeEditor.files.set(uri('node_modules/d/c.ts'), new Uint8Array())
    assert.equal(await found({ label: 'ts c.ts' }), 'lib/c.ts there', 'the only file of that name that is not ignored')
    assert.equal(await found({ label: 'ts src/new.ts', ...rest }), 'src/new.ts new')
  })

  test('then the text before, and the file of the question', async () => {
    const prompt = [attached('lib/c.ts')]
    assert.equal(await found({ before: 'In `src/b.ts`:', prompt, inFront: 'src/a.ts' }), 'src/b.ts there')
    assert.equal(await found({ before: 'In `gone.ts`:', prompt, inFront: 'src/a.ts' }), 'lib/c.ts there')
    assert.equal(
      await found({ prompt: [attached('lib/c.ts', 'symbol'), attached('lib/c.ts', 'problems')] }),
      'lib/c.ts there',
    )
    assert.deepEqual(offered(), [])
  })

  test('then, of the files of earlier questions and the one in front, the only one with a place for the code', async () => {
    const questions = [[], [attached('src/a.ts')], [attached('src/b.ts')]]
    assert.equal(await found({ questions, inFront: 'lib/c.ts', fitting: ['src/a.ts', 'x/same.ts'] }), 'src/a.ts there')
    assert.equal(
      await found({ prompt: [attached('gone.ts')], inFront: 'lib/c.ts', fitting: ['lib/c.ts'] }),
      'lib/c.ts there',
    )
    const two = [attached('src/a.ts'), attached('src/b.ts')]
    assert.equal(await found({ prompt: two, inFront: 'lib/c.ts', fitting: ['src/b.ts', 'lib/c.ts'] }), 'src/b.ts there')
    assert.deepEqual(offered(), [])
  })

  test('a file that the text before only mentions gets the code where it alone has a place for it', async () => {
    const before = 'The test in `src/b.ts` covers this.'
    const asked = { before, inFront: 'lib/c.ts' }
    assert.equal(await found({ ...asked, fitting: ['src/b.ts'] }), 'src/b.ts there')
    const prompt = [attached('src/a.ts')]
    assert.equal(await found({ ...asked, prompt, fitting: ['src/a.ts'] }), 'src/a.ts there')
    assert.deepEqual(offered(), [])
    assert.equal(await found(asked), undefined)
    assert.deepEqual(offered()[0]?.slice(0, 3), ['src/b.ts', 'lib/c.ts', 'src/a.ts'])
  })

  test('without a place in one of them the user is asked, with the likely ones first', async () => {
    assert.equal(await found({ questions: [[], [attached('src/b.ts')]], inFront: 'y/same.ts' }), undefined)
    assert.equal(
      await found({
        questions: [[], [attached('src/b.ts')]],
        inFront: 'y/same.ts',
        fitting: ['src/b.ts', 'y/same.ts'],
      }),
      undefined,
    )
    const [first, second] = offered()
    assert.deepEqual(first?.slice(0, 3), ['src/b.ts', 'y/same.ts', 'src/a.ts'])
    assert.deepEqual(second, first)
  })

  test('several files with the name of the label are asked about, and any other can be searched for', async () => {
    fakeEditor.picked = 'y/same.ts'
    assert.equal(await found({ label: 'ts same.ts', inFront: 'src/a.ts' }), 'y/same.ts there')
    assert.deepEqual(offered()[0]?.slice(0, 3), ['x/same.ts', 'y/same.ts', 'src/a.ts'])
    fakeEditor.typed = { 'Apply to': 'c.ts' }
    fakeEditor.picked = 'c.ts'
    assert.equal(await found({ label: 'ts same.ts', inFront: 'src/a.ts' }), 'lib/c.ts there')
    assert.deepEqual(offered()[1], ['lib/c.ts'])
  })

  test('what came along by itself, and a folder, name no file', async () => {
    fakeEditor.files.set(uri('AGENTS.md'), new Uint8Array())
    assert.equal(await found({ prompt: [attached('AGENTS.md', 'instructions')] }), undefined)
    assert.equal(await found({ prompt: [attached('src', 'folder')] }), undefined)
    assert.deepEqual(offered()[0]?.slice(0, 1), ['src/a.ts'])
  })

  test('[T40] a label that leads out of the workspace names no file', async () => {
    fakeEditor.files.set(uri('linked/out.ts'), new Uint8Array())
    assert.equal(
      await found({ label: 'ts ../../etc/passwd.txt', inFront: 'src/a.ts', fitting: ['src/a.ts'] }),
      'src/a.ts there',
    )
    assert.equal(await found({ before: 'In `linked/out.ts`:', inFront: 'src/b.ts' }), undefined)
  })
})
