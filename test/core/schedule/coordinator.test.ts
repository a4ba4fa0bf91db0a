// `Coordinator` with windows that break the protocol, leave, and change much at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Coordinator } from '../../../src/core/schedule/coordinator.ts'
import { MAX_REQUESTS_PER_WINDOW } from '../../../src/protocol/slotLimits.ts'
import type { FromCoordinator, ToCoordinator } from '../../../src/protocol/slots.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'

function connected() {
  const clock = new FakeClock()
  const coordinator = new Coordinator(clock)
  const received: FromCoordinator[] = []
  const client = coordinator.connect('alpha', message => received.push(message))
  const ask = (id: number, account = 'a'): ToCoordinator => ({ kind: 'ask', account, id, lane: 'chat', waitedMs: 0 })
  return { clock, coordinator, received, client, ask }
}

test('no window asks for the same twice, for everything, or for everybody at once', () => {
  const { client, ask } = connected()
  client.receive(ask(1))
  assert.throws(() => client.receive(ask(1)), /same request/)
  for (let id = 2; id <= MAX_REQUESTS_PER_WINDOW; id++) client.receive(ask(id))
  assert.throws(() => client.receive(ask(MAX_REQUESTS_PER_WINDOW + 1)), /Too many requests/)
  assert.throws(() => client.receive({ kind: 'hello', pass: '', label: '' }), /second hello/)
  const other = connected()
  for (let at = 0; at < 16; at++) other.client.receive(other.ask(at, `account ${at}`))
  assert.throws(() => other.client.receive(other.ask(16, 'account 16')), /Too many accounts/)
  other.client.receive({ kind: 'leave', account: 'account 3' })
  other.client.receive(other.ask(16, 'account 16'))
})

test('an unknown request is ignored', () => {
  const { client, received } = connected()
  client.receive({ kind: 'end', account: 'a', id: 7, outcome: { is: 'answered' } })
  client.receive({ kind: 'beat' })
  assert.deepEqual(received, [{ kind: 'welcome' }, { kind: 'windows', count: 1 }, { kind: 'beat' }])
})

test('a window is sent nothing about accounts that it has no requests of', async () => {
  const { coordinator, client, received, ask } = connected()
  const others: FromCoordinator[] = []
  const other = coordinator.connect('beta', message => others.push(message))
  other.receive(ask(1, 'b'))
  client.receive(ask(1, 'a'))
  await settled()
  const accounts = (messages: FromCoordinator[]) =>
    messages.flatMap(message => (message.kind === 'line' ? [message.account] : []))
  assert.deepEqual([accounts(received), accounts(others)], [['a'], ['b']])
})

test('a window that disconnects releases all its slots, once', async () => {
  const { clock, coordinator, client, ask } = connected()
  const others: FromCoordinator[] = []
  const other = coordinator.connect('beta', message => others.push(message))
  for (let id = 1; id <= 3; id++) client.receive(ask(id))
  other.receive(ask(1))
  assert.ok(client.isBusy && other.isBusy)
  client.dispose()
  client.dispose()
  await clock.advance(100)
  assert.ok(others.some(({ kind }) => kind === 'grant'))
  const lines = others.flatMap(message => (message.kind === 'line' ? [message] : []))
  assert.deepEqual(
    lines.at(-1)?.holders.map(({ window }) => window),
    ['beta'],
  )
})

test('all changes of one turn are sent as one message', async () => {
  const { received, client, ask } = connected()
  for (let id = 1; id <= 3; id++) client.receive(ask(id))
  await settled()
  assert.equal(received.filter(({ kind }) => kind === 'line').length, 1)
})
