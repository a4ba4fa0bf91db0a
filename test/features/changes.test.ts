// What is kept of files for the undo of changes follows the chats that are stored.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FakeClock } from '../support/fakeClock.ts'
import { credential, extensionContext } from './extensionContext.ts'
import { fakeEditor } from './recordedEditor.ts'
import { createServices } from './recordedFeatures.ts'

test('[A43] a window that uses changes removes what was kept for chats that are gone, unless it knows of no chat', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-changes-'))
  const [chats, kept] = [join(folder, 'conversations'), join(folder, 'workspace', 'changes')]
  const isKept = (name: string) => existsSync(join(kept, name))
  const openWindow = async () => {
    fakeEditor.reset()
    const services = createServices(extensionContext({ folder, credential }), new FakeClock())
    await services.changeServices()
    services.dispose()
    await services.end()
  }
  for (const path of [chats, kept]) mkdirSync(path, { recursive: true })
  for (const name of ['here.jsonl', 'here.seen', 'gone.jsonl', 'gone.seen']) writeFileSync(join(kept, name), '')
  await openWindow()
  assert.ok(isKept('gone.jsonl'), 'the folder of chats may be out of reach')
  writeFileSync(join(chats, 'here.jsonl'), '')
  await openWindow()
  assert.deepEqual(['here.jsonl', 'here.seen', 'gone.jsonl', 'gone.seen'].map(isKept), [true, true, false, false])
  rmSync(folder, { recursive: true, force: true })
})
