// A command that fails is reported, and its caller learns nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { registerCommands } = await withFakeVscode(() => import('../../../src/editor/ui/commands.ts'))

test('a command that fails, at once or later, is reported; the caller gets no value', async () => {
  const atOnce = new Error('at once')
  const later = new Error('later')
  const reported: unknown[] = []
  const registered = registerCommands(
    {
      'kourier.newChat': () => {
        throw atOnce
      },
      'kourier.openChat': async () => {
        await Promise.resolve()
        throw later
      },
      'kourier.showLog': () => 'a value',
    },
    fault => reported.push(fault),
  )
  assert.deepEqual([...fakeEditor.commands.keys()], ['kourier.newChat', 'kourier.openChat', 'kourier.showLog'])
  for (const run of fakeEditor.commands.values()) assert.equal(await run(), undefined)
  assert.deepEqual(reported, [atOnce, later])
  registered.dispose()
  assert.equal(fakeEditor.commands.size, 0)
})
