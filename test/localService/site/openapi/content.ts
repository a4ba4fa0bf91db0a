// The small parts that descriptions of calls are made of.
import { type SchemaName, schemaRef } from './schemas.ts'

export type Described = Readonly<Record<string, unknown>>

export const json = (name: SchemaName, example: unknown): Described => ({
  'application/json': { schema: schemaRef(name), example },
})

export const form = (name: SchemaName, examples: Described): Described => ({
  'application/x-www-form-urlencoded': {
    schema: schemaRef(name),
    examples: Object.fromEntries(Object.entries(examples).map(([id, value]) => [id, { value }])),
  },
})

/** A stream of events; this version of OpenAPI has no word for the schema of each. */
export const events = (name: SchemaName, ...frames: readonly string[]): Described => ({
  'text/event-stream': { schema: { type: 'string' }, example: frames.join(''), 'x-event-data': schemaRef(name) },
})

export const body = (content: Described): Described => ({ required: true, content })

export const answer = (description: string, content?: Described, headers?: Described): Described => ({
  description,
  ...(content ? { content } : {}),
  ...(headers ? { headers } : {}),
})

export const header = (description: string, example: string): Described => ({
  description,
  schema: { type: 'string' },
  example,
})

export const retryAfter = { 'Retry-After': header('Seconds until it makes sense to ask again.', '2') }

/** A refusal of the sign-in endpoints, with one example for each error. */
export const oauthErrors = (description: string, errors: Readonly<Record<string, string>>, headers?: Described) =>
  answer(
    description,
    {
      'application/json': {
        schema: schemaRef('OauthErrorResponse'),
        examples: Object.fromEntries(
          Object.entries(errors).map(([error, text]) => [error, { value: { error, error_description: text } }]),
        ),
      },
    },
    headers,
  )
