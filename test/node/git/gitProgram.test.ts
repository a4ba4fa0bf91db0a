// git as it is run on a real repository: what it lists and ignores, and that a repository cannot have it start programs.
import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gitFiles, ignoredByGit } from '../../../src/core/workspace/gitFiles.ts'
import { gitEnvironment, gitProgram } from '../../../src/node/git/gitProgram.ts'
import { commitAll, folderWith, repositoryWith, runGit, writeFiles } from '../../support/temporaryRepository.ts'

const { signal } = new AbortController()
describe('the files of a repository', () => {
  test('are the tracked and the new ones, without deleted and ignored ones', async () => {
    const folder = repositoryWith({ 'a.ts': '1', 'gone.ts': '1', 'übung/ä b.ts': '1', '.gitignore': 'out/\n*.log\n' })
    runGit(folder, 'add', '.')
    rmSync(join(folder, 'gone.ts'))
    writeFiles(folder, { 'new.ts': '1', 'out/x.js': '1', 'b.log': '1' })
    const found = await gitFiles(gitProgram, folder, signal)
    assert.deepEqual(found?.files.toSorted(), ['.gitignore', 'a.ts', 'new.ts', 'übung/ä b.ts'])
    assert.deepEqual(found?.ignored.toSorted(), ['b.log', 'out/'])
    assert.deepEqual(found?.untracked, ['new.ts'])
  })

  test('include those of a repository inside of it, by its own rules', async () => {
    const folder = repositoryWith({ 'a.ts': '1' })
    const inner = join(folder, 'inner')
    writeFiles(folder, { 'inner/b.ts': '1', 'inner/c.tmp': '1', 'inner/.gitignore': '*.tmp\n' })
    runGit(inner, 'init', '--quiet')
    const found = await gitFiles(gitProgram, folder, signal)
    assert.deepEqual(found?.files.toSorted(), ['a.ts', 'inner/.gitignore', 'inner/b.ts'])
    runGit(folder, 'add', 'a.ts')
    runGit(inner, 'add', '.')
    const later = await gitFiles(gitProgram, folder, signal)
    assert.deepEqual(later?.untracked.toSorted(), ['inner/.gitignore', 'inner/b.ts'], 'the outer one knows none of it')
  })

  test('of a folder inside of it are named from that folder on', async () => {
    const folder = repositoryWith({ 'a.ts': '1', 'src/b.ts': '1', '.gitignore': 'src/x\n', 'src/x': '' })
    assert.deepEqual(await gitFiles(gitProgram, join(folder, 'src'), signal), {
      files: ['b.ts'],
      untracked: ['b.ts'],
      ignored: ['x'],
    })
  })

  test('are unknown where there is no repository', async () => {
    assert.equal(await gitFiles(gitProgram, folderWith({ 'a.ts': '1' }), signal), undefined)
  })
})

describe('what git ignores', () => {
  test('is asked for many paths at once; a tracked file is not ignored', async () => {
    const folder = repositoryWith({
      '.gitignore': '*.js\nout/\n',
      'kept.js': '1',
      'a.js': '1',
      'b.ts': '1',
      'out/c.ts': '1',
    })
    runGit(folder, 'add', '--force', 'kept.js')
    const ignored = await ignoredByGit(gitProgram, folder, ['kept.js', 'a.js', 'b.ts', 'out/c.ts', 'out'], signal)
    assert.deepEqual([...ignored].toSorted(), ['a.js', 'out', 'out/c.ts'])
  })

  test('is known for the other files too where one of them is in a submodule', async () => {
    const library = repositoryWith({ 'x.ts': '1', '.gitignore': '*.tmp\n' })
    commitAll(library, 'a')
    const folder = repositoryWith({ '.gitignore': '*.js\n', 'a.js': '1', 'b.ts': '1' })
    runGit(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library')
    writeFiles(folder, { 'library/y.tmp': '1' })
    const paths = ['a.js', 'b.ts', 'library/x.ts', 'library/y.tmp']
    assert.deepEqual([...(await ignoredByGit(gitProgram, folder, paths, signal))].toSorted(), ['a.js', 'library/y.tmp'])
    const found = await gitFiles(gitProgram, folder, signal)
    assert.ok(found?.files.includes('library/x.ts'))
    assert.ok(!found?.files.includes('library'))
    assert.deepEqual(found?.untracked.includes('library/x.ts'), false)
  })

  test('is nothing where there is no repository', async () => {
    assert.equal((await ignoredByGit(gitProgram, folderWith({ 'a.js': '' }), ['a.js'], signal)).size, 0)
  })
})

describe('git is run safely', () => {
  test('[T81] no program that the repository names is started', async () => {
    const folder = repositoryWith({ 'a.ts': '1', '.gitattributes': '*.ts diff=evil filter=evil\n' })
    const proof = join(folder, 'started')
    commitAll(folder, 'a')
    for (const key of ['core.fsmonitor', 'diff.external', 'diff.evil.command', 'diff.evil.textconv', 'core.pager'])
      runGit(folder, 'config', key, `touch ${proof}`)
    writeFiles(folder, { 'a.ts': '2' })
    await gitFiles(gitProgram, folder, signal)
    await ignoredByGit(gitProgram, folder, ['a.ts'], signal)
    const diff = await gitProgram(folder, ['diff', '--no-ext-diff', '--no-textconv'], {}, signal)
    assert.match(diff?.text ?? '', /^\+2$/m)
    assert.equal(existsSync(proof), false)
  })

  test('its environment has neither the key nor what changes its behaviour', () => {
    const environment = gitEnvironment({
      PATH: '/bin',
      KOURIER_API_KEY: 'sk',
      GIT_DIR: '/x',
      LD_PRELOAD: 'y',
      PAGER: 'z',
    })
    assert.deepEqual(
      Object.keys(environment).filter(name => /KEY|GIT_DIR|LD_|^PAGER/.test(name)),
      [],
    )
    assert.equal(environment['PATH'], '/bin')
  })

  test('output beyond the limit is cut, and so reported', async () => {
    const folder = repositoryWith({ 'a.txt': 'x'.repeat(500_000) })
    runGit(folder, 'add', '.')
    const shown = await gitProgram(folder, ['show', ':a.txt'], { mostChars: 1_000 }, signal)
    assert.deepEqual([shown?.text.length, shown?.isCut], [1_000, true])
  })

  test('an abort ends it', async () => {
    const abort = new AbortController()
    const waiting = gitProgram(folderWith({}), ['hash-object', '--stdin'], { input: 'x' }, abort.signal)
    abort.abort(new Error('cancelled'))
    await assert.rejects(waiting, /cancelled/)
  })
})
