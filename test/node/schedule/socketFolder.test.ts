// What coordinators of killed windows leave behind, with real processes and real sockets.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { SharedSlots } from '../../../src/node/schedule/sharedSlots.ts'
import { clearDeadAddresses, newAddress } from '../../../src/node/schedule/socketFolder.ts'
import { changedEnvironment } from '../../support/changedEnvironment.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { eventually } from '../../support/wire.ts'

const skip = process.platform === 'win32' ? 'there are no folders' : false

/** A temporary folder of this test alone, without the sockets of other coordinators of the machine. */
function ownTemporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-test-'))
  const changed = changedEnvironment({ TMPDIR: folder })
  t.after(() => {
    changed[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** A process that listens where a coordinator would. */
async function listener(t: TestContext): Promise<{ address: string; child: ChildProcess }> {
  const program = `
    import { createServer } from 'node:net'
    import { newAddress } from ${JSON.stringify(import.meta.resolve('../../../src/node/schedule/socketFolder.ts'))}
    const address = newAddress()
    createServer().listen(address, () => process.stdout.write(address))`
  const args = ['--no-warnings', '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const [address] = await once(child.stdout, 'data')
  return { address: String(address), child }
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** So long ago that nobody is still about to listen there. */
const makeOld = (address: string) => utimesSync(address, 1, 1)

test('the folder of a killed process goes, that of a living one or of one that hangs stays', { skip }, async t => {
  ownTemporaryFolder(t)
  const [dead, alive, hung] = await Promise.all([listener(t), listener(t), listener(t)])
  await killed(dead.child)
  hung.child.kill('SIGSTOP')
  for (const { address } of [dead, alive, hung]) makeOld(address)
  await clearDeadAddresses(systemClock)
  const left = [dead, alive, hung].map(({ address }) => existsSync(dirname(address)))
  assert.deepEqual(left, [false, true, true])
})

test('what is young, holds more than a socket, or is no folder of ours stays', { skip }, async t => {
  const folder = ownTemporaryFolder(t)
  const young = await listener(t)
  await killed(young.child)
  const fuller = await listener(t)
  await killed(fuller.child)
  writeFileSync(join(dirname(fuller.address), 'letter'), '')
  const plain = newAddress()
  writeFileSync(plain, 'a file')
  const foreign = join(folder, 'kourier-profile-abcdef', 'desk')
  mkdirSync(dirname(foreign))
  writeFileSync(foreign, '')
  for (const address of [fuller.address, plain, foreign]) makeOld(address)
  await clearDeadAddresses(systemClock)
  const kept = [young.address, join(dirname(fuller.address), 'letter'), plain, foreign]
  assert.deepEqual(kept.map(existsSync), [true, true, true, true])
})

test('the next coordinator of any profile removes what is left of a killed one', { skip }, async t => {
  const folder = ownTemporaryFolder(t)
  const dead = await listener(t)
  await killed(dead.child)
  makeOld(dead.address)
  const log = (text: string) => assert.fail(text)
  const slots = new SharedSlots({ folder: join(folder, 'profile'), label: () => 'alpha', clock: new FakeClock(), log })
  t.after(() => slots.dispose())
  await slots.join({ onMessage: () => {}, onLost: () => {} })
  await eventually('the folder is gone', () => !existsSync(dirname(dead.address)))
  assert.equal(readdirSync(folder).filter(name => name.startsWith('kourier-')).length, 1, 'that of the new coordinator')
})
