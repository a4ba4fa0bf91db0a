// What the model counts as read when the user renames or deletes files while it works.
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Uri } from 'vscode'
import { Uri as FakeUri, fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { ToolFolder } from '../../support/toolFolder.ts'
import { eventually } from '../../support/wire.ts'

const { followFileNames } = await withFakeVscode(() => import('../../../src/editor/tools/followFileNames.ts'))

const uriOf = (work: ToolFolder, path: string) => FakeUri.parse(work.uri(path)) as unknown as Uri // as: only its text is used
const edit = (path: string, old: string, fresh: string) => ({ path, edits: [{ old_text: old, new_text: fresh }] })

test('[A45] a file that the user renames stays read, one that they delete does not, and nothing else changes', async () => {
  using work = new ToolFolder({ files: { 'a.ts': 'let a = 1\n', 'old/b.ts': 'let b = 1\n', 'c.ts': 'let c = 1\n' } })
  const seen: Promise<void>[] = []
  const following = followFileNames({
    renamed: async (from, to) => void seen.push(work.seen.renamed(from, to)),
    removed: async uri => void seen.push(work.seen.removed(uri)),
  })
  const tools = work.newTools()
  for (const path of ['a.ts', 'old/b.ts', 'c.ts']) await work.call(tools.read, { path })
  await work.call(tools.edit, edit('a.ts', 'a = 1', 'a = 2'))
  const before = await tools.changes.history('c')
  mkdirSync(join(work.root, 'new'))
  for (const [from, to] of [['a.ts', 'new/a.ts'] as const, ['old', 'new/old'] as const]) {
    renameSync(join(work.root, from), join(work.root, to))
    fakeEditor.filesRenamed.fire({ files: [{ oldUri: uriOf(work, from), newUri: uriOf(work, to) }] })
  }
  rmSync(join(work.root, 'c.ts'))
  fakeEditor.filesDeleted.fire({ files: [uriOf(work, 'c.ts')] })
  await eventually('what was seen has followed', () => seen.length === 3)
  await Promise.all(seen)
  assert.deepEqual(await tools.changes.history('c'), before)
  assert.deepEqual(
    ['new/a.ts', 'new/old/b.ts'].map(path => work.text(path)),
    ['let a = 2\n', 'let b = 1\n'],
  )
  work.put('c.ts', 'let c = 1\n')
  assert.match(await work.call(tools.edit, edit('c.ts', 'c = 1', 'c = 2')), /^"c\.ts" was not read in this chat/)
  for (const path of ['new/a.ts', 'new/old/b.ts'])
    assert.match(
      await work.call(tools.edit, edit(path, 'let', 'const')),
      /^Edited/,
      'a part of a line that it has read',
    )
  following.dispose()
  await work.seen.kept()
})
