// Listens on loopback only, and hands out what a test may turn.
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createApp } from './app.ts'
import { CallLog } from './callLog.ts'
import { Clock } from './clock.ts'
import { Faults } from './faults.ts'
import { defaultOptions, type ServiceOptions } from './options.ts'
import type { Addresses, Parts } from './parts.ts'
import { Replies } from './replies.ts'
import { Slots } from './slots.ts'
import { State } from './state.ts'

export interface Service extends Omit<Parts, 'options' | 'addresses'>, AsyncDisposable {
  readonly baseUrl: string
  readonly authUrl: string
  readonly siteUrl: string
  readonly controlUrl: string
  readonly model: string
  /** Ends at once, also what is still being answered. */
  close(): Promise<void>
}

export async function startService(given: ServiceOptions = {}): Promise<Service> {
  const options = { ...defaultOptions, ...given }
  const server = createServer({ keepAliveTimeout: 60_000 })
  const addresses = addressesOf(await listen(server, options.port))
  const clock = new Clock()
  const parts: Parts = {
    options,
    addresses,
    clock,
    state: new State(options, clock),
    faults: new Faults(),
    replies: new Replies(),
    slots: new Slots(options.limits),
    log: new CallLog(),
  }
  // The adapter would otherwise put its own Request and Response in place of everybody's in this process.
  const answer = getRequestListener(createApp(parts).fetch, { overrideGlobalObjects: false })
  server.on('request', (incoming, outgoing) => void answer(incoming, outgoing))
  const close = () => end(server)
  const { baseUrl, authUrl, siteUrl, controlUrl } = addresses
  return { ...parts, baseUrl, authUrl, siteUrl, controlUrl, model: options.model, close, [Symbol.asyncDispose]: close }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(address !== null && typeof address === 'object' ? address.port : port)
    })
  })
}

function end(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function addressesOf(port: number): Addresses {
  const baseUrl = `http://127.0.0.1:${port}`
  const authUrl = `http://auth.localhost:${port}`
  // Unguessable, so that no page in a browser can find the door.
  const controlPath = `/_control/${randomBytes(16).toString('hex')}`
  return { port, baseUrl, authUrl, siteUrl: authUrl, controlPath, controlUrl: baseUrl + controlPath }
}
