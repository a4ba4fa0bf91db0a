// Which kind of problem an error answer is, in one table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProblemKind, problemKindOf } from '../../../src/core/http/problemKind.ts'
import { readProblem } from '../../../src/protocol/wire/problem.ts'

const problem = (status: number, body: unknown = {}) => problemKindOf(status, readProblem(body))
const gateway = (type: string, message = '') => ({ type, error: { message } })

const table: readonly [string, ProblemKind, ProblemKind][] = [
  ['a refused key', problem(401), 'key rejected'],
  ['a revoked key at an old gateway', problem(403, gateway('virtual_key_not_found')), 'key rejected'],
  ['a blocked key at a new gateway', problem(403, gateway('access_blocked')), 'key rejected'],
  [
    'a model that was not granted',
    problem(403, gateway('model_blocked', "Model 'x' is not allowed")),
    'model not granted',
  ],
  ['a provider that was not granted', problem(403, gateway('provider_blocked')), 'model not granted'],
  [
    'a model that was not granted, in words only',
    problem(403, { error: { message: 'This model is not for you' } }),
    'model not granted',
  ],
  [
    'an unknown model',
    problem(404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }),
    'model not granted',
  ],
  [
    'an unknown model as a wrong request',
    problem(400, { error: { message: 'Unknown model: x' } }),
    'model not granted',
  ],
  [
    'a model the gateway cannot place',
    problem(400, { error: { message: 'could not auto resolve a provider for x' } }),
    'model not granted',
  ],
  [
    'a model nobody has keys for',
    problem(500, { error: { message: 'no keys found that support x' } }),
    'model not granted',
  ],
  ...[
    'The model `x-4.1` does not exist',
    "Model 'x' is not allowed for this virtual key",
    'Model x is not supported',
    'Model Not Exist',
    'unknown model "x"',
    'The model x could not be found',
    'The model x has been deprecated',
    'Your project does not have access to model x',
  ].map((message): [string, ProblemKind, ProblemKind] => [
    message,
    problem(400, { error: { message } }),
    'model not granted',
  ]),
  ['a model that is not found', problem(404, gateway('not_found_error', 'model: x')), 'model not granted'],
  ...[
    'messages[2].content[0].image_url: this model does not support images',
    'messages.3: tool_use ids must be unique for the model',
    'The model produced invalid content. Consider modifying your prompt',
    'temperature is not supported with this model',
    'Invalid model output: no closing bracket',
  ].map((message): [string, ProblemKind, ProblemKind] => [
    message,
    problem(400, { error: { message, code: 'model_error' } }),
    'not accepted',
  ]),
  ['a key that is missing at an old gateway', problem(400, gateway('virtual_key_required')), 'key rejected'],
  ['a firewall', problem(403, { error: { message: 'Access denied by firewall', code: 'access_denied' } }), 'forbidden'],
  ['a proxy that says nothing', problem(403), 'forbidden'],
  ['a proxy’s policy', problem(403, { error: { message: 'Blocked by policy', code: 'forbidden' } }), 'forbidden'],
  ['an entitlement', problem(403, { error: 'entitlement_required' }), 'plan'],
  ['a plan in words alone', problem(403, { error: { message: 'Please upgrade to Pro.' } }), 'plan'],
  [
    'a plan without API',
    problem(403, { error: { message: 'The Free plan has no API access.', code: 'plan_required' } }),
    'plan',
  ],
  ['a used-up budget', problem(402, gateway('budget_exceeded')), 'plan'],
  ['a used-up budget as too many requests', problem(429, gateway('budget_exceeded', 'budget exceeded')), 'plan'],
  ['a used-up quota as too many requests', problem(429, { error: { code: 'insufficient_quota' } }), 'plan'],
  ['too many requests', problem(429), 'limit'],
  ['too many tokens', problem(429, gateway('token_limited', 'token limit exceeded')), 'limit'],
  ['a text that is too long', problem(400, { error: { code: 'context_length_exceeded', message: 'x' } }), 'too long'],
  ['a body that is too long', problem(413), 'too long'],
  ['a full window', problem(400, { error: { code: 'context_window_exceeded', message: 'x' } }), 'too long'],
  ['too many tokens for the set-up', problem(400, { error: { message: 'Input tokens exceed the limit' } }), 'too long'],
  [
    'a prompt for which the model is too small',
    problem(422, { detail: 'maximum context of the model is 5' }),
    'too long',
  ],
  ['a long prompt in words', problem(400, { error: { message: 'prompt is too long: 9 tokens > 8' } }), 'too long'],
  ['a timeout in words', problem(504, { error: { message: 'The upstream took too long to respond.' } }), 'trouble'],
  ['a slow start in words', problem(503, { error: { message: 'The model is taking too long to load' } }), 'trouble'],
  ['a long id', problem(400, { error: { message: 'tool_calls[0].id: string too long' } }), 'not accepted'],
  ['a stumble', problem(500), 'trouble'],
  ['a gateway’s page', problem(502), 'trouble'],
  ['an overload', problem(529), 'overloaded'],
  ['an overload by its word', problem(503, { error: { type: 'overloaded_error' } }), 'overloaded'],
  ['an overload in the word of another server', problem(500, gateway('overloaded')), 'overloaded'],
  ['a slow request', problem(408), 'trouble'],
  ['a conflict', problem(409), 'trouble'],
  ['a wrong request', problem(400, { error: { message: 'messages[0] is odd' } }), 'not accepted'],
  ['a path that is not there', problem(404), 'not accepted'],
]

for (const [name, kind, wanted] of table) {
  test(`${name}: ${wanted}`, () => assert.equal(kind, wanted))
}
