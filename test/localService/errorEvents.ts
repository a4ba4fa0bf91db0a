// How services of this field report in the middle of a stream that they have failed.

type Shape = (message: string) => string

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const named = (event: string, value: unknown) => `event: ${event}\n${data(value)}`

/** Bifrost's error object, as it is sent alone on the chat surface. */
const bifrost = (message: string) => ({
  is_bifrost_error: false,
  status_code: 502,
  error: { message, type: 'provider_connection_failed' },
  extra_fields: { provider: 'local' },
})

const shapes = {
  /** Chat completions: an object, or a text. */
  openai: message => data({ error: { message, type: 'server_error', code: null } }),
  text: message => data({ error: message }),
  /** Bifrost: bare, or once more under `error`. */
  bifrost: message => data(bifrost(message)),
  'bifrost-wrapped': message => data({ error: bifrost(message) }),
  /** Named by its event line as well. */
  'named-event': message => named('error', { error: { message, type: 'server_error' } }),
  /** Two JSON values behind one `data:`, and a field that no format has. */
  'bare-json': message => `${JSON.stringify({ code: 502, error: { message } })}\n\n`,
  'error-field': message => `error: ${JSON.stringify({ detail: message })}\n\n`,
  /** Messages, overloaded: by its type, since the status has long been 200. */
  messages: message => named('error', { type: 'error', error: { type: 'overloaded_error', message } }),
  /** Responses: with the members at the top, under `error`, as a failed response, and twice. */
  responses: message => named('error', { type: 'error', code: 'server_error', message, param: null }),
  'responses-nested': message => named('error', { type: 'error', error: { type: 'server_error', message } }),
  'responses-failed': message => failed(message),
  'responses-twice': message => failed(message) + named('error', { type: 'error', code: 'server_error', message }),
} as const satisfies Record<string, Shape>

const failed = (message: string) =>
  named('response.failed', {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error', message } },
  })

export type ErrorShape = keyof typeof shapes

export const errorShapes = Object.keys(shapes) as [ErrorShape, ...ErrorShape[]]

export const errorEvent = (shape: ErrorShape, message = 'The model has failed.'): string => shapes[shape](message)
