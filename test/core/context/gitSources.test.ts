// Changes and commits of real repositories, as patches without what may not be sent.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../../../src/base/clock.ts'
import type { ContextNames } from '../../../src/core/context/contextNames.ts'
import type { Resolved, Suggestion } from '../../../src/core/context/contextSources.ts'
import { patchLimits } from '../../../src/core/context/gitPatch.ts'
import { commitSource, type GitNeeds, gitChangeSource } from '../../../src/core/context/gitSources.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import { gitProgram } from '../../../src/node/git/gitProgram.ts'
import { contextNames } from '../../support/contextNames.ts'
import { DiskFiles } from '../../support/diskFiles.ts'
import { commitAll, folderWith, repositoryWith, runGit, writeFiles } from '../../support/temporaryRepository.ts'

const { signal } = new AbortController()
const names: ContextNames = contextNames
const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n'

function needsOf(folder: string, isTrusted = true): GitNeeds {
  const access = new AccessPolicy({
    isTrusted: () => isTrusted,
    excludedGlobs: () => [],
    ignoredOf: async () => new Set(),
  })
  const uri = pathToFileURL(folder).href
  const gitFolder = {
    uri,
    name: 'work',
    diskPath: folder,
    fileOf: (path: string) => ({ uri: `${uri}/${path}`, path }),
  }
  return {
    git: gitProgram,
    access,
    files: new DiskFiles(folder).accessBy(access),
    names,
    folders: () => (isTrusted ? [gitFolder] : []),
    placeOf: file => ({ folder: gitFolder, path: file.slice(uri.length + 1) }),
    activeFile: () => `${uri}/a.ts`,
    isTrusted: () => isTrusted,
    clock: systemClock,
  }
}

type Change = Parameters<ReturnType<typeof gitChangeSource>['resolve']>[0]

const changes = (folder: string, more: Omit<Change, 'source'> = {}, isTrusted = true): Promise<Resolved> =>
  gitChangeSource(needsOf(folder, isTrusted)).resolve({ source: 'git-change', ...more }, { isConfirmed: false }, signal)

const textOf = (resolved: Resolved) =>
  resolved.is === 'ready' ? resolved.parts.map(({ text }) => text).join('') : String('why' in resolved && resolved.why)
const omittedOf = (resolved: Resolved) =>
  resolved.is === 'ready' ? Object.fromEntries(resolved.omitted.map(({ why, names: of }) => [why, of])) : undefined

async function last(suggestions: AsyncIterable<readonly Suggestion[]>): Promise<readonly Suggestion[]> {
  let all: readonly Suggestion[] = []
  for await (const some of suggestions) all = some
  return all
}

function changedRepository(): string {
  const folder = repositoryWith({ 'a.ts': 'one\n', 'b.ts': 'two\n' })
  commitAll(folder, 'Begin')
  writeFiles(folder, { 'a.ts': 'ONE\n' })
  runGit(folder, 'add', 'a.ts')
  writeFiles(folder, { 'b.ts': 'TWO\n', 'new.ts': 'three\n' })
  return folder
}

describe('the changes', () => {
  test('are those that are staged, those that are not, or both with new files', async () => {
    const folder = changedRepository()
    const staged = textOf(await changes(folder, { isStaged: true }))
    assert.match(staged, /^\+ONE$/m)
    assert.doesNotMatch(staged, /TWO|three/)
    const notStaged = textOf(await changes(folder, { isStaged: false }))
    assert.match(notStaged, /^\+TWO$/m)
    assert.match(notStaged, /^\+three$/m)
    assert.doesNotMatch(notStaged, /ONE/)
    assert.match(textOf(await changes(folder)), /ONE[\s\S]*TWO[\s\S]*\+\+\+ b\/new\.ts\n@@ -0,0 \+1,1 @@\n\+three\n/)
  })

  test('for a commit are those that are staged, and all where nothing is', async () => {
    const folder = changedRepository()
    assert.equal(
      textOf(await changes(folder, { isForCommit: true })),
      textOf(await changes(folder, { isStaged: true })),
    )
    runGit(folder, 'reset', '--quiet')
    assert.equal(textOf(await changes(folder, { isForCommit: true })), textOf(await changes(folder)))
  })

  test('for a commit of nothing but a secret file are none, and it is named', async () => {
    const folder = changedRepository()
    runGit(folder, 'reset', '--quiet')
    writeFiles(folder, { '.env': 'A=canary\n' })
    runGit(folder, 'add', '.env')
    const resolved = await changes(folder, { isForCommit: true })
    assert.equal(textOf(resolved), '')
    assert.deepEqual(omittedOf(resolved), { secret: ['.env'] })
  })

  test('of one file are its own', async () => {
    const folder = changedRepository()
    const text = textOf(await changes(folder, { uri: `${pathToFileURL(folder).href}/b.ts` }))
    assert.match(text, /^\+TWO$/m)
    assert.doesNotMatch(text, /ONE|three/)
  })

  test('are there before the first commit', async () => {
    const folder = repositoryWith({ 'a.ts': 'one\n' })
    runGit(folder, 'add', '.')
    assert.match(textOf(await changes(folder)), /^\+one$/m)
  })

  test('[T45] leave out secret files by name and by content, and name them', async () => {
    const npmrc = 'save-exact=true\n'
    const folder = repositoryWith({ '.env': 'A=1\n', '.npmrc': npmrc, 'notes.txt': 'x\n', 'a.ts': '1\n' })
    commitAll(folder, 'Begin')
    writeFiles(folder, {
      '.env': 'A=canary\n',
      '.npmrc': `${npmrc}//registry.example/:_authToken=canary\n`,
      'notes.txt': `${'x\n'.repeat(3_000)}${key}`,
      'a.ts': '2\n',
      id_rsa: key,
    })
    const resolved = await changes(folder)
    assert.doesNotMatch(textOf(resolved), /canary|PRIVATE/)
    assert.match(textOf(resolved), /^\+2$/m)
    assert.deepEqual(omittedOf(resolved)?.['secret']?.toSorted(), ['.env', '.npmrc', 'id_rsa', 'notes.txt'])
  })

  test('[T46] of a file beyond the limit are left out and named', async () => {
    const folder = repositoryWith({ 'a.ts': '1\n', 'large.txt': '1\n' })
    commitAll(folder, 'Begin')
    writeFiles(folder, { 'a.ts': '2\n', 'large.txt': 'x\n'.repeat(patchLimits.fileChars) })
    const resolved = await changes(folder)
    assert.deepEqual(omittedOf(resolved), { budget: ['large.txt'] })
    assert.match(textOf(resolved), /^\+2$/m)
  })

  test('a file whose name is a pattern stands for itself alone', async () => {
    const folder = repositoryWith({ '*.ts': '1\n', 'b.ts': '1\n' })
    commitAll(folder, 'Begin')
    writeFiles(folder, { '*.ts': '2\n', 'b.ts': '3\n' })
    const text = textOf(await changes(folder, { uri: `${pathToFileURL(folder).href}/*.ts` }))
    assert.doesNotMatch(text, /^\+3$/m)
  })

  test('[T80] are not read in a workspace that is not trusted', async () => {
    assert.equal(textOf(await changes(changedRepository(), {}, false)), 'untrusted')
  })

  test('are unavailable without a repository, and without any change', async () => {
    assert.equal(textOf(await changes(folderWith({ 'a.ts': '1' }))), 'no-repository')
    const clean = repositoryWith({ 'a.ts': '1\n' })
    commitAll(clean, 'Begin')
    assert.equal(textOf(await changes(clean)), 'empty')
  })

  test('are suggested as far as there are some', async () => {
    const query = { text: '', limit: 10 }
    const labels = async (folder: string) =>
      (await last(gitChangeSource(needsOf(folder)).suggest(query, signal))).map(({ label, detail }) => [label, detail])
    assert.deepEqual(await labels(changedRepository()), [
      [names.changes, ''],
      [names.staged, ''],
      [names.notStaged, ''],
      [names.changesIn('a.ts'), 'a.ts'],
    ])
    const byWord = await last(gitChangeSource(needsOf(changedRepository())).suggest({ text: 'git', limit: 10 }, signal))
    assert.deepEqual([byWord.length, byWord.every(({ isNamed }) => isNamed)], [4, true])
    const clean = repositoryWith({ 'a.ts': '1\n' })
    commitAll(clean, 'Begin')
    assert.deepEqual(await labels(clean), [])
  })
})

test('git is asked once while a query is typed', async () => {
  const needs = needsOf(changedRepository())
  const asked: string[] = []
  const git: GitNeeds['git'] = (folder, args, ...rest) => {
    asked.push(args[0] ?? '')
    return gitProgram(folder, args, ...rest)
  }
  const source = gitChangeSource({ ...needs, git })
  for (const text of ['', 'c', 'ch']) await last(source.suggest({ text, limit: 10 }, signal))
  assert.deepEqual(asked, ['status'])
})

describe('a commit', () => {
  function history(): string {
    const folder = repositoryWith({ 'a.ts': 'one\n', '.env': 'A=canary\n' })
    commitAll(folder, 'Begin here')
    writeFiles(folder, { 'a.ts': 'two\n', '.env': 'A=canary2\n' })
    commitAll(folder, 'Count to two')
    return folder
  }

  test('is found by its subject, and all by the word for them', async () => {
    const source = commitSource(needsOf(history()))
    const all = await last(source.suggest({ text: 'commit', limit: 10 }, signal))
    assert.deepEqual(
      all.map(({ label }) => label),
      ['Count to two', 'Begin here'],
    )
    const found = await last(source.suggest({ text: 'count', limit: 10 }, signal))
    assert.deepEqual(
      found.map(({ label }) => label),
      ['Count to two'],
    )
    assert.match(found[0]?.detail ?? '', /^[0-9a-f]{8}, \d{4}-\d\d-\d\d$/)
  })

  test('[T45] is its message, its files and its patch, without secret files', async () => {
    const source = commitSource(needsOf(history()))
    const [newest] = await last(source.suggest({ text: '', limit: 10 }, signal))
    assert.ok(newest?.reference.source === 'commit')
    const resolved = await source.resolve(newest.reference, { isConfirmed: false }, signal)
    const text = textOf(resolved)
    assert.match(text, /^commit [0-9a-f]{40}\nDate: .*\n\nCount to two\n\n a\.ts \| 2/)
    assert.match(text, /^-one\n\+two$/m)
    assert.doesNotMatch(text, /canary|ada@example/)
    assert.deepEqual(omittedOf(resolved), { secret: ['.env'] })
  })

  test('that is gone is missing', async () => {
    const folder = history()
    const reference = {
      source: 'commit',
      repository: pathToFileURL(folder).href,
      hash: 'dead'.repeat(10),
      subject: 'x',
    } as const
    assert.equal(
      textOf(await commitSource(needsOf(folder)).resolve(reference, { isConfirmed: false }, signal)),
      'missing',
    )
  })
})
