// What a person gets when the service cannot be reached: its name, its port, its certificate, or the proxy in between.

import assert from 'node:assert/strict'
import { createServer as createTlsServer } from 'node:https'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import { TransportError } from '../../src/core/http/errors.ts'
import type { Route } from '../../src/core/http/proxy.ts'
import { Authority } from '../localService/authority.ts'
import type { Https } from '../localService/options.ts'
import { startService } from '../localService/server.ts'
import { ConnectProxy } from '../support/connectProxy.ts'
import { type Address, CoreWindow, email } from '../support/coreWindow.ts'
import { messagesIn } from '../support/memorySession.ts'
import {
  answered,
  asked,
  inEveryWay,
  lost,
  path,
  type Rows,
  routeThrough,
  type Scenario,
  words,
} from '../support/scenario.ts'
import { bytePeer, closedPort, direct, faultOf, listening, never, Wire } from '../support/wire.ts'

type Between = Pick<Scenario, 'service' | 'proxy'>

/** A window of its own, which may take another way or know another address. */
async function asks({ service, proxy }: Between, route: Route, change: Partial<Address> = {}) {
  const { baseUrl, authUrl, model } = service
  using wire = new Wire(route)
  const window = new CoreWindow({ baseUrl, authUrl, model, ...change }, wire)
  const key = service.state.issueKey(email, 'Test')
  await window.signIn(key)
  await window.ask('How are you?')
  assert.ok(window.states.filter(({ is }) => is === 'failed').length <= 1, 'it is said once')
  assert.equal(messagesIn(window.session)[0]?.text, 'How are you?')
  assert.deepEqual(window.line.state.holders, [])
  return { service, wire, window, proxy, key }
}

const at = ({ service }: Between, host: string, port = '') => ({
  baseUrl: `${new URL(service.baseUrl).protocol}//${host}${port && `:${port}`}`,
})

/** Through a proxy it is the proxy that looks for the host, and reports that it did not find it. */
const withoutProxy = <T>({ proxy }: Between, why: T) => (proxy ? 'proxy' : why)

const rows: Rows = {
  '[R07] a name that nobody knows is said': async scenario => {
    const away = await asks(scenario, routeThrough(scenario.proxy), at(scenario, 'kourier.invalid'))
    lost(away, 'before sending', withoutProxy(scenario, 'name not found'))
  },
  '[R07] a proxy whose name nobody knows is said': async scenario => {
    const route = { ...direct, proxy: 'http://proxy.invalid:8080' }
    lost(await asks(scenario, route), 'before sending', 'name not found', {
      proxy: 'proxy.invalid:8080',
      isProxyFault: true,
    })
  },
  '[R08] a port that nobody listens on is told from a name': async scenario => {
    const port = String(await closedPort())
    const away = await asks(scenario, routeThrough(scenario.proxy), at(scenario, '127.0.0.1', port))
    lost(away, 'before sending', withoutProxy(scenario, 'refused'))
  },
  '[R08] a proxy that is not there is said': async scenario => {
    const proxy = `127.0.0.1:${await closedPort()}`
    const away = await asks(scenario, { ...direct, proxy: `http://${proxy}` })
    lost(away, 'before sending', 'refused', { proxy, isProxyFault: true })
  },
  '[R08] an address that no way leads to is told from a port': async scenario => {
    // No connection can be made to everybody at once, so the system itself refuses.
    const route = scenario.proxy ? { ...direct, proxy: 'http://255.255.255.255:8080' } : direct
    lost(
      await asks(scenario, route, scenario.proxy ? {} : at(scenario, '255.255.255.255')),
      'before sending',
      'unreachable',
    )
  },
  '[R56] nothing is asked before somebody asks, and who comes back online goes on': async scenario => {
    const { service, wire, window } = scenario
    const offline = { ...direct, proxy: `http://127.0.0.1:${await closedPort()}` }
    let route = offline
    using other = new Wire(() => route)
    const started = new CoreWindow(service, other)
    await started.signIn(service.state.issueKey(email, 'Test'))
    await wire.clock.advance(60_000)
    assert.deepEqual([started.lines, started.states, service.log.calls], [[], [], []])
    await started.ask('How are you?')
    lost({ ...scenario, window: started }, 'before sending', 'refused')
    route = { ...offline, ...routeThrough(scenario.proxy), proxy: routeThrough(scenario.proxy).proxy ?? '' }
    service.replies.add({ tokens: words })
    await started.passingPauses(started.session.retry())
    answered({ ...scenario, window: started })
    assert.deepEqual(window.states, [])
  },
  '[R59] what other extensions do to the network of the process is nothing to us': async scenario => {
    const marks = [1, 2].map(version => Symbol.for(`undici.globalDispatcher.${version}`))
    const before = [...marks.map(mark => Reflect.get(globalThis, mark)), globalThis.fetch]
    const saboteur = () => assert.fail('the saboteur was asked')
    try {
      for (const mark of marks) Reflect.set(globalThis, mark, { dispatch: saboteur, close: saboteur })
      globalThis.fetch = saboteur
      const away = await asks(scenario, routeThrough(scenario.proxy))
      assert.equal(away.window.session.state.is, 'idle')
      assert.equal(asked(scenario), 1)
    } finally {
      for (const [index, mark] of marks.entries()) Reflect.set(globalThis, mark, before[index])
      globalThis.fetch = before[2]
    }
  },
}

describe('who cannot be reached', () => inEveryWay(rows))

describe('with a certificate that is no good', () => {
  const faulty: readonly [string, Https][] = [
    ['that is self-signed', { certificate: 'self-signed' }],
    ['that is over', { certificate: 'expired' }],
    ['of tomorrow', { certificate: 'not yet valid' }],
    ['for another host', { certificate: 'wrong host' }],
    ['in a way that is no longer safe', { maxVersion: 'TLSv1.1' }],
  ]
  const trusted = tls.getCACertificates('default')
  let proxy: ConnectProxy

  before(async () => {
    proxy = await ConnectProxy.start({ signIn: 'ada:secret' })
  })
  after(async () => {
    tls.setDefaultCACertificates(trusted)
    await proxy[Symbol.asyncDispose]()
  })

  for (const [name, https] of faulty) {
    it(`[R09] [T18] a service with one ${name} hears nothing, over https and through a proxy`, async () => {
      await using service = await startService({ plan: 'pro', https })
      // Its authority is trusted: only the certificate itself is wrong.
      tls.setDefaultCACertificates([...trusted, service.authority ?? ''])
      for (const between of [undefined, proxy]) {
        const away = await asks({ service, proxy: between }, routeThrough(between))
        lost(away, 'before sending', 'certificate', { isProxyFault: false })
      }
      assert.deepEqual(service.log.calls, [], 'nothing was sent')
    })
  }

  for (const kind of ['self-signed', 'expired', 'wrong host'] as const) {
    it(`[R09] [T18] a proxy with one that is ${kind} hears nothing, is asked once, and is told from the service`, async () => {
      await using service = await startService({ plan: 'pro' })
      const authority = await Authority.make()
      tls.setDefaultCACertificates([...trusted, authority.pem])
      const received: string[] = []
      let met = 0
      const server = createTlsServer(await authority.issue(['127.0.0.1'], kind))
      server.on('connection', () => met++)
      server.on('connect', incoming => received.push(incoming.url ?? ''))
      server.on('tlsClientError', () => {})
      await using between = await listening(server)
      const proxy = `127.0.0.1:${between.port}`
      const away = await asks(
        { service, proxy: undefined },
        { ...direct, proxy: `https://${proxy}`, authorization: 'Basic secret' },
      )
      lost(away, 'before sending', 'certificate', { proxy, isProxyFault: true })
      assert.deepEqual([met, received, service.log.calls], [1, [], []])
    })
  }

  it('[R09] who never comes to an agreement is given up, directly and through a proxy', async () => {
    await using mute = await bytePeer(() => {})
    await using between = await ConnectProxy.start({ to: mute.port })
    const abandoned = async (route: Route) => {
      using wire = new Wire(route, undefined, 100)
      const fault = await faultOf(wire.send({ method: 'GET', url: `https://127.0.0.1:${mute.port}/`, signal: never }))
      assert.ok(fault instanceof TransportError, String(fault))
      assert.deepEqual([fault.where, fault.why], ['before sending', 'connect timeout'])
    }
    // The library's own timers tick twice a second.
    await Promise.all([abandoned(direct), abandoned({ ...direct, proxy: between.origin })])
  })
})

describe('with a proxy that wants a sign-in', () => {
  for (const https of [false, true]) {
    it(`[R10] [T17] it is named on the way to ${https ? 'https' : 'http'}, and hears no key`, async () => {
      await using service = await startService({ plan: 'pro', https })
      await using proxy = await ConnectProxy.start({ signIn: 'ada:secret' })
      const wrong = `Basic ${btoa('ada:wrong')}`
      for (const authorization of [undefined, wrong]) {
        lost(
          await asks({ service, proxy }, { ...direct, proxy: proxy.origin, authorization }),
          'before sending',
          'proxy sign-in',
          { proxy: new URL(proxy.origin).host },
        )
      }
      assert.deepEqual(proxy.credentials, ['', 'ada:wrong'], 'it is asked once each time')
      assert.deepEqual(
        proxy.tunnels.flatMap(({ up }) => up),
        [],
      )
      assert.deepEqual(service.log.calls, [])
    })
  }

  it('[T17] it reads no key, and the service no password of the proxy', async () => {
    await using service = await startService({ plan: 'pro', https: true })
    const trusted = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...trusted, service.authority ?? ''])
    await using proxy = await ConnectProxy.start({ signIn: 'ada:secret' })
    const { window, key } = await asks({ service, proxy }, routeThrough(proxy))
    tls.setDefaultCACertificates(trusted)
    assert.equal(window.session.state.is, 'idle')
    const [tunnel] = proxy.tunnels
    assert.ok(tunnel && tunnel.up.length > 0)
    assert.ok(!Buffer.concat(tunnel.up).includes(key))
    const call = service.log.calls.find(one => one.path === path)
    assert.ok(call && !('proxy-authorization' in call.headers))
  })
})
