// Lets through to the API only who brings a good key and has a plan.
import type { Context, MiddlewareHandler } from 'hono'
import { apiError } from './apiError.ts'
import type { Env, Parts } from './parts.ts'

export const requireKey =
  ({ state, addresses }: Parts): MiddlewareHandler<Env> =>
  async (c, next) => {
    const metadata = `resource_metadata="${addresses.baseUrl}/.well-known/oauth-protected-resource"`
    const secret = secretOf(c)
    if (secret === undefined) {
      const refusal = { message: 'No API key was sent.', type: 'authentication_error', code: 'missing_api_key' }
      return apiError(401, refusal, { 'www-authenticate': `Bearer ${metadata}` })
    }
    const key = state.keys.find(secret)
    if (!key || key.revokedAt !== undefined) {
      const message = 'This API key does not exist or has been revoked.'
      const refusal = { message, type: 'authentication_error', code: 'invalid_api_key' }
      return apiError(401, refusal, { 'www-authenticate': `Bearer ${metadata}, error="invalid_token"` })
    }
    if (state.accounts.of(key.email).plan === 'free') {
      const message = `The Free plan has no API access. Choose a plan at ${addresses.siteUrl}/dashboard.`
      return apiError(403, { message, type: 'permission_error', code: 'plan_required' })
    }
    c.set('key', key)
    await next()
    return undefined
  }

function secretOf(c: Context<Env>): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const isMessages = c.req.path.startsWith('/anthropic')
  return bearer ?? (isMessages ? c.req.header('x-api-key') : undefined)
}
