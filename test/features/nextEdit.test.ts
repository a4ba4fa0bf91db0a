// Tab where the next edit has just gone.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { ExtensionContext } from 'vscode'
import type { Services } from '../../src/features/services.ts'
import { fakeEditor, withFakeVscode } from '../support/fakeVscode.ts'

const { startNextEdit } = await withFakeVscode(() => import('../../src/features/nextEdit.ts'))

// The hooks are those of this file alone, although it shares its process with others.
describe('the next edit', () => {
  afterEach(() => fakeEditor.reset())

  test('Tab is the usual key where there is no next edit any more', async () => {
    const faults: unknown[] = []
    const services = { report: (fault: unknown) => faults.push(fault), settings: { get: () => true } }
    // as: what is used of them while nothing is loaded
    const started = startNextEdit(services as unknown as Services, {} as unknown as ExtensionContext)
    await fakeEditor.commands.get('kourier.takeNextEdit')?.()
    assert.deepEqual(
      fakeEditor.interactions.map(one => one.kind === 'command' && one.id),
      ['tab'],
    )
    assert.deepEqual(faults, [])
    started.dispose()
  })
})
