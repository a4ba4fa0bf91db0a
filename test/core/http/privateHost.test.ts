// Which hosts stand in this machine or in the network around it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateHost } from '../../../src/core/http/privateHost.ts'

const hostOf = (host: string) => new URL(`https://${host}`).hostname

test('numbers of networks that nobody reaches from outside', () => {
  const hosts = [
    ...['localhost', 'x.localhost', '127.0.0.1', '2130706433', '0x7f.1', '0.0.0.0', '10.1.2.3', '172.31.255.255'],
    ...['192.168.0.1', '169.254.169.254', '100.64.0.1', '[::]', '[::1]', '[fd00::1]', '[fe80::1]'],
    ...['[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]'],
  ]
  for (const host of hosts) assert.ok(isPrivateHost(hostOf(host)), host)
})

test('names, and numbers of the world', () => {
  for (const host of ['example.com', '10.example.com', '8.8.8.8', '172.32.0.1', '[2606:4700::1]', '[::ffff:8.8.8.8]']) {
    assert.ok(!isPrivateHost(hostOf(host)), host)
  }
})
