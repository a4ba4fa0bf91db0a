// When a connection is opened ahead of a request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WarmConnection } from '../../../src/core/http/warmConnection.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'

function connectionOf() {
  const clock = new FakeClock()
  const opened: string[] = []
  const log: string[] = []
  const scenario = { address: 'https://a.example' as string | undefined, fault: undefined as Error | undefined }
  const connection = new WarmConnection({
    connect: async url => {
      opened.push(url)
      if (scenario.fault) throw scenario.fault
    },
    address: () => scenario.address,
    clock,
    log: { debug: text => log.push(text) },
  })
  return { connection, clock, opened, log, scenario }
}

test('is looked after once a second while the user types, and at once where one was lost', async () => {
  const { connection, clock, opened } = connectionOf()
  for (let at = 0; at < 10; at++) {
    connection.keep()
    await settled()
    clock.pass(100)
  }
  assert.equal(opened.length, 1)
  connection.keep()
  await settled()
  assert.equal(opened.length, 2)
  connection.renew()
  connection.renew()
  assert.equal(opened.length, 3, 'one at a time')
})

test('is not opened while there is no address that a request could go to', async () => {
  const { connection, opened, scenario } = connectionOf()
  scenario.address = undefined
  connection.keep()
  connection.renew()
  await settled()
  assert.deepEqual(opened, [])
  scenario.address = 'https://b.example'
  connection.keep()
  assert.deepEqual(opened, ['https://b.example'])
})

test('is left for a while after each fault, longer each time, until one opens', async () => {
  const { connection, clock, opened, log, scenario } = connectionOf()
  scenario.fault = new Error('the proxy refuses')
  const attempts: number[] = []
  for (let second = 0; second < 1_200; second++) {
    const before = opened.length
    connection.keep()
    connection.renew()
    await settled()
    if (opened.length > before) attempts.push(second)
    clock.pass(1_000)
  }
  assert.deepEqual(attempts, [0, 10, 30, 70, 150, 310, 610, 910])
  assert.match(log[0] ?? '', /10000 ms.*the proxy refuses/)
  scenario.fault = undefined
  clock.pass(300_000)
  connection.keep()
  await settled()
  scenario.fault = new Error('again')
  connection.renew()
  await settled()
  clock.pass(10_000)
  connection.renew()
  assert.equal(opened.length, attempts.length + 3)
})
