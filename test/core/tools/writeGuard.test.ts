// `WriteGuard`: what makes a repository out of plain files, and workspaces that are protected folders themselves.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { WriteGuard } from '../../../src/core/tools/writeGuard.ts'
import { ToolFolder, type ToolFolderSetup } from '../../support/toolFolder.ts'

const asked = 'asked: protected'

/** A workspace with tools that write without a question where nothing else is at stake. */
function workspace(setup: ToolFolderSetup = {}) {
  const work = new ToolFolder(setup)
  const tools = work.newTools()
  const write = (path: string) => work.call(tools.write, { path, text: 'x\n' })
  const move = async (from: string, to: string) => {
    await work.call(tools.read, { path: from })
    return work.call(tools.move, { from, to })
  }
  const edit = async (path: string) => {
    await work.call(tools.read, { path })
    return work.call(tools.edit, { path, edits: [{ old_text: 'x', new_text: 'y' }] })
  }
  return Object.assign(work, { tools, write, move, edit })
}

const orders = (paths: readonly string[]): string[][] =>
  paths.length < 2
    ? [[...paths]]
    : paths.flatMap(one => orders(paths.filter(other => other !== one)).map(rest => [one, ...rest]))

describe('a repository of plain files', () => {
  test('[T50] whatever of it comes last is asked about, in one answer or in several', async () => {
    for (const paths of orders(['a/HEAD', 'a/objects/x', 'a/refs/heads/x'])) {
      using work = workspace()
      const calls = paths.map(path => [work.tools.write, { path, text: 'x\n' }] as const)
      const isWritten = (one: string) => one.startsWith('Wrote') || one.startsWith('Created')
      const results = await work.answer(calls)
      assert.deepEqual(
        results.map(one => (isWritten(one) ? 'written' : one)),
        ['written', 'written', asked],
        paths.join(),
      )
      assert.equal(await work.write(paths[2] ?? ''), asked, 'and again, from what is on the disk')
    }
  })

  test('[T50] a configuration beside a HEAD, and a HEAD beside a configuration', async () => {
    using work = workspace({ files: { 'a/HEAD': 'x\n', 'b/config': 'x\n', 'c/objects/x': 'x\n', 'c/refs/x': 'x\n' } })
    for (const path of ['a/config', 'b/HEAD', 'c/config', 'a/commondir'])
      assert.equal(await work.write(path), asked, path)
  })

  test('[T50] a file that is moved makes it as well', async () => {
    using work = workspace({ files: { 'a/objects/x': 'x\n', 'a/refs/x': 'x\n', 'top.txt': 'x\n' } })
    assert.equal(await work.move('top.txt', 'a/HEAD'), asked)
    assert.match(await work.move('top.txt', 'a/head.txt'), /^Moved/)
    using other = workspace({ files: { 'a/HEAD': 'x\n', 'a/objects/x': 'x\n', 'b/x': 'x\n' } })
    assert.equal(await other.move('b/x', 'a/refs/x'), asked)
  })

  test('[T50] everything in one that is there is asked about, with its worktree and by every path to it', async () => {
    const files = { 'a/HEAD': 'x\n', 'a/objects/x': 'x\n', 'a/refs/x': 'x\n', 'a/b/notes.md': 'x\n', 'w/HEAD': 'x\n' }
    using work = workspace({ files: { ...files, 'w/commondir': 'x\n', 'w/notes.md': 'x\n' } })
    symlinkSync(join(work.root, 'a'), join(work.root, 'link'))
    assert.equal(await work.edit('a/b/notes.md'), asked)
    assert.equal(await work.write('a/hooks/pre-commit'), asked)
    assert.equal(await work.edit('w/notes.md'), asked)
    assert.match(await work.write('link/new.md'), /^asked: protected, link/)
  })

  test('[T50] a name of the folder of git, as a file or as a folder', async () => {
    using work = workspace()
    for (const path of ['.git', 'a/.git', 'a/.GIT', 'a/.git/config']) assert.equal(await work.write(path), asked, path)
  })

  test('[T50] the programs of an environment of Python with any name', async () => {
    using work = workspace({ files: { 'env/pyvenv.cfg': 'x\n' } })
    assert.equal(await work.write('env/bin/python'), asked)
    assert.match(await work.write('env/notes.md'), /^(?:Wrote|Created)/)
  })

  test('ordinary folders with some of these names raise no question', async () => {
    using work = workspace({
      files: { 'a/head/x.ts': 'x\n', 'a/config/x.ts': 'x\n', 'b/objects/x': 'x\n', 'b/refs/x': 'x\n' },
    })
    mkdirSync(join(work.root, 'c/HEAD'), { recursive: true })
    for (const path of ['a/head/y.ts', 'a/config/y.ts', 'b/notes.md', 'c/config', 'objects/x', 'refs/x'])
      assert.match(await work.write(path), /^(?:Wrote|Created)/, path)
  })

  test('a worktree of the user in a repository without one raises no question', async () => {
    const files = { HEAD: 'x\n', 'objects/x': 'x\n', 'refs/x': 'x\n', 'main/.git': 'gitdir: x\n' }
    using work = workspace({ files })
    assert.match(await work.write('main/src/a.ts'), /^(?:Wrote|Created)/)
    assert.equal(await work.write('hooks/x'), asked)
    using inside = workspace({ roots: ['main'], files: { HEAD: 'x\n', 'objects/x': 'x\n', 'refs/x': 'x\n' } })
    assert.match(await inside.write('src/a.ts'), /^(?:Wrote|Created)/, 'above the workspace')
  })
})

describe('a workspace that is a protected folder itself', () => {
  test('[T50] in a folder of rules every file is asked about', async () => {
    for (const root of ['.github', '.vscode', '.git', '.git/hooks', '.github/workflows']) {
      using work = workspace({ roots: [root] })
      assert.equal(await work.write('settings.json'), asked, root)
    }
    using hooks = workspace({
      roots: ['bare/hooks'],
      files: { 'bare/HEAD': 'x\n', 'bare/objects/x': '', 'bare/refs/x': '' },
    })
    assert.equal(await hooks.write('x'), asked)
  })

  test('[T50] in the home, and in a folder of it whose name begins with a dot', async () => {
    using work = new ToolFolder({ roots: ['me/.ssh', 'me/code', 'me'] })
    const aim = { resolver: work.resolver, home: join(work.root, 'me') }
    const concerns = async (path: string, options = aim) => {
      mkdirSync(dirname(join(work.root, path)), { recursive: true })
      const verdict = await new WriteGuard(options).judge(work.uri(path), '', '')
      return verdict.is === 'allowed' ? verdict.concerns.map(({ is }) => is) : verdict.problem
    }
    const isAsked = ['me/.ssh/authorized_keys', 'me/.config/autostart/x.desktop']
    isAsked.push('me/Library/Application Support/Code/User/settings.json', 'me/.local/bin/ls')
    for (const path of isAsked) assert.deepEqual(await concerns(path), ['protected'], path)
    assert.deepEqual(await concerns('me/code/src/a.ts'), [])
    symlinkSync(join(work.root, 'me'), join(work.root, 'alias'))
    const byLink = { ...aim, home: join(work.root, 'alias') }
    assert.deepEqual(await concerns('me/.ssh/authorized_keys', byLink), ['protected'], 'a home that is a link')
  })

  test('a project of the user raises no question, wherever it is', async () => {
    for (const root of ['code/app', 'node_modules/app', 'venv/app']) {
      using work = workspace({ roots: [root] })
      assert.match(await work.write('src/a.ts'), /^(?:Wrote|Created)/, root)
    }
    using tree = workspace({ roots: ['.claude/worktrees/a'], files: { '.claude/worktrees/a/.git': 'gitdir: x\n' } })
    assert.match(await tree.write('src/a.ts'), /^(?:Wrote|Created)/)
  })
})
