// Starts the service, and hands out what a test may turn.
import { getRequestListener } from '@hono/node-server'
import { addressesAt } from './addresses.ts'
import { badRequest } from './apiError.ts'
import { createApp } from './app.ts'
import type { Credentials } from './authority.ts'
import { CallLog } from './callLog.ts'
import { Clock } from './clock.ts'
import { plainDialect } from './dialect.ts'
import { Faults } from './faults.ts'
import { KeptState } from './keptState.ts'
import { Listener } from './listener.ts'
import { breakOnAccept } from './misbehave.ts'
import { defaultOptions, type Options, type ServiceOptions } from './options.ts'
import type { Parts } from './parts.ts'
import { Replies } from './replies.ts'
import { Slots } from './slots.ts'
import { State } from './state.ts'
import { withModel } from './upstream/onlyModel.ts'

export interface Service extends Omit<Parts, 'options' | 'addresses'>, AsyncDisposable {
  readonly baseUrl: string
  readonly authUrl: string
  readonly siteUrl: string
  readonly controlUrl: string
  readonly model: string
  /** Every call that there is, for a test that compares them with what is described. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
  /** The certificate that a client has to trust, as PEM; undefined where the service speaks plain http. */
  readonly authority: string | undefined
  /** Ends at once, also what is still being answered. */
  close(): Promise<void>
}

export async function startService(given: ServiceOptions = {}): Promise<Service> {
  const options = { ...defaultOptions, ...given, upstream: given.upstream && (await withModel(given.upstream)) }
  const clock = new Clock()
  const dialect = { ...plainDialect(), ...options.dialect }
  const state = new State(options, clock, dialect)
  const kept = options.stateFile === undefined ? undefined : new KeptState(options.stateFile, state)
  const faults = new Faults()
  const secured = options.https ? await secure(options) : undefined
  const listener = new Listener({
    credentials: secured?.credentials,
    maxVersion: typeof options.https === 'object' ? options.https.maxVersion : undefined,
    requestTimeoutMs: options.requestTimeoutMs,
    meet: socket => breakOnAccept(socket, faults),
    answer: (incoming, outgoing) => void answer(incoming, outgoing),
  })
  const port = await listener.listen(options.port).catch((error: unknown) => {
    kept?.close()
    throw error
  })
  const addresses = addressesAt(port, options)
  const parts: Parts = {
    options,
    addresses,
    clock,
    dialect,
    state,
    kept,
    faults,
    replies: new Replies(),
    slots: new Slots(options.limits, options.retryAfterForm),
    log: new CallLog(),
  }
  // The adapter would otherwise put its own Request and Response in place of everybody's in this process.
  const app = createApp(parts)
  const routes = app.routes.filter(({ method }) => method !== 'ALL')
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => badRequest('The host or the address of this request is missing or cannot be read.'),
  })
  const close = async () => {
    await listener.close()
    kept?.close()
  }
  const { baseUrl, authUrl, siteUrl, controlUrl } = addresses
  const urls = { baseUrl, authUrl, siteUrl, controlUrl }
  const shown = { ...urls, routes, model: options.model, authority: secured?.authority }
  return { ...parts, ...shown, close, [Symbol.asyncDispose]: close }
}

/** Loaded only when it is wanted: making certificates takes a while to load. */
async function secure({ https, publicName }: Options): Promise<{ authority: string; credentials: Credentials }> {
  const { Authority } = await import('./authority.ts')
  const authority = await Authority.make()
  const names = ['localhost', 'auth.localhost', '127.0.0.1', '::1']
  if (publicName !== undefined) names.push(publicName, `auth.${publicName}`)
  const kind = typeof https === 'object' ? https.certificate : undefined
  return { authority: authority.pem, credentials: await authority.issue(names, kind) }
}
