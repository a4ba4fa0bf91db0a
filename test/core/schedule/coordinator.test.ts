// A desk and windows that do not behave.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Coordinator } from '../../../src/core/schedule/coordinator.ts'
import { type FromCoordinator, MAX_REQUESTS_PER_WINDOW, type ToCoordinator } from '../../../src/protocol/slots.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'

function seated() {
  const clock = new FakeClock()
  const desk = new Coordinator(clock)
  const said: FromCoordinator[] = []
  const place = desk.connect('alpha', message => said.push(message))
  const ask = (id: number, account = 'a'): ToCoordinator => ({ kind: 'ask', account, id, lane: 'chat', waitedMs: 0 })
  return { clock, desk, said, place, ask }
}

test('no window asks for the same twice, for everything, or for everybody at once', () => {
  const { place, ask } = seated()
  place.receive(ask(1))
  assert.throws(() => place.receive(ask(1)), /same request/)
  for (let id = 2; id <= MAX_REQUESTS_PER_WINDOW; id++) place.receive(ask(id))
  assert.throws(() => place.receive(ask(MAX_REQUESTS_PER_WINDOW + 1)), /Too many requests/)
  assert.throws(() => place.receive({ kind: 'hello', pass: '', label: '' }), /second hello/)
  const other = seated()
  for (let at = 0; at < 16; at++) other.place.receive(other.ask(at, `account ${at}`))
  assert.throws(() => other.place.receive(other.ask(16, 'account 16')), /Too many accounts/)
  other.place.receive({ kind: 'leave', account: 'account 3' })
  other.place.receive(other.ask(16, 'account 16'))
})

test('what is unknown is passed over', () => {
  const { place, said } = seated()
  place.receive({ kind: 'end', account: 'a', id: 7, outcome: { is: 'answered' } })
  place.receive({ kind: 'beat' })
  assert.deepEqual(said, [{ kind: 'welcome' }, { kind: 'windows', count: 1 }, { kind: 'beat' }])
})

test('says nothing about accounts that a window has not asked for', async () => {
  const { desk, place, said, ask } = seated()
  const others: FromCoordinator[] = []
  const other = desk.connect('beta', message => others.push(message))
  other.receive(ask(1, 'b'))
  place.receive(ask(1, 'a'))
  await settled()
  const accounts = (heard: FromCoordinator[]) =>
    heard.flatMap(message => (message.kind === 'line' ? [message.account] : []))
  assert.deepEqual([accounts(said), accounts(others)], [['a'], ['b']])
})

test('a window that leaves gives everything back, once', async () => {
  const { clock, desk, place, ask } = seated()
  const others: FromCoordinator[] = []
  const other = desk.connect('beta', message => others.push(message))
  for (let id = 1; id <= 3; id++) place.receive(ask(id))
  other.receive(ask(1))
  assert.ok(place.isBusy && other.isBusy)
  place.dispose()
  place.dispose()
  await clock.advance(100)
  assert.ok(others.some(({ kind }) => kind === 'grant'))
  const lines = others.flatMap(message => (message.kind === 'line' ? [message] : []))
  assert.deepEqual(
    lines.at(-1)?.holders.map(({ window }) => window),
    ['beta'],
  )
})

test('what all windows said within one turn is told once', async () => {
  const { said, place, ask } = seated()
  for (let id = 1; id <= 3; id++) place.receive(ask(id))
  await settled()
  assert.equal(said.filter(({ kind }) => kind === 'line').length, 1)
})
