// What a written path may lead to, on a real disk with links of each kind.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PathResolver } from '../../../src/core/workspace/pathResolver.ts'
import { readWrittenPath } from '../../../src/core/workspace/writtenPath.ts'
import { systemPaths } from '../../../src/node/changes/systemPaths.ts'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'resolver-')))
const root = join(top, 'folder')
after(() => rmSync(top, { recursive: true }))
mkdirSync(join(root, 'src'), { recursive: true })
mkdirSync(join(top, 'folder-evil'))
writeFileSync(join(root, 'src/a.ts'), '')
writeFileSync(join(top, 'outside.txt'), '')
symlinkSync(join(top, 'outside.txt'), join(root, 'link.txt'))
symlinkSync(join(top, 'folder-evil'), join(root, 'linked'))
symlinkSync(join(root, 'src'), join(root, 'alias'))
symlinkSync(join(top, 'nowhere'), join(root, 'dangling'))
symlinkSync('loop', join(root, 'loop'))
linkSync(join(top, 'outside.txt'), join(root, 'hard.txt'))
symlinkSync(root, join(top, 'opened'))
execFileSync('mkfifo', [join(root, 'pipe')])

const resolverOf = (folder: string) =>
  new PathResolver({
    roots: () => [{ uri: pathToFileURL(folder).href, name: 'folder', path: folder }],
    disk: systemPaths,
    uriOf: path => pathToFileURL(path).href,
    pathOf: uri => (uri.startsWith('file:') ? fileURLToPath(uri) : undefined),
  })

async function resolved(path: string, folder = root) {
  const resolver = resolverOf(folder)
  const [uri] = resolver.candidates(path)
  if (uri === undefined) return 'refused'
  const found = await resolver.resolve(uri)
  if (found.is === 'refused') return found.problem
  const { isInWorkspace, exists, linkTarget, isHardLinked } = found
  return { path: found.path, isInWorkspace, exists, isLinked: linkTarget !== undefined, isHardLinked }
}

const plain = { isInWorkspace: true, exists: true, isLinked: false, isHardLinked: false }

test('[T40] a path is inside by its real folder, and a name that begins like the folder is not', async () => {
  assert.deepEqual(await resolved('src/a.ts'), { path: 'src/a.ts', ...plain })
  assert.deepEqual(await resolved('./src/../src/a.ts'), { path: 'src/a.ts', ...plain })
  assert.deepEqual(await resolved(join(root, 'src/a.ts')), { path: 'src/a.ts', ...plain })
  assert.deepEqual(await resolved('new/deep/b.ts'), { path: 'new/deep/b.ts', ...plain, exists: false })
  const sibling = await resolved(join(top, 'folder-evil/x'))
  assert.equal(typeof sibling === 'object' && sibling.isInWorkspace, false)
})

test('[T40] [T43] paths of other kinds are refused before any look at the disk', () => {
  const hostile = [
    ...['', '..', '../x', 'a/../../x', '~', '~/x', '~root/x', 'file:///etc/passwd', 'https://a/b', 'vscode:x'],
    ...[
      '//server/share',
      '\\\\server\\share',
      '\\\\?\\C:\\x',
      '\\\\.\\pipe\\x',
      '\\??\\C:\\x',
      '/dev/null',
      '/proc/self/mem',
    ],
    ...[
      'C:x',
      'a/b:stream',
      'PROGRA~1/x',
      'a/nul',
      'a/CON.txt',
      'com1',
      'a./b',
      'a /b',
      'b.',
      'a\u0000b',
      'a\nb',
      'a\u009bb',
    ],
    ...['..%2fx', '%2e%2e/x', 'a%5cb', 'a%00'],
  ]
  for (const path of hostile) assert.equal(readWrittenPath(path).is, 'refused', JSON.stringify(path))
})

test('[T41] a link is followed, also that of a folder below which a file is new', async () => {
  const outside = { isInWorkspace: false, exists: true, isLinked: true }
  assert.deepEqual(await resolved('link.txt'), { path: join(top, 'outside.txt'), ...outside, isHardLinked: true })
  const inLinked = { ...outside, path: join(top, 'folder-evil/new.txt'), exists: false, isHardLinked: false }
  assert.deepEqual(await resolved('linked/new.txt'), inLinked)
  assert.deepEqual(await resolved('alias/a.ts'), { path: 'src/a.ts', ...plain, isLinked: true })
})

test('[T41] a loop, a link to nothing, a folder and a pipe are refused; a second name is reported', async () => {
  assert.equal(await resolved('loop'), 'unreadable')
  assert.equal(await resolved('dangling'), 'unreadable')
  assert.equal(await resolved('dangling/new.txt'), 'unreadable')
  assert.equal(await resolved('src'), 'no file')
  assert.equal(await resolved('pipe'), 'no file')
  assert.deepEqual(await resolved('hard.txt'), { path: 'hard.txt', ...plain, isHardLinked: true })
})

test('a folder that was itself opened by a link is the workspace', async () => {
  assert.deepEqual(await resolved('src/a.ts', join(top, 'opened')), { path: 'src/a.ts', ...plain })
})

test('a virtual folder contains what is below its address', async () => {
  const resolver = new PathResolver({
    roots: () => [{ uri: 'vscode-vfs://github/a/b', name: 'b', path: undefined }],
    disk: systemPaths,
    uriOf: path => `vscode-vfs://github${path}`,
    pathOf: () => undefined,
  })
  const isInside = async (uri: string) => {
    const found = await resolver.resolve(uri)
    return found.is === 'file' && found.isInWorkspace
  }
  assert.equal(await isInside('vscode-vfs://github/a/b/src/x.ts'), true)
  assert.equal(await isInside('vscode-vfs://github/a/b-evil/x.ts'), false)
  assert.equal(await isInside('vscode-vfs://other/a/b/x.ts'), false)
  assert.equal(await isInside('vscode-vfs://github/a/b/%2e%2e/x.ts'), false)
})

test('a file of a virtual folder has the address that the editor writes, also where the file system has no hosts', async () => {
  for (const root of ['memfs:/work', 'vscode-vfs://github/a/b']) {
    const resolver = new PathResolver({
      roots: () => [{ uri: root, name: 'w', path: undefined }],
      disk: systemPaths,
      uriOf: path => `file://${path}`,
      pathOf: () => undefined,
    })
    for (const [path, written] of [
      ['app/(shop)/a.ts', 'app/%28shop%29/a.ts'],
      ["it's *new*!.md", 'it%27s%20%2Anew%2A%21.md'],
      ['50% über #1?.txt', '50%25%20%C3%BCber%20%231%3F.txt'],
    ] as const) {
      assert.deepEqual(resolver.candidates(path), [`${root}/${written}`])
      const found = await resolver.resolve(`${root}/${written}`)
      assert.ok(found.is === 'file' && found.isInWorkspace)
      assert.equal(found.path, path)
    }
    assert.equal((await resolver.resolve(`${root}/%2e%2e/x.ts`)).is, 'refused')
    assert.equal((await resolver.resolve(`${root}/../x.ts`)).is, 'refused')
  }
})
