// What counts as the same action.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AllowedActions, type PendingCall } from '../../../src/core/tools/approvals.ts'
import { modeOf, modes } from '../../../src/core/tools/modes.ts'
import type { Tool } from '../../../src/core/tools/tool.ts'

const tool = (name: string): Tool => ({
  name,
  description: '',
  parameters: { properties: {} },
  rights: 'run',
  run: async () => ({ content: [] }),
})

const call = (input: PendingCall['input'], more: Partial<PendingCall> = {}): PendingCall => ({
  conversation: 'c',
  turn: 't',
  part: 'p',
  tool: tool('run'),
  input,
  ...more,
})

test('[T55] the same action in any order of its members, in any turn; one character more is another', async () => {
  const allowed = new AllowedActions()
  await allowed.add(call({ command: 'make', cwd: '.' }))
  assert.ok(await allowed.has(call({ cwd: '.', command: 'make' }, { turn: 'u', part: 'q' })))
  for (const other of [
    call({ command: 'make ', cwd: '.' }),
    call({ command: 'make' }),
    call({ command: 'make', cwd: '.', background: false }),
    call({ command: ['make'], cwd: '.' }),
    call({ command: 'make', cwd: '.' }, { tool: tool('write') }),
    call({ command: 'make', cwd: '.' }, { conversation: 'd' }),
  ])
    assert.equal(await allowed.has(other), false)
})

test('no mode allows a command without a question, and an unknown one asks', () => {
  assert.ok(Object.values(modes).every(({ permissions }) => permissions.run !== ('go' as string)))
  for (const id of [undefined, 'anything', 'toString']) assert.equal(modeOf(id), modes.ask)
  assert.equal(modeOf('plan'), modes.plan)
})
