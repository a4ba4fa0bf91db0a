// `FileLease`: taken, renewed, released, expired, and in the way of something else.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { FileLease } from '../../../src/node/files/fileLease.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { eventually } from '../../support/wire.ts'

const expiresMs = 60_000
const renewMs = 10_000

function harness(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-lease-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'not there yet', 'lease')
  const clock = new FakeClock()
  const dead = new Set<number>()
  const open = () => new FileLease({ path, clock, isAlive: id => !dead.has(id), expiresMs, renewMs })
  return { path, clock, dead, open }
}

test('one window has the lease until it releases it', async t => {
  const { path, clock, open } = harness(t)
  const [one, two] = [open(), open()]
  assert.deepEqual([await one.tryTake(), await one.tryTake(), await two.tryTake()], ['mine', 'mine', 'held'])
  assert.deepEqual([await one.isHeld(), await two.isHeld(), await two.isMine()], [true, true, false])
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600)
  await two.release()
  assert.equal(await one.isMine(), true)
  await one.release()
  assert.deepEqual([await one.isHeld(), clock.waiting, await two.tryTake()], [false, 0, 'mine'])
  await two.release()
})

test('a lease that is renewed does not expire, and one that is not does', async t => {
  const { path, clock, open } = harness(t)
  const [one, two] = [open(), open()]
  await one.tryTake()
  await two.isHeld()
  const before = statSync(path).mtimeMs
  await clock.advance(renewMs)
  await eventually('it is renewed', () => statSync(path).mtimeMs !== before)
  clock.pass(expiresMs - renewMs)
  assert.equal(await two.tryTake(), 'held')
  clock.pass(expiresMs)
  assert.equal(await two.tryTake(), 'mine')
  assert.equal(await one.isMine(), false)
  await one.release()
  assert.equal(await two.isMine(), true)
  await two.release()
})

test('the lease of a process that is gone is free at once, except of another machine', async t => {
  const { path, dead, open } = harness(t)
  mkdirSync(join(path, '..'))
  dead.add(77)
  writeFileSync(path, `77 ${hostname()}-not word`)
  assert.equal(await open().tryTake(), 'held')
  writeFileSync(path, `77 ${hostname()} word`)
  const lease = open()
  assert.deepEqual([await lease.isHeld(), await lease.tryTake()], [false, 'mine'])
  assert.deepEqual(readdirSync(join(path, '..')), ['lease'])
  assert.match(readFileSync(path, 'utf8'), new RegExp(`^${process.pid} `))
  await lease.release()
})

test('what cannot be read is not taken for free before it has expired', async t => {
  const { path, clock, open } = harness(t)
  mkdirSync(path, { recursive: true })
  const lease = open()
  assert.deepEqual([await lease.tryTake(), await lease.isHeld()], ['held', true])
  clock.pass(expiresMs)
  assert.equal(await lease.tryTake(), 'mine')
  await lease.release()
})

test('where no file can be made the lease is impossible', async t => {
  const { path, open } = harness(t)
  writeFileSync(join(path, '..'), '')
  assert.equal(await open().tryTake(), 'impossible')
})
