// Lets through to the API only who brings a good key and has a plan.
import type { Context, MiddlewareHandler } from 'hono'
import { Failure, failureResponse, isMessagesPath } from './failure.ts'
import type { Env, Parts } from './parts.ts'

export const requireKey =
  ({ state, clock, addresses }: Parts): MiddlewareHandler<Env> =>
  async (c, next) => {
    const metadata = `resource_metadata="${addresses.baseUrl}/.well-known/oauth-protected-resource"`
    const refuse = (failure: Failure) => failureResponse(c.req.path, failure)
    const secret = secretOf(c)
    if (secret === undefined) return refuse(keyMissing(`Bearer ${metadata}`))
    const key = state.keys.find(secret)
    if (!key || key.revokedAt !== undefined) return refuse(keyUnknown(`Bearer ${metadata}, error="invalid_token"`))
    if (state.accounts.of(key.email).plan === 'free') return refuse(planRequired(addresses.siteUrl))
    state.keys.used(key, clock.now())
    c.set('key', key)
    await next()
    return undefined
  }

function keyMissing(challenge: string): Failure {
  const more = { policy: 'virtual_key_required', headers: { 'www-authenticate': challenge } }
  return new Failure(401, 'missing_api_key', 'No API key was sent.', more)
}

function keyUnknown(challenge: string): Failure {
  const more = { policy: 'virtual_key_not_found', headers: { 'www-authenticate': challenge } }
  return new Failure(401, 'invalid_api_key', 'This API key does not exist or has been revoked.', more)
}

function planRequired(siteUrl: string): Failure {
  const message = `The Free plan has no API access. Choose a plan at ${siteUrl}/dashboard.`
  return new Failure(403, 'plan_required', message, { policy: 'plan_required' })
}

/** The messages surface takes the key in either header. */
function secretOf(c: Context<Env>): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  return bearer ?? (isMessagesPath(c.req.path) ? c.req.header('x-api-key') : undefined)
}
