// Which files instruct the model, their front matter, and the prompts that are kept in files.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { frontMatter } from '../../../src/core/context/frontMatter.ts'
import { Instructions } from '../../../src/core/context/instructions.ts'
import { promptFiles } from '../../../src/core/context/promptFiles.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { MemoryFiles } from '../../support/memoryFiles.ts'

const { signal } = new AbortController()
const root = 'file:///work'

function instructionsOf(files: MemoryFiles, isOn = true, clock = new FakeClock()): Instructions {
  return new Instructions(files.access, {
    folders: () => [{ uri: root }],
    isOn: () => isOn,
    isTrusted: () => files.isTrusted,
    filesIn: namesIn(files),
    clock,
  })
}

const namesIn = (files: MemoryFiles) => async (folder: string, ending: string) =>
  [...files.all.keys()]
    .filter(uri => uri.startsWith(`${folder}/`) && uri.endsWith(ending))
    .map(uri => uri.slice(folder.length + 1))
    .filter(name => !name.includes('/'))
    .sort()

async function pathsFor(files: MemoryFiles, attached: readonly string[] = [], isOn = true): Promise<string[]> {
  const { sent } = await forFiles(files, attached, isOn)
  return sent.map(({ uri }) => files.pathOf(uri))
}

const forFiles = (files: MemoryFiles, attached: readonly string[] = [], isOn = true) =>
  instructionsOf(files, isOn).for(
    attached.map(path => `${root}/${path}`),
    signal,
  )

const scoped = (globs: string) => `---\napplyTo: '${globs}'\n---\nUse tabs in ${globs}.\n`

describe('the instructions that apply', () => {
  test('are those of the root, and of the folders that attached files are in', async () => {
    const files = new MemoryFiles({
      'AGENTS.md': 'a',
      'CLAUDE.md': 'b',
      '.github/copilot-instructions.md': 'c',
      'src/AGENTS.md': 'd',
      'src/core/.claude/CLAUDE.md': 'e',
      'test/AGENTS.md': 'f',
    })
    const inRoot = ['AGENTS.md', '.github/copilot-instructions.md']
    assert.deepEqual(await pathsFor(files), inRoot)
    assert.deepEqual(await pathsFor(files, ['src/core/x.ts']), [
      ...inRoot,
      'src/AGENTS.md',
      'src/core/.claude/CLAUDE.md',
    ])
  })

  test('are those of Claude only in a folder without AGENTS.md', async () => {
    assert.deepEqual(await pathsFor(new MemoryFiles({ 'CLAUDE.md': 'a', '.claude/CLAUDE.md': 'b' })), ['CLAUDE.md'])
    assert.deepEqual(await pathsFor(new MemoryFiles({ 'AGENTS.md': ' ', '.claude/CLAUDE.md': 'b' })), [
      '.claude/CLAUDE.md',
    ])
  })

  test('take 32 KiB in all', async () => {
    const half = 'ä'.repeat(8_000)
    const files = new MemoryFiles({ 'AGENTS.md': half, 'a/AGENTS.md': `${half}b`, 'a/b/AGENTS.md': `c${half}` })
    assert.deepEqual(await pathsFor(files, ['a/b/x.ts']), ['AGENTS.md', 'a/AGENTS.md'])
  })

  test('name what is left out: what has no room, is too large, or may not be read', async () => {
    const files = new MemoryFiles({
      'AGENTS.md': 'ä'.repeat(17_000),
      '.github/copilot-instructions.md': 'c'.repeat(60_001),
      'src/AGENTS.md': { text: 'binary', isBinary: true },
      'src/core/CLAUDE.md': 'ignored',
    })
    files.ignored = ['src/core/CLAUDE.md']
    const { sent, leftOut } = await forFiles(files, ['src/core/x.ts'])
    assert.deepEqual(sent, [])
    assert.deepEqual(leftOut.map(({ path, why }) => [path, why]).sort(), [
      ['.github/copilot-instructions.md', 'too-large'],
      ['AGENTS.md', 'budget'],
      ['src/AGENTS.md', 'binary'],
      ['src/core/CLAUDE.md', 'ignored'],
    ])
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
    const odd = new MemoryFiles({ '.github/instructions/odd.instructions.md': scoped('my über/*.ts') })
    assert.deepEqual((await pathsFor(odd, ['my%20%C3%BCber/a.ts'])).map(name), ['odd'])
  })

  test('with the same text count once', async () => {
    const files = new MemoryFiles({ 'AGENTS.md': 'same\n', 'src/AGENTS.md': 'same' })
    assert.deepEqual(await pathsFor(files, ['src/x.ts']), ['AGENTS.md'])
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

describe('what a file has for the model', () => {
  async function textOf(files: MemoryFiles, path: string): Promise<string | undefined> {
    const reference = { source: 'instructions', uri: `${root}/${path}` } as const
    const resolved = await instructionsOf(files).source().resolve(reference, { isConfirmed: false }, signal)
    const [part] = resolved.is === 'ready' ? resolved.parts : []
    return part?.text
  }

  test('[A75] [T37] is without invisible characters, and with how many there were', async () => {
    const files = new MemoryFiles({ 'AGENTS.md': 'Be\u200b kind\u{e0041}\u{e0042}.\u202e\n' })
    assert.equal(await textOf(files, 'AGENTS.md'), 'Be kind.\n\n(4 invisible characters were left out.)\n')
  })

  test('includes what CLAUDE.md imports, inside the workspace, two deep, and nothing secret', async () => {
    const files = new MemoryFiles({
      'app/CLAUDE.md': 'See @docs/a.md, @../shared.md and @../../outside.md @~/home.md @/etc/passwd @.env.\n`@code.md`',
      'app/docs/a.md': 'A @b.md @../CLAUDE.md',
      'app/docs/b.md': 'B @c.md',
      'app/docs/c.md': 'C',
      'app/code.md': 'Code',
      'app/.env': 'KEY=1',
      'shared.md': 'Shared',
      '/outside.md': 'Outside',
      '/etc/passwd': 'root',
    })
    const text = await textOf(files, 'app/CLAUDE.md')
    const imported = [...(text ?? '').matchAll(/^Imported (.*):$/gm)].map(([, path]) => path)
    assert.deepEqual(imported, ['app/docs/a.md', 'app/docs/b.md', 'shared.md'])
    assert.equal(await textOf(new MemoryFiles({ 'AGENTS.md': '@a.md', 'a.md': 'A' }), 'AGENTS.md'), '@a.md')
  })
})

test('what CLAUDE.md would import and cannot is named, but not a word that names no file', async () => {
  const files = new MemoryFiles({
    'CLAUDE.md': 'See @docs/large.md, @.env and @somebody.',
    'docs/large.md': 'x'.repeat(60_001),
    '.env': 'KEY=1',
  })
  const resolved = await instructionsOf(files)
    .source()
    .resolve({ source: 'instructions', uri: `${root}/CLAUDE.md` }, { isConfirmed: false }, signal)
  assert.deepEqual(resolved.is === 'ready' && resolved.omitted, [
    { why: 'too-large', count: 1, names: ['docs/large.md'] },
    { why: 'secret', count: 1, names: ['.env'] },
  ])
})

describe('the instructions for a file that is touched', () => {
  const files = () =>
    new MemoryFiles({
      'AGENTS.md': 'root',
      'a/AGENTS.md': 'a',
      'a/b/CLAUDE.md': 'b',
      'c/AGENTS.md': 'c',
      '.github/instructions/go.instructions.md': scoped('**/*.go'),
      '.github/instructions/all.instructions.md': scoped('**'),
    })
  const pathsOf = async (instructions: Instructions, path: string) =>
    (await instructions.touched(`${root}/${path}`, signal)).map(one => [
      one.path.split('/').at(-2) ?? '',
      one.isGeneral,
    ])

  test('come from the root to the file, and with globs that it fits', async () => {
    const general = [
      ['', true],
      ['instructions', true],
    ]
    assert.deepEqual(await pathsOf(instructionsOf(files()), 'x.ts'), general)
    assert.deepEqual(await pathsOf(instructionsOf(files()), 'a/b/x.go'), [
      ...general,
      ['instructions', false],
      ['a', false],
      ['b', false],
    ])
    assert.deepEqual(await pathsOf(instructionsOf(files(), false), 'a/x.ts'), [])
  })

  test('[A77] are read again when they have changed', async () => {
    const clock = new FakeClock()
    const changing = files()
    const instructions = instructionsOf(changing, true, clock)
    const textOf = async () => (await instructions.touched(`${root}/a/x.ts`, signal)).at(-1)?.text
    assert.equal(await textOf(), 'a')
    const reads = changing.reads.length
    changing.all.set(`${root}/a/AGENTS.md`, { text: 'changed' })
    assert.deepEqual([await textOf(), changing.reads.length], ['a', reads], 'a moment later nothing is read again')
    await clock.advance(5_000)
    assert.equal(await textOf(), 'changed')
  })
})

describe('front matter', () => {
  const texts: readonly [text: string, values: Readonly<Record<string, readonly string[]>>, body: string][] = [
    ['---\na: b\n---\nText\n', { a: ['b'] }, 'Text\n'],
    ["---\na: \"b: c\" # d\nb: 'it''s'\nc: x # y\n---\n\nText", { a: ['b: c'], b: ["it's"], c: ['x'] }, 'Text'],
    ['---\ntools: [one, "two"]\nlist:\n  - a\n  - b\n---\n', { tools: ['one', 'two'], list: ['a', 'b'] }, ''],
    ['---\na: >-\n  one\n\n  two: three\nb: |\n  x\n---\n', { a: ['one two: three'], b: ['x'] }, ''],
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
    return found
  }

  const textsOf = (found: Awaited<ReturnType<typeof prompts>>) =>
    found.map(({ name, description, body }) => [name, description, body])

  test('are those of the profile and of the workspace; the own one has the name', async () => {
    assert.deepEqual(textsOf(await prompts(new MemoryFiles(shared))), [
      ['review-me', 'Mine', 'Review it.'],
      ['tests', 'Writes tests', 'Write tests.\n'],
    ])
  })

  test('have the name of their front matter, and the list of what they set without effect', async () => {
    const body = '---\nname: Make Form\nmodel: big\ntools: [search]\nargument-hint: name\n---\nMake it.'
    const found = await prompts(new MemoryFiles({ '.github/prompts/a.prompt.md': body }))
    const made = found.find(({ name }) => name === 'make-form')
    assert.deepEqual([made?.folder, made?.withoutEffect], [root, ['model', 'tools']])
  })

  test('[T81] are only the own ones where the workspace is not trusted', async () => {
    assert.deepEqual(textsOf(await prompts(new MemoryFiles(shared), false)), [['review-me', 'Mine', 'Review it.']])
  })
})
