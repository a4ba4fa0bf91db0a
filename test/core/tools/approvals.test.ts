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

const call = (remembered: string | undefined, more: Partial<PendingCall> = {}): PendingCall => ({
  conversation: 'c',
  turn: 't',
  answer: 'p',
  part: 'p',
  tool: tool('run'),
  input: {},
  prepared: { is: 'ready', concerns: [], ...(remembered !== undefined && { remembered }) },
  ...more,
})

test('[T55] the same action in any turn; one character more, another tool or conversation is another', async () => {
  const allowed = new AllowedActions()
  await allowed.add(call('make'))
  assert.ok(await allowed.has(call('make', { turn: 'u', part: 'q' })))
  for (const other of [
    call('make '),
    call(undefined),
    call('make', { tool: tool('write') }),
    call('make', { conversation: 'd' }),
  ])
    assert.equal(await allowed.has(other), false)
})

test('what a tool does not name for a whole conversation is asked about each time', async () => {
  const allowed = new AllowedActions()
  await allowed.add(call(undefined))
  assert.equal(await allowed.has(call(undefined)), false)
})

test('[A61] no mode allows a command without a question, and an unknown one asks', () => {
  const free = Object.values(modes).filter(({ permissions }) => permissions.run === ('go' as string))
  assert.deepEqual(free, [modes.sandbox], 'which runs only what the sandbox holds')
  for (const id of [undefined, 'anything', 'toString']) assert.equal(modeOf(id), modes.ask)
  assert.equal(modeOf('plan'), modes.plan)
})
