// The model list.
import { Hono } from 'hono'
import { Failure, failureResponse } from '../failure.ts'
import type { Env, Parts } from '../parts.ts'
import { contextTokens, inputTokens } from '../tokens.ts'

const created = Date.UTC(2026, 0, 15) / 1000

export function models({ state }: Parts): Hono<Env> {
  return new Hono<Env>().get('/v1/models', c => {
    if (!state.listedModels) {
      return failureResponse(c.req.path, new Failure(404, 'not_found', 'There is no model list here.'))
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
