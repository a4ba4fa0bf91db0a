// Whether the editor has our group of models: only its own word that it is there already counts as such.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Log } from '../../../src/core/log/log.ts'
import { addProviderGroup } from '../../../src/editor/models/providerGroup.ts'

const group = { name: 'Kourier', vendor: 'kourier' }

const adding = async (fault?: unknown) => {
  const added: unknown[] = []
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const isThere = await addProviderGroup(
    async asked => {
      added.push(asked)
      if (fault) throw fault
    },
    group,
    log,
  )
  return { isThere, added, lines }
}

test('a group that the editor takes is there', async () => {
  const { isThere, added } = await adding()
  assert.ok(isThere)
  assert.deepEqual(added, [group])
})

test('so is one that was there before', async () => {
  const fault = new Error('Language model group with name Kourier already exists for vendor kourier')
  assert.ok((await adding(fault)).isThere)
})

test('any other fault is none of that', async () => {
  for (const fault of [new Error('Vendor kourier not found.'), new Error('EACCES: permission denied'), 'no']) {
    const { isThere, lines } = await adding(fault)
    assert.ok(!isThere, String(fault))
    assert.match(lines.join('\n'), /did not take the group.*(not found|EACCES|no)/)
  }
})
