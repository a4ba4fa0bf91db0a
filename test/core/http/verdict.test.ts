// What a fault asks of us, in one table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ContractError,
  ProblemError,
  TooLargeError,
  TransportError,
  type TransportFailure,
} from '../../../src/core/http/errors.ts'
import { type Verdict, verdictOf } from '../../../src/core/http/verdict.ts'
import { readProblem } from '../../../src/protocol/wire/problem.ts'

const problem = (status: number, body: unknown = {}) => new ProblemError('h', status, readProblem(body))
const transport = (why: TransportFailure) => new TransportError('h', 'before', why)
const gateway = (type: string, message = '') => ({ type, error: { message } })

const table: readonly [string, unknown, Verdict['ask']][] = [
  ['a refused key', problem(401), 'signIn'],
  ['a revoked key at an old gateway', problem(403, gateway('virtual_key_not_found')), 'signIn'],
  ['a blocked key at a new gateway', problem(403, gateway('access_blocked')), 'signIn'],
  ['a model that was not granted', problem(403, gateway('model_blocked', "Model 'x' is not allowed")), 'chooseModel'],
  ['a provider that was not granted', problem(403, gateway('provider_blocked')), 'chooseModel'],
  [
    'a model that was not granted, in words only',
    problem(403, { error: { message: 'This model is not for you' } }),
    'chooseModel',
  ],
  [
    'an unknown model',
    problem(404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }),
    'chooseModel',
  ],
  ['an unknown model as a wrong request', problem(400, { error: { message: 'Unknown model: x' } }), 'chooseModel'],
  [
    'a model the gateway cannot place',
    problem(400, { error: { message: 'could not auto resolve a provider for x' } }),
    'chooseModel',
  ],
  ['a model nobody has keys for', problem(500, { error: { message: 'no keys found that support x' } }), 'chooseModel'],
  ...[
    'The model `x-4.1` does not exist',
    "Model 'x' is not allowed for this virtual key",
    'Model x is not supported',
    'Model Not Exist',
    'unknown model "x"',
    'The model x could not be found',
    'The model x has been deprecated',
    'Your project does not have access to model x',
  ].map((message): [string, unknown, 'chooseModel'] => [message, problem(400, { error: { message } }), 'chooseModel']),
  ['a model that is not found', problem(404, gateway('not_found_error', 'model: x')), 'chooseModel'],
  ...[
    'messages[2].content[0].image_url: this model does not support images',
    'messages.3: tool_use ids must be unique for the model',
    'The model produced invalid content. Consider modifying your prompt',
    'temperature is not supported with this model',
    'Invalid model output: no closing bracket',
  ].map((message): [string, unknown, 'ours'] => [
    message,
    problem(400, { error: { message, code: 'model_error' } }),
    'ours',
  ]),
  ['a key that is missing at an old gateway', problem(400, gateway('virtual_key_required')), 'signIn'],
  ['a firewall', problem(403, { error: { message: 'Access denied by firewall', code: 'access_denied' } }), 'allow'],
  ['a proxy that says nothing', problem(403), 'allow'],
  ['a proxy’s policy', problem(403, { error: { message: 'Blocked by policy', code: 'forbidden' } }), 'allow'],
  ['an entitlement', problem(403, { error: 'entitlement_required' }), 'pay'],
  ['a plan in words alone', problem(403, { error: { message: 'Please upgrade to Pro.' } }), 'pay'],
  [
    'a plan without API',
    problem(403, { error: { message: 'The Free plan has no API access.', code: 'plan_required' } }),
    'pay',
  ],
  ['a used-up budget', problem(402, gateway('budget_exceeded')), 'pay'],
  ['a used-up budget as too many requests', problem(429, gateway('budget_exceeded', 'budget exceeded')), 'pay'],
  ['a used-up quota as too many requests', problem(429, { error: { code: 'insufficient_quota' } }), 'pay'],
  ['too many requests', problem(429), 'wait'],
  ['too many tokens', problem(429, gateway('token_limited', 'token limit exceeded')), 'wait'],
  ['a text that is too long', problem(400, { error: { code: 'context_length_exceeded', message: 'x' } }), 'shorten'],
  ['a body that is too long', problem(413), 'shorten'],
  ['a full window', problem(400, { error: { code: 'context_window_exceeded', message: 'x' } }), 'shorten'],
  ['too many tokens for the set-up', problem(400, { error: { message: 'Input tokens exceed the limit' } }), 'shorten'],
  [
    'a prompt for which the model is too small',
    problem(422, { detail: 'maximum context of the model is 5' }),
    'shorten',
  ],
  ['a long prompt in words', problem(400, { error: { message: 'prompt is too long: 9 tokens > 8' } }), 'shorten'],
  ['a timeout in words', problem(504, { error: { message: 'The upstream took too long to respond.' } }), 'retry'],
  ['a slow start in words', problem(503, { error: { message: 'The model is taking too long to load' } }), 'retry'],
  ['a long id', problem(400, { error: { message: 'tool_calls[0].id: string too long' } }), 'ours'],
  ['a stumble', problem(500), 'retry'],
  ['a gateway’s page', problem(502), 'retry'],
  ['an overload', problem(529), 'retry'],
  ['a slow request', problem(408), 'retry'],
  ['a conflict', problem(409), 'retry'],
  ['a wrong request', problem(400, { error: { message: 'messages[0] is odd' } }), 'ours'],
  ['a path that is not there', problem(404), 'ours'],
  ['a reset', transport('reset'), 'retry'],
  ['an unknown name', transport('name not found'), 'retry'],
  ['a stranger’s certificate', transport('certificate'), 'ours'],
  ['a proxy that is none', transport('proxy address'), 'ours'],
  ['a proxy that wants a password', transport('proxy'), 'ours'],
  ['an empty answer', new ContractError('h', 'empty', 'stream'), 'retry'],
  ['a login page', new ContractError('h', 'html', 'body'), 'ours'],
  ['a redirect', new ContractError('h', 'redirect', 'evil.test'), 'ours'],
  ['too much', new TooLargeError('h', 5), 'ours'],
  ['a mistake of ours', new TypeError('x is not a function'), 'ours'],
  ['no fault at all', undefined, 'ours'],
]

for (const [name, fault, ask] of table) {
  test(`${name}: ${ask}`, () => assert.equal(verdictOf(fault).ask, ask))
}

test('the wait that was asked for comes along', () => {
  assert.deepEqual(verdictOf(new ProblemError('h', 429, {}, { waitMs: 7_000 })), { ask: 'wait', waitMs: 7_000 })
})
