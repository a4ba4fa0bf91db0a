// Which files instruct the model, their front matter, and the prompts that are kept in files.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { frontMatter } from '../../../src/core/context/frontMatter.ts'
import { Instructions } from '../../../src/core/context/instructions.ts'
import { promptFiles } from '../../../src/core/context/promptFiles.ts'
import { MemoryFiles } from '../../support/memoryFiles.ts'

const { signal } = new AbortController()
const root = 'file:///work'

function instructionsOf(files: MemoryFiles, isOn = true): Instructions {
  return new Instructions(files.access, {
    folders: () => [{ uri: root }],
    isOn: () => isOn,
    isTrusted: () => files.isTrusted,
    filesIn: namesIn(files),
  })
}

const namesIn = (files: MemoryFiles) => async (folder: string, ending: string) =>
  [...files.all.keys()]
    .filter(uri => uri.startsWith(`${folder}/`) && uri.endsWith(ending))
    .map(uri => uri.slice(folder.length + 1))
    .filter(name => !name.includes('/'))
    .sort()

async function pathsFor(files: MemoryFiles, attached: readonly string[] = [], isOn = true): Promise<string[]> {
  const found = await instructionsOf(files, isOn).for(
    attached.map(path => `${root}/${path}`),
    signal,
  )
  return found.map(({ uri }) => files.pathOf(uri))
}

const scoped = (globs: string) => `---\napplyTo: '${globs}'\n---\nUse tabs in ${globs}.\n`

describe('the instructions that apply', () => {
  test('are those of the root, and of the folders that attached files are in', async () => {
    const files = new MemoryFiles({
      'AGENTS.md': 'a',
      'CLAUDE.md': 'b',
      '.github/copilot-instructions.md': 'c',
      'src/AGENTS.md': 'd',
      'src/core/AGENTS.md': 'e',
      'test/AGENTS.md': 'f',
    })
    const inRoot = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md']
    assert.deepEqual(await pathsFor(files), inRoot)
    assert.deepEqual(await pathsFor(files, ['src/core/x.ts']), [...inRoot, 'src/AGENTS.md', 'src/core/AGENTS.md'])
  })

  test('with globs are for the files that they match', async () => {
    const files = new MemoryFiles({
      '.github/instructions/all.instructions.md': scoped('**'),
      '.github/instructions/go.instructions.md': scoped('**/*.go'),
      '.github/instructions/none.instructions.md': 'Only when attached.',
      '.github/instructions/web.instructions.md': scoped('**/*.{ts,tsx}, web/**'),
    })
    const name = (path: string) => path.slice('.github/instructions/'.length, -'.instructions.md'.length)
    assert.deepEqual((await pathsFor(files)).map(name), ['all'])
    assert.deepEqual((await pathsFor(files, ['src/a.tsx'])).map(name), ['all', 'web'])
    assert.deepEqual((await pathsFor(files, ['a.go'])).map(name), ['all', 'go'])
  })

  test('with the same text count once', async () => {
    assert.deepEqual(await pathsFor(new MemoryFiles({ 'AGENTS.md': 'same\n', 'CLAUDE.md': 'same' })), ['AGENTS.md'])
  })

  test('[T81] are none where the workspace is not trusted, nor where the setting is off', async () => {
    const files = new MemoryFiles({ 'AGENTS.md': 'a' })
    assert.deepEqual(await pathsFor(files, [], false), [])
    files.isTrusted = false
    assert.deepEqual(await pathsFor(files), [])
    assert.deepEqual(files.reads, [])
  })

  test('[T41] are not read through a link that leads outside', async () => {
    const files = new MemoryFiles({ 'AGENTS.md': { text: 'a', targetPath: '/home/me/AGENTS.md' } })
    assert.deepEqual(await pathsFor(files), [])
  })

  test('are attached without their front matter', async () => {
    const files = new MemoryFiles({ '.github/instructions/go.instructions.md': scoped('*.go') })
    const reference = { source: 'instructions', uri: `${root}/.github/instructions/go.instructions.md` } as const
    const resolved = await instructionsOf(files).source().resolve(reference, { isConfirmed: false }, signal)
    const [part] = resolved.is === 'ready' ? resolved.parts : []
    assert.deepEqual([part?.source, part?.text, part?.sizeChars], ['instructions', 'Use tabs in *.go.\n', 18])
  })
})

describe('front matter', () => {
  const texts: readonly [text: string, values: Readonly<Record<string, readonly string[]>>, body: string][] = [
    ['---\na: b\n---\nText\n', { a: ['b'] }, 'Text\n'],
    ["---\na: \"b: c\" # d\nb: 'it''s'\nc: x # y\n---\n\nText", { a: ['b: c'], b: ["it's"], c: ['x'] }, 'Text'],
    ['---\ntools: [one, "two"]\nlist:\n  - a\n  - b\n---\n', { tools: ['one', 'two'], list: ['a', 'b'] }, ''],
    ['---\n---\nText', {}, 'Text'],
    ['No front matter\n---\na: b\n---\n', {}, 'No front matter\n---\na: b\n---\n'],
    ['---\nnever ended', {}, '---\nnever ended'],
  ]
  for (const [text, values, body] of texts) {
    test(JSON.stringify(text), () => {
      const read = frontMatter(text)
      assert.deepEqual([Object.fromEntries(read.values), read.body], [values, body])
    })
  }
})

describe('prompt files', () => {
  const own: Readonly<Record<string, string>> = {
    'file:///profile/Review Me.prompt.md': '---\ndescription: Mine\n---\nReview it.',
    'file:///profile/empty.prompt.md': '---\ndescription: nothing\n---\n',
  }
  const shared = {
    '.github/prompts/review-me.prompt.md': 'Review it as all do.',
    '.github/prompts/tests.prompt.md': '---\ndescription: "Writes tests"\nmode: agent\n---\nWrite tests.\n',
  }

  async function prompts(files: MemoryFiles, isTrusted = true) {
    const inWorkspace = namesIn(files)
    const found = await promptFiles(
      files.access,
      {
        workspaceFolders: () => (isTrusted ? [root] : []),
        profileFolder: 'file:///profile',
        filesIn: async (folder, ending) =>
          folder === 'file:///profile'
            ? Object.keys(own).map(uri => encodeURIComponent(uri.slice(folder.length + 1)))
            : inWorkspace(folder, ending),
        readOwn: async uri => own[decodeURIComponent(uri)],
      },
      signal,
    )
    return found.map(({ name, description, body }) => [name, description, body])
  }

  test('are those of the profile and of the workspace; the own one has the name', async () => {
    assert.deepEqual(await prompts(new MemoryFiles(shared)), [
      ['review-me', 'Mine', 'Review it.'],
      ['tests', 'Writes tests', 'Write tests.\n'],
    ])
  })

  test('[T81] are only the own ones where the workspace is not trusted', async () => {
    assert.deepEqual(await prompts(new MemoryFiles(shared), false), [['review-me', 'Mine', 'Review it.']])
  })
})
