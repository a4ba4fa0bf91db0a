// The model list.
import { Hono } from 'hono'
import { apiError } from '../apiError.ts'
import type { Env, Parts } from '../parts.ts'

export const inputTokens = 262_144
const contextTokens = 278_528
const created = Date.UTC(2026, 0, 15) / 1000

export function models({ state }: Parts): Hono<Env> {
  return new Hono<Env>().get('/v1/models', c => {
    if (!state.listedModels) {
      const message = 'There is no model list here.'
      return apiError(404, { message, type: 'invalid_request_error', code: 'not_found' })
    }
    return c.json({ object: 'list', data: state.listedModels.map(entry) })
  })
}

const entry = (id: string) => ({
  id,
  object: 'model',
  created,
  owned_by: 'kourier',
  context_length: contextTokens,
  max_input_tokens: inputTokens,
})
