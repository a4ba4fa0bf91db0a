// Everything that a call passes, in order: host, log, body, faults, route.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { isOwnHost } from './addresses.ts'
import { bodyLimitBytes, fieldsOf, inferenceLimitBytes, readBody } from './body.ts'
import { redactFields } from './callLog.ts'
import { control } from './control.ts'
import { isApiPath } from './failure.ts'
import { misbehave } from './misbehave.ts'
import type { Env, Parts } from './parts.ts'
import { refuse } from './refusal.ts'
import { requireKey } from './requireKey.ts'
import { admin } from './routes/admin.ts'
import { authorize } from './routes/authorize.ts'
import { chatCompletions } from './routes/chatCompletions.ts'
import { claim } from './routes/claim.ts'
import { claimPage } from './routes/claimPage.ts'
import { clientRegistration } from './routes/clientRegistration.ts'
import { dashboard } from './routes/dashboard.ts'
import { identity } from './routes/identity.ts'
import { messages } from './routes/messages.ts'
import { models } from './routes/models.ts'
import { responses } from './routes/responses.ts'
import { revoke } from './routes/revoke.ts'
import { signIn } from './routes/signIn.ts'
import { site } from './routes/site.ts'
import { token } from './routes/token.ts'
import { wellKnown } from './routes/wellKnown.ts'

export function createApp(parts: Parts): Hono<Env> {
  const app = new Hono<Env>()
    .use(ownHostOnly(parts))
    .use(keepCall(parts))
    .use(receiveBody(parts))
    // Before faults are looked at, so that a test which breaks everything can still repair it.
    .use(`${parts.addresses.controlPath}/*`, keepState(parts))
    .route(parts.addresses.controlPath, control(parts))
    .use(misbehave(parts))
    .use(keepState(parts))
    .use('/v1/*', requireKey(parts))
    .use('/anthropic/*', requireKey(parts))
    .route('/', wellKnown(parts))
    .route('/', identity(parts))
    .route('/', claim(parts))
    .route('/', claimPage(parts))
    .route('/', authorize(parts))
    .route('/', clientRegistration(parts))
    .route('/', token(parts))
    .route('/', revoke(parts))
    .route('/', signIn(parts))
    .route('/', dashboard(parts))
    .route('/', admin(parts))
    .route('/', site(parts))
    .route('/', models(parts))
    .route('/', chatCompletions(parts))
    .route('/', responses(parts))
    .route('/', messages(parts))
  app.notFound(c => notHere(c, app, parts))
  app.onError((error, c) => {
    // Reported to the test that reads the log, and to nobody on the wire.
    const call = c.get('call')
    if (call) call.failure = error.stack ?? error.message
    return refuse(c.req.path, { status: 500, code: 'internal_error', message: 'The service has failed.' }, parts)
  })
  return app
}

/** A page elsewhere that gets its name resolved to this machine must not be able to call us. */
const ownHostOnly =
  (parts: Parts): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { host = '' } = c.env.incoming.headers
    // An address in full outranks the header (RFC 9112 3.2.2), so both have to be ours.
    if (![host.toLowerCase(), new URL(c.req.url).host].every(named => isOwnHost(named, parts.addresses))) {
      const message = 'This service does not answer under that host name.'
      return refuse(c.req.path, { status: 421, code: 'misdirected_request', message }, parts)
    }
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
      // First what hangs on the call ends, then those who wait for its end are notified.
      ended.abort()
      log.changed(call)
    })
    await next()
    if (c.res !== RESPONSE_ALREADY_SENT && !outgoing.destroyed) call.status = c.res.status
    log.changed(call)
    return undefined
  }

const receiveBody =
  (parts: Parts): MiddlewareHandler<Env> =>
  async (c, next) => {
    const isInference = isApiPath(c.req.path)
    const limit = isInference ? inferenceLimitBytes : bodyLimitBytes
    const body = await readBody(c.env.incoming, limit).catch(() => undefined)
    // The caller left in the middle of its own sentence.
    if (!body) return RESPONSE_ALREADY_SENT
    c.set('body', body)
    const call = c.get('call')
    if (call) {
      if (body.kind === 'json')
        parts.log.keepBody(call, isInference ? body.value : redactFields(body.value), body.bytes)
      if (body.kind === 'form') call.body = redactFields(fieldsOf(body.fields))
      parts.log.changed(call)
    }
    // Inference answers this itself, after it has looked at the key.
    if (body.kind === 'too large' && !isInference) {
      const message = `A request has at most ${bodyLimitBytes} bytes.`
      return refuse(c.req.path, { status: 413, code: 'too_large', message }, parts)
    }
    await next()
    return undefined
  }

/** What a call has changed is in the file before anybody is notified of it. */
const keepState =
  ({ kept }: Parts): MiddlewareHandler<Env> =>
  async (_, next) => {
    await next()
    kept?.save()
  }

function notHere({ req: { method, path } }: Context<Env>, app: Hono<Env>, parts: Parts): Response {
  const methods = app.routes.filter(route => route.path === path && route.method !== 'ALL').map(route => route.method)
  const message = `There is no ${method} ${path} here.`
  if (methods.length === 0) return refuse(path, { status: 404, code: 'not_found', message }, parts)
  const headers = { allow: [...new Set(methods)].join(', ') }
  return refuse(path, { status: 405, code: 'method_not_allowed', message, headers }, parts)
}
