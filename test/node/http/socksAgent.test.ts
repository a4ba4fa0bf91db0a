// Requests through a real SOCKS5 proxy, to http and https, and the fault where it refuses.
import assert from 'node:assert/strict'
import { createServer as createTlsServer } from 'node:https'
import { test } from 'node:test'
import tls from 'node:tls'
import { readText } from '../../../src/core/http/body.ts'
import { TransportError } from '../../../src/core/http/errors.ts'
import { Authority } from '../../localService/authority.ts'
import { SocksProxy, type SocksProxyOptions } from '../../support/socksProxy.ts'
import { bytePeer, closedPort, direct, faultOf, listening, never, peer, Wire } from '../../support/wire.ts'

const get = (url: string) => ({ method: 'GET', url, signal: never }) as const

async function refusedBy(options: Omit<SocksProxyOptions, 'to'>, scheme = 'socks5://'): Promise<TransportError> {
  await using proxy = await SocksProxy.start({ ...options, to: 1 })
  return await refusedAt(`${scheme}${proxy.host}`)
}

async function refusedAt(address: string, connectMs?: number): Promise<TransportError> {
  using wire = new Wire({ ...direct, proxy: address }, undefined, connectMs)
  const fault = await faultOf(wire.send(get('https://service.test/')))
  assert.ok(fault instanceof TransportError, String(fault))
  assert.equal(fault.wasSent, false)
  return fault
}

test('the proxy looks up the name, and its connections are used again', async () => {
  await using server = await peer((_, outgoing) => outgoing.end('through'))
  for (const scheme of ['socks5', 'socks5h']) {
    await using proxy = await SocksProxy.start({ to: server.port })
    using wire = new Wire({ ...direct, proxy: `${scheme}://${proxy.host}` })
    for (let times = 0; times < 5; times++)
      assert.equal(await readText(await wire.send(get('http://service.test/')), 100), 'through')
    assert.deepEqual(proxy.asked[0], { target: 'service.test:80', type: 'name' })
    assert.ok(proxy.asked.length < 5, 'a connection is used again')
  }
})

test('an answer that ends with its connection is read to its end', async () => {
  const text = 'x'.repeat(200_000)
  await using server = await bytePeer(socket =>
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${text}`)),
  )
  await using proxy = await SocksProxy.start({ to: server.port })
  using wire = new Wire({ ...direct, proxy: `socks5://${proxy.host}` })
  assert.equal(await readText(await wire.send(get('http://service.test/')), 1_000_000), text)
})

test('inside the tunnel https is as without one: the host proves who it is', async () => {
  const trusted = tls.getCACertificates('default')
  const authority = await Authority.make()
  const server = createTlsServer(await authority.issue(['service.test'], 'valid'), (_, outgoing) =>
    outgoing.end('safe'),
  )
  await using secure = await listening(server.on('tlsClientError', () => {}))
  await using proxy = await SocksProxy.start({ to: secure.port, signIn: 'ada@x:s%cret' })
  using wire = new Wire({ ...direct, proxy: `socks5://ada%40x:s%25cret@${proxy.host}` })
  const untrusted = await faultOf(wire.send(get('https://service.test/')))
  assert.ok(untrusted instanceof TransportError && untrusted.why === 'certificate' && !untrusted.isProxyFault)
  tls.setDefaultCACertificates([...trusted, authority.pem])
  try {
    assert.equal(await readText(await wire.send(get('https://service.test/')), 100), 'safe')
  } finally {
    tls.setDefaultCACertificates(trusted)
  }
  assert.ok(proxy.credentials.every(credentials => credentials === 'ada@x:s%cret'))
})

test('a proxy that wants a sign-in, or another one, says so', async () => {
  assert.equal((await refusedBy({ signIn: 'ada:secret' })).why, 'proxy sign-in')
  const wrong = await refusedBy({ signIn: 'ada:secret' }, 'socks5://ada:wrong@')
  assert.deepEqual([wrong.why, wrong.isProxyFault], ['proxy sign-in', false])
})

test('a proxy that opens no tunnel is named', async () => {
  for (const reply of [1, 2, 4, 5]) {
    const { why, isProxyFault, proxy } = await refusedBy({ reply })
    assert.deepEqual([why, isProxyFault], ['proxy', false], String(reply))
    assert.match(proxy ?? '', /^127\.0\.0\.1:\d+$/)
  }
})

test('a proxy that is not there, hangs up, speaks otherwise or says nothing is at fault itself', async () => {
  const gone = await refusedAt(`socks5://127.0.0.1:${await closedPort()}`)
  assert.deepEqual([gone.why, gone.isProxyFault], ['refused', true])
  const hung = await refusedBy({ hangsUp: true })
  assert.deepEqual([hung.why, hung.isProxyFault], ['reset', true])
  await using web = await bytePeer(socket => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
  const other = await refusedAt(`socks5://127.0.0.1:${web.port}`)
  assert.deepEqual([other.why, other.isProxyFault], ['reset', true])
  await using mute = await bytePeer(socket => socket.resume())
  const silent = await refusedAt(`socks5://127.0.0.1:${mute.port}`, 100)
  assert.deepEqual([silent.why, silent.isProxyFault], ['connect timeout', true])
})
