// Everything that a call passes, in order: host, log, body, faults, route.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type MiddlewareHandler } from 'hono'
import { apiError, badRequest } from './apiError.ts'
import { bodyLimitBytes, fieldsOf, readBody } from './body.ts'
import { redactFields } from './callLog.ts'
import { control } from './control.ts'
import { misbehave } from './misbehave.ts'
import type { Env, Parts } from './parts.ts'
import { requireKey } from './requireKey.ts'
import { chatCompletions } from './routes/chatCompletions.ts'
import { claim } from './routes/claim.ts'
import { claimPage } from './routes/claimPage.ts'
import { dashboard } from './routes/dashboard.ts'
import { identity } from './routes/identity.ts'
import { models } from './routes/models.ts'
import { revoke } from './routes/revoke.ts'
import { token } from './routes/token.ts'
import { wellKnown } from './routes/wellKnown.ts'

export function createApp(parts: Parts): Hono<Env> {
  const app = new Hono<Env>()
    .use(ownHostOnly(parts))
    .use(keepCall(parts))
    .use(receiveBody(parts))
    // Before faults are looked at, so that a test which breaks everything can still mend it.
    .route(parts.addresses.controlPath, control(parts))
    .use(misbehave(parts.faults))
    .use('/v1/*', requireKey(parts))
    .use('/anthropic/*', requireKey(parts))
    .route('/', wellKnown(parts))
    .route('/', identity(parts))
    .route('/', claim(parts))
    .route('/', claimPage(parts))
    .route('/', token(parts))
    .route('/', revoke(parts))
    .route('/', dashboard(parts))
    .route('/', models(parts))
    .route('/', chatCompletions(parts))
  app.notFound(c => notHere(app, c.req.method, c.req.path))
  app.onError((error, c) => {
    // Told to the test that reads the log, and to nobody on the wire.
    const call = c.get('call')
    if (call) call.failure = error.stack ?? error.message
    return apiError(500, { message: 'The service has failed.', type: 'server_error', code: 'internal_error' })
  })
  return app
}

/** A page elsewhere that gets its name resolved to this machine must not be able to call us. */
const ownHostOnly =
  ({ addresses: { port } }: Parts): MiddlewareHandler<Env> =>
  async (c, next) => {
    const host = c.req.header('host')?.toLowerCase() ?? ''
    const name = host.endsWith(`:${port}`) ? host.slice(0, -`:${port}`.length) : ''
    const isOwn =
      ['127.0.0.1', 'localhost', '[::1]'].includes(name) || /^[a-z0-9-]+(\.[a-z0-9-]+)*\.localhost$/.test(name)
    if (!isOwn) return badRequest('This service does not answer under that host name.', 'misdirected_request', 421)
    await next()
    return undefined
  }

const keepCall =
  ({ log, slots, clock, addresses }: Parts): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { incoming, outgoing } = c.env
    const ended = new AbortController()
    c.set('ended', ended.signal)
    outgoing.setHeader('date', new Date(clock.now()).toUTCString())
    if (c.req.path.startsWith(addresses.controlPath)) return next()
    const began = performance.now()
    const call = log.begin({
      at: clock.now(),
      method: c.req.method,
      host: c.req.header('host') ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      openAtStart: slots.open,
    })
    c.set('call', call)
    outgoing.once('close', () => {
      call.isAborted = !outgoing.writableFinished
      call.durationMs = Math.round(performance.now() - began)
      // First what hangs on the call ends, then those who wait for its end are told.
      ended.abort()
      log.changed(call)
    })
    await next()
    if (c.res !== RESPONSE_ALREADY_SENT && !outgoing.destroyed) call.status = c.res.status
    log.changed(call)
    return undefined
  }

const receiveBody =
  ({ log }: Parts): MiddlewareHandler<Env> =>
  async (c, next) => {
    const body = await readBody(c.env.incoming).catch(() => undefined)
    // The caller left in the middle of its own sentence.
    if (!body) return RESPONSE_ALREADY_SENT
    c.set('body', body)
    const isInference = /^\/(?:v1|anthropic)\//.test(c.req.path)
    const call = c.get('call')
    if (call) {
      if (body.kind === 'json') call.body = isInference ? body.value : redactFields(body.value)
      if (body.kind === 'form') call.body = redactFields(fieldsOf(body.fields))
      log.changed(call)
    }
    // Inference says it itself, after it has looked at the key.
    if (body.kind === 'too large' && !isInference)
      return badRequest(`A request has at most ${bodyLimitBytes} bytes.`, 'too_large', 413)
    await next()
    return undefined
  }

function notHere(app: Hono<Env>, method: string, path: string): Response {
  const methods = app.routes.filter(route => route.path === path && route.method !== 'ALL').map(route => route.method)
  const refusal = { message: `There is no ${method} ${path} here.`, type: 'invalid_request_error' }
  if (methods.length === 0) return apiError(404, { ...refusal, code: 'not_found' })
  return apiError(405, { ...refusal, code: 'method_not_allowed' }, { allow: [...new Set(methods)].join(', ') })
}
