// The file between windows: noticed in time, never half-read, never in anybody's way.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Log } from '../../../src/core/log/log.ts'
import { SignInFile } from '../../../src/node/account/signInFile.ts'
import type { SignInRecord } from '../../../src/protocol/stored.ts'
import { whileTimePasses } from '../../support/diskPace.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { eventually } from '../../support/wire.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-notes-'))
after(() => rmSync(root, { recursive: true }))
const resource = 'https://api.example.com'
let folders = 0

function place() {
  const folder = join(root, String(folders++))
  const clock = new FakeClock()
  const open = () => new SignInFile(folder, clock, new Log())
  return { folder, file: join(folder, 'signIns.json'), clock, open }
}

const noted = (file: SignInFile, note: Omit<SignInRecord, 'at'>) => file.withLock(write => write(note))
const ids = (notes: SignInFile) => notes.all.map(({ id, is }) => `${id} ${is}`)

test('what one window notes, another reads; the newest word of a sign-in counts', async () => {
  const { open, file } = place()
  const [a, b] = [open(), open()]
  await noted(a, { id: 'one', resource, is: 'in' })
  await noted(a, { id: 'two', resource, is: 'in' })
  await noted(b, { id: 'one', resource, is: 'out' })
  await a.read()
  assert.deepEqual(ids(a), ['two in', 'one out'])
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8')).signIns[0]).sort(), [
    'at',
    'id',
    'is',
    'resource',
  ])
})

test('a change is noticed within two seconds even where the system tells nothing', async () => {
  const { open, folder, file, clock } = place()
  mkdirSync(folder)
  const window = open()
  let changes = 0
  window.onDidChange(() => changes++)
  await window.watch()
  const other = open()
  await noted(other, { id: 'one', resource, is: 'in' })
  await clock.advance(2_000)
  await eventually('it is heard', () => changes === 1)
  assert.deepEqual(ids(window), ['one in'])
  rmSync(file)
  await clock.advance(2_000)
  await eventually('its end is heard', () => changes === 2)
  window.dispose()
  assert.equal(clock.waiting, 0)
  await noted(other, { id: 'two', resource, is: 'in' })
  await settled()
  assert.equal(changes, 2)
})

test('the system’s own word is heard at once, without any time passing', async () => {
  const { open } = place()
  const window = open()
  await window.watch()
  const { promise, resolve } = Promise.withResolvers<void>()
  window.onDidChange(resolve)
  await noted(open(), { id: 'one', resource, is: 'in' })
  await promise
  window.dispose()
})

test('a broken file reads as empty and is made whole by the next note', async () => {
  for (const text of ['', '{"version":1,"sig', 'null', '\0\0\0\0', '{"version":1,"signIns":[{}]}']) {
    const { open, folder, file } = place()
    mkdirSync(folder)
    writeFileSync(file, text)
    const window = open()
    assert.deepEqual(await window.read(), [], text)
    await noted(window, { id: 'one', resource, is: 'in' })
    assert.deepEqual(ids(window), ['one in'])
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).version, 1)
  }
})

test('a folder that cannot be written keeps nobody from anything', async () => {
  const { folder, open } = place()
  writeFileSync(folder, 'a file where the folder should be')
  const window = open()
  await window.watch()
  await noted(window, { id: 'one', resource, is: 'in' })
  assert.equal(await window.withLock(async () => 'done'), 'done')
  assert.deepEqual(ids(window), [])
  window.dispose()
})

test('only one window at a time is alone, and all notes of a rush are kept', async () => {
  const { open, folder, clock } = place()
  const windows = Array.from({ length: 8 }, open)
  let inside = 0
  let most = 0
  const rush = windows.map((window, at) =>
    window.withLock(async write => {
      most = Math.max(most, ++inside)
      await settled()
      await write({ id: `id${at}`, resource, is: 'in' })
      inside--
    }),
  )
  await whileTimePasses(Promise.all(rush), clock)
  assert.equal(most, 1)
  const [first] = windows
  assert.equal((await first?.read())?.length, 8)
  assert.deepEqual(readdirSync(folder), ['signIns.json'], 'nothing is left lying about')
})

test('only the last few sign-ins are kept', async () => {
  const { open } = place()
  const window = open()
  for (let at = 0; at < 40; at++) await noted(window, { id: `id${at}`, resource, is: 'out' })
  assert.equal(window.all.length, 32)
  assert.equal(window.all.at(-1)?.id, 'id39')
})

test('[R58] the file of a later version reads as nothing and is not written over', async () => {
  const { open, folder, file } = place()
  const later = JSON.stringify({ version: 2, signIns: { one: 'in' } })
  mkdirSync(folder)
  writeFileSync(file, later)
  const window = open()
  assert.deepEqual(await window.read(), [])
  await noted(window, { id: 'two', resource, is: 'in' })
  assert.equal(readFileSync(file, 'utf8'), later)
  assert.deepEqual(
    readdirSync(folder).filter(name => name !== 'signIns.json'),
    [],
  )
})
