// What a person reads where the proxy is at fault, from real connections to one.
import assert from 'node:assert/strict'
import { createServer as createTlsServer } from 'node:https'
import { test } from 'node:test'
import tls from 'node:tls'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { Authority } from '../../localService/authority.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'
import { bytePeer, closedPort, direct, faultOf, listening, never, Wire } from '../../support/wire.ts'

const { faultNotice } = await withFakeVscode(() => import('../../../src/editor/ui/faultNotice.ts'))

async function noticeThrough(proxy: string, connectMs?: number) {
  using wire = new Wire({ ...direct, proxy }, undefined, connectMs)
  const fault = await faultOf(wire.send({ method: 'GET', url: 'https://service.test/', signal: never }))
  const { text, action } = faultNotice(fault, { service: 'Example Service' })
  return [text, action?.id]
}

const next = "Check the network or the editor's proxy settings, then try again."

test('a proxy that is not there is named, and not the service', async () => {
  const found = await noticeThrough('http://proxy.invalid:8080')
  assert.deepEqual(found, [`Kourier cannot find the proxy proxy.invalid:8080. ${next}`, 'retry'])
  const port = await closedPort()
  const reached = await noticeThrough(`http://127.0.0.1:${port}`)
  assert.deepEqual(reached, [`The proxy 127.0.0.1:${port} cannot be reached. ${next}`, 'retry'])
})

test('a proxy that takes the connection and then nothing comes of it', async () => {
  await using mute = await bytePeer(socket => socket.resume())
  const silent = await noticeThrough(mute.origin, 100)
  assert.deepEqual(silent, [`The proxy 127.0.0.1:${mute.port} did not answer. ${next}`, 'retry'])
  await using closing = await bytePeer(socket => socket.once('data', () => socket.end()))
  const closed = `The proxy 127.0.0.1:${closing.port} closed the connection without an answer. ${next}`
  assert.deepEqual(await noticeThrough(closing.origin), [closed, 'retry'])
})

test('a proxy whose certificate is no good, or that speaks no TLS', async () => {
  const trusted = tls.getCACertificates('default')
  const authority = await Authority.make()
  const server = createTlsServer(await authority.issue([], 'wrong host')).on('tlsClientError', () => {})
  await using between = await listening(server)
  tls.setDefaultCACertificates([...trusted, authority.pem])
  const wrongHost = await noticeThrough(`https://127.0.0.1:${between.port}`)
  tls.setDefaultCACertificates(trusted)
  const wrong = `The proxy 127.0.0.1:${between.port} shows the certificate of another host, so nothing was sent to it. Check the editor's proxy settings.`
  assert.deepEqual(wrongHost, [wrong, 'show-log'])
  await using plain = await bytePeer(socket =>
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  )
  const none = `No secure connection to the proxy 127.0.0.1:${plain.port} could be agreed on, so nothing was sent to it. Check the editor's proxy settings.`
  assert.deepEqual(await noticeThrough(`https://127.0.0.1:${plain.port}`), [none, 'show-log'])
})

test('[R38] a key that was lost is said with the service’s own words', () => {
  const fault = new SignInError('lost', { code: 'invalid_grant', text: 'Handed out already.' })
  const { text, action } = faultNotice(fault, { service: 'Example' })
  const sentence = 'Example may have made a key that was lost on the way (“Handed out already.”).'
  assert.equal(text, `${sentence} Revoke it on the dashboard under API Keys, then sign in again.`)
  assert.equal(action?.id, 'sign-in')
})
