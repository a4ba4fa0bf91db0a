// The one door to the network, against real sockets.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import process from 'node:process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { AbortedError, isAbort } from '../../../src/base/abort.ts'
import { readText, throwUnlessOk } from '../../../src/core/http/body.ts'
import { ContractError, TooLargeError, TransportError } from '../../../src/core/http/errors.ts'
import type { HttpRequest } from '../../../src/core/http/http.ts'
import { badGateway, ConnectProxy } from '../../support/connectProxy.ts'
import { settled } from '../../support/fakeClock.ts'
import { selfSigned } from '../../support/selfSigned.ts'
import { SocksProxy } from '../../support/socksProxy.ts'
import {
  bodyOf,
  bytePeer,
  closedPort,
  direct,
  eventually,
  faultOf,
  listening,
  never,
  peer,
  Wire,
} from '../../support/wire.ts'

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  signal: never,
  ...more,
})

async function transportFault(promise: Promise<unknown>): Promise<[string, string]> {
  const fault = await faultOf(promise)
  assert.ok(fault instanceof TransportError, String(fault))
  return [fault.where, fault.why]
}

test('sends what it is given and gives what came', async () => {
  using wire = new Wire()
  let received = ''
  await using server = await peer(async (incoming, outgoing) => {
    received = `${incoming.headers['x-own']} ${incoming.headers['host']} ${await bodyOf(incoming)}`
    outgoing.writeHead(
      201,
      [
        ['X-Twice', 'a'],
        ['X-Twice', 'b'],
      ].flat(),
    )
    outgoing.end('answer')
  })
  const request = { method: 'POST', headers: { 'x-own': 'yes' }, body: 'question' } as const
  const answer = await wire.send({ ...get(`${server.origin}/a?b=c`), ...request })
  assert.equal(await readText(answer, 100), 'answer')
  assert.deepEqual(server.asked, ['POST /a?b=c'])
  assert.equal(received, `yes 127.0.0.1:${server.port} question`)
  assert.deepEqual([answer.status, answer.headers['x-twice']], [201, 'a, b'])
  assert.equal(wire.clock.waiting, 0, 'no timer is left')
})

test('names below localhost are this machine', async () => {
  using wire = new Wire()
  await using server = await peer((incoming, outgoing) => outgoing.end(incoming.headers.host))
  const answer = await wire.send(get(`http://auth.localhost:${server.port}/`))
  assert.equal(await readText(answer, 100), `auth.localhost:${server.port}`)
})

test('an unknown name, a closed port, a reset: each is named', async () => {
  using wire = new Wire()
  await using resetting = await bytePeer(socket => socket.resetAndDestroy())
  await using closing = await bytePeer(socket => socket.once('data', () => socket.end()))
  assert.deepEqual(await transportFault(wire.send(get('http://kourier.invalid/'))), [
    'before sending',
    'name not found',
  ])
  const port = await closedPort()
  assert.deepEqual(await transportFault(wire.send(get(`http://127.0.0.1:${port}/`))), ['before sending', 'refused'])
  assert.deepEqual(await transportFault(wire.send(get(resetting.origin))), ['while waiting', 'reset'])
  assert.deepEqual(await transportFault(wire.send(get(closing.origin))), ['while waiting', 'reset'])
  assert.equal(wire.clock.waiting, 0)
})

test('an answer that breaks off gives what came and then says so', async () => {
  using wire = new Wire()
  const begin = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'
  for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
    await using server = await bytePeer(socket => socket.once('data', () => socket.write(begin, () => socket[end]())))
    const answer = await wire.send(get(server.origin))
    let seen = ''
    const reading = async () => {
      for await (const chunk of answer.body) seen += new TextDecoder().decode(chunk)
    }
    assert.deepEqual(await transportFault(reading()), ['during the answer', 'reset'])
    if (end === 'end') assert.equal(seen, 'half')
  }
})

test('what is no HTTP is no answer', async () => {
  using wire = new Wire()
  await using server = await bytePeer(socket => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9\r\n\r\n')))
  assert.deepEqual(await transportFault(wire.send(get(server.origin))), ['while waiting', 'reset'])
})

const limits = { firstByteMs: 20_000, silenceMs: 5_000 }

test('a peer that never answers is given up after its limit, and its connection closed', async () => {
  using wire = new Wire()
  const gone = Promise.withResolvers<void>()
  await using server = await peer(incoming => incoming.socket.on('close', () => gone.resolve()))
  const fault = transportFault(wire.send(get(server.origin, { limits })))
  await eventually('the request arrived', () => server.asked.length === 1)
  await wire.clock.advance(19_999)
  assert.equal(wire.clock.waiting, 1)
  await wire.clock.advance(1)
  assert.deepEqual(await fault, ['while waiting', 'first byte timeout'])
  await gone.promise
})

test('any byte is life; silence after it is counted anew', async () => {
  using wire = new Wire()
  const gone = Promise.withResolvers<void>()
  let write: (text: string) => void = () => {}
  await using server = await peer((_, outgoing) => {
    outgoing.on('close', () => gone.resolve())
    write = text => outgoing.write(text)
    outgoing.flushHeaders()
  })
  const answer = await wire.send(get(server.origin, { limits }))
  let seen = ''
  const reading = transportFault(
    (async () => {
      for await (const chunk of answer.body) seen += new TextDecoder().decode(chunk)
    })(),
  )
  for (const sign of [':', '\n', ':', '\n']) {
    await wire.clock.advance(4_999)
    const before = seen.length
    write(sign)
    await eventually('the byte came', () => seen.length > before)
  }
  await settled()
  await wire.clock.advance(5_000)
  assert.deepEqual(await reading, ['during the answer', 'silence'])
  assert.equal(seen, ':\n:\n')
  await gone.promise
})

/** An answer under way, whose peer sends what a test asks for. */
async function underWay(wire: Wire) {
  let write: (text: string) => void = () => {}
  const server = await peer((_, outgoing) => {
    write = text => outgoing.write(text)
    write('a')
  })
  const answer = await wire.send(get(server.origin))
  let seen = ''
  const reading = transportFault(
    (async () => {
      for await (const chunk of answer.body) seen += new TextDecoder().decode(chunk)
    })(),
  )
  const send = async (text: string) => {
    write(text)
    await eventually('it arrived', () => seen.endsWith(text))
    await settled()
  }
  await eventually('the first byte came', () => seen === 'a')
  return { server, reading, send, seen: () => seen }
}

test('[R35] a peer that says nothing after the machine slept is given up within 5 s', async () => {
  using wire = new Wire()
  const { server, reading, seen } = await underWay(wire)
  await using _ = server
  await wire.clock.advance(500)
  wire.clock.sleep(60 * 60_000)
  await wire.clock.advance(5_000)
  assert.deepEqual(await reading, ['during the answer', 'asleep'])
  assert.equal(seen(), 'a')
  assert.equal(wire.clock.waiting, 0)
})

test('[R35] a peer that goes on after the machine slept is as patient a case as any other', async () => {
  using wire = new Wire()
  const { server, reading, send } = await underWay(wire)
  await using _ = server
  wire.clock.sleep(60_000)
  await wire.clock.advance(2_000)
  await send('b')
  await wire.clock.advance(299_000)
  await send('c')
  await wire.clock.advance(300_000)
  assert.deepEqual(await reading, ['during the answer', 'silence'])
})

test('[R35] a request that slept before its answer is given up, and may be repeated', async () => {
  using wire = new Wire()
  await using server = await peer(() => {})
  const fault = transportFault(wire.send(get(server.origin)))
  await eventually('the request arrived', () => server.asked.length === 1)
  wire.clock.sleep(10 * 60_000)
  await wire.clock.advance(5_000)
  assert.deepEqual(await fault, ['while waiting', 'asleep'])
})

test('a wall clock set back, or a machine that is busy for a moment, is no sleep', async () => {
  using wire = new Wire()
  await using server = await peer(() => {})
  const fault = transportFault(wire.send(get(server.origin, { limits })))
  await eventually('the request arrived', () => server.asked.length === 1)
  wire.clock.sleep(-60 * 60_000)
  await wire.clock.advance(2_000)
  wire.clock.sleep(4_000)
  await wire.clock.advance(17_999)
  assert.equal(wire.clock.waiting, 1)
  await wire.clock.advance(1)
  assert.deepEqual(await fault, ['while waiting', 'first byte timeout'])
})

test('[R35] a process that was at work itself for all that time did not sleep', async () => {
  using wire = new Wire()
  await using server = await peer(() => {})
  const fault = transportFault(wire.send(get(server.origin, { limits })))
  await eventually('the request arrived', () => server.asked.length === 1)
  const before = process.cpuUsage()
  const worked = () => {
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  while (worked() < 500_000);
  wire.clock.pass(6_400)
  await wire.clock.advance(13_599)
  assert.equal(wire.clock.waiting, 1)
  await wire.clock.advance(1)
  assert.deepEqual(await fault, ['while waiting', 'first byte timeout'])
})

test('a reader that takes its time is not the peer’s silence', async () => {
  using wire = new Wire()
  await using server = await peer((_, outgoing) => {
    outgoing.write('a')
    outgoing.end('b')
  })
  const answer = await wire.send(get(server.origin, { limits }))
  let seen = ''
  for await (const chunk of answer.body) {
    seen += new TextDecoder().decode(chunk)
    await wire.clock.advance(60_000)
  }
  assert.equal(seen, 'ab')
})

test('a stop closes the connection at once, and its reason is thrown as it is', async t => {
  using wire = new Wire()
  let gone = Promise.withResolvers<void>()
  await using server = await peer((incoming, outgoing) => {
    outgoing.on('close', () => gone.resolve())
    if (incoming.url === '/body') outgoing.write('half')
  })
  for (const path of ['/silent', '/body']) {
    await t.test(path, async () => {
      gone = Promise.withResolvers()
      const stop = new AbortController()
      const reason = new AbortedError('the user')
      const whole = async () => readText(await wire.send(get(server.origin + path, { signal: stop.signal })), 100)
      const fault = faultOf(whole())
      await eventually('the request arrived', () => server.asked.includes(`GET ${path}`))
      await settled()
      stop.abort(reason)
      assert.equal(await fault, reason)
      await gone.promise
      assert.equal(wire.clock.waiting, 0)
    })
  }
  await t.test('before anything was sent', async () => {
    const asked = server.asked.length
    assert.ok(isAbort(await faultOf(wire.send(get(server.origin, { signal: AbortSignal.abort(new AbortedError()) })))))
    assert.equal(server.asked.length, asked)
  })
})

test('a stop does not wait for a connection that is being made', async () => {
  using wire = new Wire()
  let isMet = false
  await using mute = await bytePeer(socket => {
    socket.once('data', () => {
      isMet = true
    })
  })
  const stop = new AbortController()
  const reason = new AbortedError('the user')
  let rejection: unknown
  wire.send(get(`https://127.0.0.1:${mute.port}/`, { signal: stop.signal })).catch(fault => {
    rejection = fault
  })
  await eventually('the connection is begun', () => isMet)
  stop.abort(reason)
  await eventually('the stop is heard', () => rejection !== undefined)
  assert.equal(rejection, reason)
  assert.equal(wire.clock.waiting, 0)
})

test('an answer that is let go closes its connection, read or not', async () => {
  using wire = new Wire()
  let gone = Promise.withResolvers<void>()
  await using server = await peer((_, outgoing) => {
    outgoing.on('close', () => gone.resolve())
    outgoing.write('half')
  })
  const unread = await wire.send(get(server.origin))
  unread.close()
  await gone.promise
  gone = Promise.withResolvers()
  const halfRead = await wire.send(get(server.origin))
  for await (const _ of halfRead.body) break
  await gone.promise
  assert.equal(wire.clock.waiting, 0)
})

test('a redirect is not followed, whatever was sent, and its target hears nothing', async t => {
  using wire = new Wire()
  await using canary = await peer((_, outgoing) => outgoing.end('thanks'))
  await using server = await peer((incoming, outgoing) => {
    outgoing.writeHead(Number(incoming.url?.slice(1)), { location: `${canary.origin}/steal` })
    outgoing.end()
  })
  const sent: readonly [string, Partial<HttpRequest>][] = [
    ['a key', { headers: { authorization: 'Bearer sk-bf-canary' } }],
    ['a form', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'token=sk' }],
    ['an email', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"login_hint":"a@b.cd"}' }],
  ]
  for (const status of [301, 302, 303, 307, 308]) {
    for (const [name, more] of sent) {
      await t.test(`${status} for ${name}`, async () => {
        const answer = await wire.send(get(`${server.origin}/${status}`, more))
        assert.equal(answer.status, status)
        const fault = await faultOf(throwUnlessOk(answer, wire.clock))
        assert.ok(fault instanceof ContractError && fault.what === 'redirect')
        assert.ok(fault.message.includes(new URL(canary.origin).host))
      })
    }
  }
  assert.deepEqual(canary.asked, [])
})

test('[T70] headers without end are given up', async () => {
  using wire = new Wire()
  const gone = Promise.withResolvers<void>()
  await using server = await bytePeer(socket => {
    socket.on('close', () => gone.resolve())
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(1024 * 1024)}\r\n\r\n`))
  })
  const fault = await faultOf(wire.send(get(server.origin)))
  assert.ok(fault instanceof TooLargeError, String(fault))
  await gone.promise
})

test('[T70] a body without end is given up, and its connection closed', async () => {
  using wire = new Wire()
  const gone = Promise.withResolvers<void>()
  await using server = await peer((_, outgoing) => {
    outgoing.on('close', () => gone.resolve())
    const more = () => {
      while (!outgoing.destroyed && outgoing.write('x'.repeat(16_384)));
    }
    outgoing.on('drain', more)
    more()
  })
  assert.ok((await faultOf(readText(await wire.send(get(server.origin)), 100_000))) instanceof TooLargeError)
  await gone.promise
})

test('[T72] a header that would break out of its line is not sent', async () => {
  using wire = new Wire()
  await using server = await peer((_, outgoing) => outgoing.end())
  const fault = await faultOf(wire.send(get(server.origin, { headers: { 'x-a': 'b\r\nx-evil: 1' } })))
  assert.ok(!(fault instanceof TransportError), 'it is our mistake, not the network’s')
  assert.deepEqual(server.asked, [])
})

test('a certificate that nobody vouched for ends the connection before anything is sent', async () => {
  using strict = new Wire()
  using loose = new Wire({ ...direct, strictTls: false })
  const asked: string[] = []
  const server = createTlsServer(await selfSigned('localhost'), (incoming, outgoing) => {
    asked.push(incoming.url ?? '')
    outgoing.end('ok')
  })
  server.on('tlsClientError', () => {})
  await using peer = await listening(server)
  const url = `https://localhost:${peer.port}`
  assert.deepEqual(await transportFault(strict.send(get(`${url}/strict`))), ['before sending', 'certificate'])
  assert.equal((await loose.send(get(`${url}/loose`))).status, 200)
  assert.deepEqual(asked, ['/loose'])
})

/** A proxy that alone knows where `service.test` is. */
async function proxy(port: number, refusal?: string, server: Server = createHttpServer()) {
  const seen: string[] = []
  server.on('connect', (incoming, socket) => {
    seen.push(`${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`.trim())
    if (refusal) return socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => {})
    return undefined
  })
  return { seen, ...(await listening(server)) }
}

test('a tunnel through a proxy reaches a name that only the proxy knows', async () => {
  const server = createTlsServer(await selfSigned('service.test'), (incoming, outgoing) => {
    outgoing.end(`${incoming.headers.host} ${incoming.headers['proxy-authorization'] ?? 'nothing of the proxy'}`)
  })
  await using service = await listening(server)
  await using between = await proxy(service.port)
  using wire = new Wire({ ...direct, proxy: between.origin, authorization: 'Basic dTpw', strictTls: false })
  const answer = await wire.send(get('https://service.test/x'))
  assert.equal(await readText(answer, 100), 'service.test nothing of the proxy')
  assert.deepEqual(between.seen, ['service.test:443 Basic dTpw'])
})

test('who would rather speak HTTP/2 is spoken to in HTTP/1.1, server and proxy', async () => {
  const spoken: string[] = []
  const offer = { ...(await selfSigned('localhost')), ALPNProtocols: ['h2', 'http/1.1'] }
  const secured = (name: string) =>
    createTlsServer(offer, (_, outgoing) => outgoing.end()).on('secureConnection', socket =>
      spoken.push(`${name} ${socket.alpnProtocol}`),
    )
  await using service = await listening(secured('service'))
  await using between = await proxy(service.port, undefined, secured('proxy'))
  const loose = { ...direct, strictTls: false }
  using near = new Wire(loose)
  using far = new Wire({ ...loose, proxy: `https://localhost:${between.port}` })
  assert.equal((await near.send(get(`https://localhost:${service.port}/`))).status, 200)
  assert.equal((await far.send(get('https://service.test/'))).status, 200)
  assert.deepEqual(spoken, ['service http/1.1', 'proxy http/1.1', 'service http/1.1'])
})

test('plain http goes through a proxy as well', async () => {
  await using service = await peer((incoming, outgoing) => outgoing.end(incoming.headers.host))
  await using between = await proxy(service.port)
  using wire = new Wire({ ...direct, proxy: between.origin })
  assert.equal(await readText(await wire.send(get('http://service.test/x')), 100), 'service.test')
  assert.deepEqual(between.seen, ['service.test:80'])
})

test('a proxy that wants a password, or refuses, is named', async () => {
  const refusals = {
    '407 Proxy Authentication Required': 'proxy sign-in',
    '403 Forbidden': 'proxy',
    '502 Bad Gateway': 'proxy',
  }
  for (const [refusal, why] of Object.entries(refusals)) {
    await using between = await proxy(1, refusal)
    using wire = new Wire({ ...direct, proxy: between.origin })
    assert.deepEqual(await transportFault(wire.send(get('https://service.test/'))), ['before sending', why])
  }
})

test('a proxy that is not there', async () => {
  using wire = new Wire({ ...direct, proxy: `http://127.0.0.1:${await closedPort()}` })
  assert.deepEqual(await transportFault(wire.send(get('https://service.test/'))), ['before sending', 'refused'])
})

test('a proxy that never answers a CONNECT is given up, named, and its connection closed', async t => {
  for (const url of ['http://service.test/', 'https://service.test/']) {
    await t.test(url, async () => {
      const gone = Promise.withResolvers<void>()
      await using mute = await bytePeer(socket => socket.resume().on('close', () => gone.resolve()))
      using wire = new Wire({ ...direct, proxy: mute.origin }, undefined, 100)
      const fault = await faultOf(wire.send(get(url)))
      assert.ok(fault instanceof TransportError, String(fault))
      assert.deepEqual([fault.where, fault.why], ['before sending', 'connect timeout'])
      assert.deepEqual([fault.isProxyFault, fault.proxy], [true, new URL(mute.origin).host])
      await gone.promise
      assert.equal(wire.clock.waiting, 0)
    })
  }
})

/** A proxy that opens its tunnels on command. */
async function hesitant(port: number) {
  const asked: { isGone: boolean; open(): void }[] = []
  const between = await bytePeer(socket => {
    socket.once('data', () => asked.push(tunnel))
    socket.on('close', () => {
      tunnel.isGone = true
    })
    const open = () => {
      const onward = connect(port, '127.0.0.1').on('error', () => {})
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    }
    const tunnel = { isGone: false, open }
  })
  return { asked, ...between }
}

test('a stop closes the tunnel that its request waited for, and no other', async () => {
  await using service = await peer((_, outgoing) => outgoing.end('through'))
  await using between = await hesitant(service.port)
  using wire = new Wire({ ...direct, proxy: between.origin })
  const stop = new AbortController()
  const reason = new AbortedError('the user')
  const stopped = faultOf(wire.send(get('http://service.test/first', { signal: stop.signal })))
  await eventually('the first asks for its tunnel', () => between.asked.length === 1)
  const second = wire.send(get('http://service.test/second'))
  await eventually('the second does as well', () => between.asked.length === 2)
  stop.abort(reason)
  const third = wire.send(get('http://service.test/third'))
  await eventually('the first tunnel is gone', () => between.asked[0]?.isGone === true)
  assert.equal(await stopped, reason)
  await eventually('the third asks for one of its own', () => between.asked.length === 3)
  assert.deepEqual(
    between.asked.map(({ isGone }) => isGone),
    [true, false, false],
  )
  for (const tunnel of between.asked.slice(1)) tunnel.open()
  for (const answer of [await second, await third]) assert.equal(await readText(answer, 100), 'through')
  assert.deepEqual(service.asked.toSorted(), ['GET /second', 'GET /third'])
  assert.equal(wire.clock.waiting, 0)
})

test('a proxy that hangs up on a CONNECT is named', async () => {
  await using between = await bytePeer(socket => socket.once('data', () => socket.end()))
  using wire = new Wire({ ...direct, proxy: between.origin })
  const fault = await faultOf(wire.send(get('https://service.test/')))
  assert.ok(fault instanceof TransportError, String(fault))
  assert.deepEqual([fault.where, fault.why, fault.isProxyFault], ['before sending', 'reset', true])
})

test('the way is asked for each request, and hosts without a proxy do not wait for others', async () => {
  await using server = await peer((_, outgoing) => outgoing.end('direct'))
  const routes: string[] = []
  using wire = new Wire(url => {
    routes.push(url.host)
    return direct
  })
  for (let times = 0; times < 2; times++) await readText(await wire.send(get(server.origin)), 100)
  assert.deepEqual(routes, [`127.0.0.1:${server.port}`, `127.0.0.1:${server.port}`])
})

test('[T92] the process keeps the network it had', async () => {
  const source = `
    const marks = [1, 2].map(version => Symbol.for('undici.globalDispatcher.' + version))
    const before = marks.map(mark => globalThis[mark])
    const { UndiciHttp } = await import(${JSON.stringify(new URL('../../../src/node/http/undiciHttp.ts', import.meta.url).href)})
    const clock = { now: () => 0, elapsed: () => 0, later: () => () => {} }
    const route = { proxy: undefined, authorization: undefined, strictTls: true, systemCertificates: false }
    const http = new UndiciHttp(() => route, clock)
    await http.send({ method: 'GET', url: 'http://127.0.0.1:1/', signal: new AbortController().signal }).catch(() => {})
    console.log(marks.every((mark, index) => globalThis[mark] === before[index]), before.every(one => one === undefined))`
  const args = ['--no-warnings', '--input-type=module', '-e', source]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  assert.equal(stdout.trim(), 'true true')
})

/** A server that keeps its connections open, and what came on each. */
async function countedPeer() {
  const sockets: string[] = []
  const server = await bytePeer(socket => {
    const at = sockets.push('') - 1
    socket.on('data', chunk => {
      sockets[at] += String(chunk)
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  return { server, sockets }
}

const openingRoutes = ['direct', 'an HTTP proxy', 'a SOCKS proxy'] as const

for (const name of openingRoutes) {
  test(`a connection opened ahead sends nothing, and the next request uses it: ${name}`, async () => {
    const { server, sockets } = await countedPeer()
    await using between = server
    await using http = await ConnectProxy.start({ to: between.port })
    await using socks = await SocksProxy.start({ to: between.port })
    const proxies = { direct: undefined, 'an HTTP proxy': http.origin, 'a SOCKS proxy': `socks5://${socks.host}` }
    using wire = new Wire({ ...direct, proxy: proxies[name] })
    const url = name === 'direct' ? between.origin : 'http://service.test'
    await wire.connect(url)
    await eventually('it is open', () => sockets.length === 1)
    await wire.connect(`${url}/v1`)
    assert.deepEqual(sockets, [''])
    assert.equal(await readText(await wire.send(get(`${url}/a`)), 100), 'ok')
    assert.equal(sockets.length, 1)
    assert.match(sockets[0] ?? '', /^GET \/a HTTP\/1\.1\r\n/)
    await settled()
    await wire.connect(url)
    assert.equal(await readText(await wire.send(get(`${url}/b`)), 100), 'ok')
    assert.equal(sockets.length, 1, 'what is idle is enough')
  })
}

test('a request waits for the connection that is being opened, in place of opening another one', async () => {
  const { server, sockets } = await countedPeer()
  await using between = server
  using wire = new Wire()
  const opening = wire.connect(between.origin)
  assert.equal(await readText(await wire.send(get(`${between.origin}/a`)), 100), 'ok')
  await opening
  assert.equal(sockets.length, 1)
})

test('beside a request that is open another connection is opened', async () => {
  const open: string[] = []
  await using server = await bytePeer(socket => {
    const at = open.push('') - 1
    socket.on('data', chunk => (open[at] += String(chunk)))
  })
  using wire = new Wire()
  const stop = new AbortController()
  const request = faultOf(wire.send(get(`${server.origin}/a`, { signal: stop.signal })))
  await eventually('it has come', () => open[0] !== undefined && open[0] !== '')
  await wire.connect(server.origin)
  await eventually('another one is open', () => open.length === 2)
  stop.abort(new AbortedError('enough'))
  assert.ok(isAbort(await request))
})

test('a connection that cannot be opened ahead is reported, and a request reports its own fault', async () => {
  const url = `http://127.0.0.1:${await closedPort()}`
  using wire = new Wire()
  const opening = faultOf(wire.connect(url))
  assert.deepEqual(await transportFault(wire.send(get(url))), ['before sending', 'refused'])
  assert.ok((await opening) instanceof Error)
  await using proxy = await ConnectProxy.start()
  proxy.refuse(badGateway)
  using behind = new Wire({ ...direct, proxy: proxy.origin })
  assert.ok((await faultOf(behind.connect('https://service.test'))) instanceof Error)
  assert.equal(proxy.tunnels.length, 1)
})
