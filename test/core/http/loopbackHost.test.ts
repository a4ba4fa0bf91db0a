// Which names mean this very machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackHost } from '../../../src/core/http/loopbackHost.ts'

const ours = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'auth.localhost',
  'a.b.localhost.',
  '127.0.0.1',
  '127.8.9.10',
  '[::1]',
]
const others = ['localhost.example.com', 'notlocalhost', '127.0.0.1.example.com', '0.0.0.0', '[::]', '128.0.0.1', '']
const strange = ['[::ffff:127.0.0.1]', '10.0.0.1', '169.254.169.254', '.localhost.evil', '1127.0.0.1']

test('this machine, by name and by number', () => {
  for (const host of ours) assert.ok(isLoopbackHost(host), host)
})

test('no other machine, however alike it looks', () => {
  for (const host of [...others, ...strange]) assert.ok(!isLoopbackHost(host), host)
})

test('however a number is written, the address makes it canonical first', () => {
  for (const written of ['http://2130706433', 'http://0x7f.1', 'http://127.1', 'http://[0:0:0:0:0:0:0:1]']) {
    assert.ok(isLoopbackHost(new URL(written).hostname), written)
  }
})
