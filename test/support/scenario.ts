// A person with a question, a service that misbehaves, and what is between them: http, https, or a company's proxy.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import { TransportError } from '../../src/core/http/errors.ts'
import { type FaultKind, type FaultPlace, meaningOf } from '../../src/core/http/fault.ts'
import type { Route } from '../../src/core/http/proxy.ts'
import type { SurfaceId } from '../../src/core/model/surfaceIds.ts'
import type { Fault } from '../localService/faults.ts'
import { type Service, startService } from '../localService/server.ts'
import { ConnectProxy } from './connectProxy.ts'
import { CoreWindow, email } from './coreWindow.ts'
import { messagesIn } from './memorySession.ts'
import { direct, eventually, Wire } from './wire.ts'

export const path = '/v1/chat/completions'
export const words = ['One', ' two', ' three.']

export interface Scenario {
  readonly service: Service
  readonly wire: Wire
  readonly window: CoreWindow
  readonly proxy: ConnectProxy | undefined
}

export type Rows = Readonly<Record<string, (scenario: Scenario) => Promise<void>>>

/** Asks with this fault in the way, or these. */
export async function ask({ service, window }: Scenario, ...faults: readonly Fault[]): Promise<void> {
  service.replies.add({ tokens: words })
  service.faults.add(...faults.map(fault => ({ on: path, ...fault })))
  await window.ask('How are you?')
}

export const asked = ({ service }: Scenario) => service.log.calls.filter(call => call.path === path).length

export const lastMessage = ({ window }: Scenario) => messagesIn(window.session).at(-1)

export function fault({ window: { session } }: Scenario): unknown {
  assert.ok(session.state.is === 'failed', session.state.is)
  return session.state.fault
}

export function answered(scenario: Scenario, text = words.join('')): void {
  assert.deepEqual([scenario.window.session.state.is, lastMessage(scenario)?.text], ['idle', text])
  assert.equal(lastMessage(scenario)?.state, 'whole')
}

/** `about`: what else has to be known of it. */
export function lost(
  scenario: Scenario,
  where: FaultPlace,
  why: TransportError['why'],
  about: Partial<Pick<TransportError, 'proxy' | 'isProxyFault'>> = {},
): void {
  const thrown = fault(scenario)
  assert.ok(thrown instanceof TransportError, String(thrown))
  assert.deepEqual([thrown.where, thrown.why], [where, why])
  if (about.proxy) assert.equal(thrown.proxy, about.proxy)
  if (about.isProxyFault !== undefined) assert.equal(thrown.isProxyFault, about.isProxyFault)
}

export function failed(scenario: Scenario, kind: FaultKind): void {
  assert.equal(meaningOf(fault(scenario)).kind, kind)
}

/** What came stays, is marked, and nobody asks again by himself. */
export function cutOff(
  scenario: Scenario,
  text: string | RegExp,
  state: 'interrupted' | 'failed' = 'interrupted',
): void {
  const { session } = scenario.window
  const last = lastMessage(scenario)
  assert.deepEqual([last?.role, last?.state], ['assistant', state])
  if (typeof text === 'string') assert.equal(last?.text, text)
  else assert.match(last?.text ?? '', text)
  assert.notEqual(session.state.is, 'answering')
  assert.equal(asked(scenario), 1, 'what was shown is not asked for again')
}

export const status = (code: number, body: unknown = {}, headers: Record<string, string> = {}): Fault => ({
  kind: 'status',
  status: code,
  headers: { 'content-type': 'application/json', ...headers },
  body,
})

/** Another window on the same connections. */
export async function windowOn({ service, wire }: Scenario, surface: SurfaceId): Promise<CoreWindow> {
  const window = new CoreWindow(service, wire, surface)
  await window.signIn(service.state.issueKey(email, 'Test'))
  return window
}

const ways = ['http', 'https', 'https through a proxy'] as const
type Way = (typeof ways)[number]

/** A test for each row and each way; after it no slot is held anywhere, and the question is still there. */
export function inEveryWay(rows: Rows, chosen: readonly Way[] = ways): void {
  const trusted = tls.getCACertificates('default')
  after(() => tls.setDefaultCACertificates(trusted))

  for (const way of chosen) {
    describe(`over ${way}`, () => {
      let service: Service
      let proxy: ConnectProxy | undefined

      before(async () => {
        service = await startService({ plan: 'pro', https: way !== 'http' })
        if (service.authority) tls.setDefaultCACertificates([...trusted, service.authority])
        if (way === 'https through a proxy') proxy = await ConnectProxy.start({ signIn: 'ada:secret' })
      })
      after(async () => {
        await service.close()
        await proxy?.[Symbol.asyncDispose]()
      })

      for (const [name, play] of Object.entries(rows)) {
        it(name, async () => {
          service.log.clear()
          service.faults.clear()
          service.replies.clear()
          using wire = new Wire(routeThrough(proxy))
          const window = new CoreWindow(service, wire)
          await window.signIn(service.state.issueKey(email, 'Test'))
          await play({ service, wire, window, proxy })
          await eventually('every slot is back', () => window.line.state.holders.length === 0)
          const isAsked = window.states.length > 0
          assert.ok(
            !isAsked || messagesIn(window.session).some(({ text }) => text === 'How are you?'),
            'it is still there',
          )
          await eventually('the service counts nobody any more', () => service.slots.open === 0)
        })
      }
    })
  }
}

/** With the sign-in that the proxy wants. */
export function routeThrough(proxy: ConnectProxy | undefined): Route {
  return proxy ? { ...direct, proxy: proxy.origin, authorization: `Basic ${btoa('ada:secret')}` } : direct
}
