// The names under which the service answers, with and without a port.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesAt, isOwnHost } from '../localService/addresses.ts'

const plain = { https: false, publicName: undefined }

test('a port that the scheme has anyway is named neither in an address nor by clients', () => {
  const http = addressesAt(80, plain)
  assert.deepEqual([http.baseUrl, http.authUrl], ['http://127.0.0.1', 'http://auth.localhost'])
  assert.equal(addressesAt(443, { ...plain, https: true }).baseUrl, 'https://127.0.0.1')
  for (const host of ['127.0.0.1', 'auth.localhost', '[::1]', 'localhost:80']) assert.ok(isOwnHost(host, http), host)
  for (const host of ['evil.test', 'localhost:443', 'auth.localhost:8080', '']) assert.ok(!isOwnHost(host, http), host)
})

test('any other port is named by both', () => {
  const other = addressesAt(8080, plain)
  assert.equal(other.baseUrl, 'http://127.0.0.1:8080')
  for (const host of ['127.0.0.1:8080', 'auth.localhost:8080', '[::1]:8080']) assert.ok(isOwnHost(host, other), host)
  for (const host of ['127.0.0.1', '127.0.0.1:80', 'localhost.evil.test:8080']) assert.ok(!isOwnHost(host, other), host)
})
