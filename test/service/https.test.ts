// HTTPS with a certificate authority made at the start, good certificates and bad ones, and the proxy of the tests.
import assert from 'node:assert/strict'
import { request } from 'node:https'
import { connect as connectSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { connect, type SecureVersion } from 'node:tls'
import { certificateKinds } from '../localService/authority.ts'
import { type Service, startService } from '../localService/server.ts'
import { badGateway, ConnectProxy } from '../support/connectProxy.ts'
import { email, type Json } from './caller.ts'
import { RawCaller } from './rawCaller.ts'

interface Call {
  readonly url: string
  readonly ca?: string | undefined
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

interface Answered {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly json: Json
}

/** Names below localhost lead to this machine, as in a browser. */
function call({ url, ca, headers = {}, body }: Call): Promise<Answered> {
  const { hostname, port, pathname } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const trust = ca === undefined ? {} : { ca }
  const target = { host: '127.0.0.1', servername: hostname.replace(/^[\d.]+$/, ''), port, path: pathname, agent: false }
  const method = body === undefined ? 'GET' : 'POST'
  const fields = { host: `${hostname}:${port}`, ...headers }
  const sent = request({ ...target, ...trust, method, headers: fields }, async answer => {
    const words = await text(answer)
    resolve({
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      json: words === '' ? undefined : JSON.parse(words),
    })
  })
  sent.on('error', reject)
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}

const metadata = (service: Service) => `${service.baseUrl}/.well-known/oauth-protected-resource`
const codeOf = (error: Error & { code?: string }) => error.code

test('[program.https] every address is https, and a client that trusts the authority is served', async () => {
  await using service = await startService({ plan: 'pro', https: true })
  const ca = service.authority
  assert.match(ca ?? '', /^-----BEGIN CERTIFICATE-----\n/)
  for (const url of [service.baseUrl, service.authUrl, service.siteUrl, service.controlUrl])
    assert.match(url, /^https:\/\//)
  const resource = await call({ url: metadata(service), ca })
  assert.deepEqual(resource.json.authorization_servers, [service.authUrl])
  const server = await call({ url: `${service.authUrl}/.well-known/oauth-authorization-server`, ca })
  assert.equal(server.json.token_endpoint, `${service.authUrl}/oauth2/token`)
  using page = new RawCaller(service).ask('GET', '/dashboard')
  await page.until(({ isDone }) => isDone)
  assert.match(page.received, /\r\nset-cookie: .*; Secure/i)
  const headers = {
    authorization: `Bearer ${service.state.issueKey(email, 'Test')}`,
    'content-type': 'application/json',
  }
  const body = { model: service.model, messages: [{ role: 'user', content: 'Hi' }] }
  const answer = await call({ url: `${service.baseUrl}/v1/chat/completions`, ca, headers, body })
  assert.equal(answer.status, 200)
  assert.equal(answer.json.object, 'chat.completion')
})

test('[program.https] nobody else is: not without the authority, not with that of another run, not without TLS', async () => {
  await using service = await startService({ https: true })
  await using other = await startService({ https: true })
  const strange = (error: Error) =>
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/.test(codeOf(error) ?? '')
  await assert.rejects(call({ url: metadata(service) }), strange)
  await assert.rejects(call({ url: metadata(service), ca: other.authority }), (error: Error) =>
    /SIGNATURE|UNABLE_TO_VERIFY/.test(codeOf(error) ?? ''),
  )
  await assert.rejects(fetch(metadata(service).replace('https', 'http')))
  assert.equal((await call({ url: metadata(service), ca: service.authority })).status, 200)
  assert.equal(service.log.calls.length, 1, 'no byte of the others was read as a request')
})

suite('[program.bad-certificates] a bad certificate ends the connection before a request', () => {
  const codes = {
    valid: undefined,
    expired: 'CERT_HAS_EXPIRED',
    'not yet valid': 'CERT_NOT_YET_VALID',
    'wrong host': 'ERR_TLS_CERT_ALTNAME_INVALID',
    'self-signed': 'DEPTH_ZERO_SELF_SIGNED_CERT',
  }
  for (const certificate of certificateKinds.filter(kind => kind !== 'valid')) {
    test(certificate, async () => {
      await using service = await startService({ https: { certificate } })
      await assert.rejects(call({ url: metadata(service), ca: service.authority }), { code: codes[certificate] })
      assert.equal(service.log.calls.length, 0)
    })
  }
})

test('[program.https] an old version of TLS can be asked for', async () => {
  const versionOf = async (service: Service, minVersion: SecureVersion) => {
    const { port } = new URL(service.baseUrl)
    const socket = connect({ port: Number(port), host: '127.0.0.1', ca: service.authority ?? '', minVersion })
    const { promise, resolve, reject } = Promise.withResolvers<string | null>()
    socket.once('secureConnect', () => resolve(socket.getProtocol()))
    socket.once('error', reject)
    return promise.finally(() => socket.destroy())
  }
  await using older = await startService({ https: { maxVersion: 'TLSv1.2' } })
  assert.equal(await versionOf(older, 'TLSv1.2'), 'TLSv1.2')
  await using old = await startService({ https: { maxVersion: 'TLSv1.1' } })
  await assert.rejects(versionOf(old, 'TLSv1.2'), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
  assert.equal(old.log.calls.length, 0)
})

test('[program.https] under a public name it is reached through a proxy alone, and answers to no third name', async () => {
  await using service = await startService({ https: true, publicName: 'service.test' })
  await using proxy = await ConnectProxy.start({ to: Number(new URL(service.controlUrl).port), signIn: 'ada:pass' })
  assert.deepEqual([service.baseUrl, service.authUrl], ['https://service.test', 'https://auth.service.test'])
  const through = (url: string, signIn = 'ada:pass') => tunnelled(proxy, url, signIn, service.authority ?? '')
  const resource = await through(metadata(service))
  assert.match(resource, /"resource":"https:\/\/service\.test".*"https:\/\/auth\.service\.test"/)
  assert.match(await through('https://auth.service.test/.well-known/oauth-authorization-server'), /"issuer"/)
  assert.deepEqual(
    proxy.tunnels.map(({ target, isOpen }) => [target, isOpen]),
    [
      ['service.test:443', true],
      ['auth.service.test:443', true],
    ],
  )
  const seen = Buffer.concat(proxy.tunnels.flatMap(({ up, down }) => [...up, ...down])).toString('latin1')
  assert.equal(seen.includes('oauth-protected-resource'), false, 'the proxy cannot read along')
  await assert.rejects(through(metadata(service), ''), /407 Proxy Authentication Required/)
  await assert.rejects(through(metadata(service), 'ada:wrong'), /407/)
  assert.deepEqual(proxy.credentials, ['ada:pass', 'ada:pass', '', 'ada:wrong'])
  await assert.rejects(through('https://evil.test/'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})

test('the proxy of the tests refuses as told, and reports a server that is not there', async () => {
  await using service = await startService()
  const { port } = new URL(service.baseUrl)
  await using proxy = await ConnectProxy.start()
  const asked = () => connected(proxy, `127.0.0.1:${port}`)
  proxy.refuse({ status: 403 })
  assert.match((await asked()).head, /^HTTP\/1\.1 403 Forbidden\r\n/)
  proxy.refuse(badGateway)
  assert.match((await asked()).head, /^HTTP\/1\.1 502 Bad Gateway\r\ncontent-type: text\/html/)
  proxy.refuse()
  const open = await asked()
  assert.match(open.head, /^HTTP\/1\.1 200 /)
  open.socket.destroy()
  await service.close()
  assert.match((await asked()).head, /^HTTP\/1\.1 502 /)
})

test('a proxy that has vanished passes nothing on, not even the end', async () => {
  await using service = await startService()
  const { port } = new URL(service.baseUrl)
  await using proxy = await ConnectProxy.start()
  const { socket } = await connected(proxy, `127.0.0.1:${port}`)
  let received = ''
  let hasEnded = false
  socket.setEncoding('utf8').on('data', chunk => {
    received += chunk
  })
  socket.on('end', () => {
    hasEnded = true
  })
  const ask = () =>
    socket.write(`GET /.well-known/oauth-protected-resource HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`)
  ask()
  await service.log.until(({ durationMs }) => durationMs !== undefined)
  while (!received.includes('}')) await new Promise(resolve => socket.once('data', resolve))
  proxy.halt()
  received = ''
  ask()
  await service.close()
  const again = await connectedSocket(proxy)
  again.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: x\r\n\r\n`)
  while (proxy.tunnels.length < 2) await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual([received, hasEnded, again.bytesRead], ['', false, 0])
  assert.equal(service.log.calls.length, 1)
  again.destroy()
  socket.destroy()
})

function connectedSocket(proxy: ConnectProxy) {
  const socket = connectSocket(proxy.port, '127.0.0.1')
  return new Promise<typeof socket>(resolve => socket.once('connect', () => resolve(socket)))
}

async function connected(proxy: ConnectProxy, target: string, signIn = '') {
  const socket = await connectedSocket(proxy)
  const basic = signIn === '' ? '' : `proxy-authorization: Basic ${Buffer.from(signIn).toString('base64')}\r\n`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${basic}\r\n`)
  const head = await new Promise<string>(resolve => socket.once('data', chunk => resolve(chunk.toString())))
  return { socket, head }
}

/** One GET through a tunnel, as text. */
async function tunnelled(proxy: ConnectProxy, url: string, signIn: string, ca: string): Promise<string> {
  const { hostname, pathname } = new URL(url)
  const { socket, head } = await connected(proxy, `${hostname}:443`, signIn)
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(head)
  const secured = connect({ socket, servername: hostname, ca })
  await new Promise((resolve, reject) => secured.once('secureConnect', resolve).once('error', reject))
  secured.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`)
  return text(secured)
}
