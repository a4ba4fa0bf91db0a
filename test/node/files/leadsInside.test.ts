// A path stays in its folder through all links, or it leads nowhere.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { leadsInside } from '../../../src/node/files/leadsInside.ts'

const base = mkdtempSync(join(tmpdir(), 'kourier-inside-'))
const folder = join(base, 'folder')
mkdirSync(join(folder, 'src'), { recursive: true })
mkdirSync(join(base, 'folder-beside'))
writeFileSync(join(folder, 'src', 'a.ts'), '')
writeFileSync(join(base, 'folder-beside', 'b.ts'), '')
const link = (target: string, name: string) => symlinkSync(target, join(folder, name))
link('src', 'inner')
link(join(base, 'folder-beside'), 'outer')
link('../folder-beside/b.ts', 'b.ts')
link('loop', 'loop')
link('outer', 'chain')
after(() => rmSync(base, { recursive: true }))

test('files and links inside', async () => {
  for (const path of ['src/a.ts', 'inner/a.ts']) assert.equal(await leadsInside(folder, path), true, path)
})

test('[T41] what is missing, leads out or around', async () => {
  const paths = ['src/none.ts', 'outer/b.ts', 'b.ts', 'chain/b.ts', 'loop', 'loop/a.ts', 'src/a.ts/x']
  for (const path of paths) assert.equal(await leadsInside(folder, path), false, path)
  assert.equal(await leadsInside(join(base, 'none'), 'a.ts'), false)
})
