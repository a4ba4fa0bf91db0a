// An error body in any dialect means the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Problem, readProblem } from '../../../src/protocol/wire/problem.ts'

const table: readonly [string, unknown, Problem][] = [
  ['OAuth', { error: 'access_denied', error_description: 'No.' }, { code: 'access_denied', text: 'No.' }],
  ['OAuth with a message', { error: 'invalid_request', message: 'No.' }, { code: 'invalid_request', text: 'No.' }],
  ['an object', { error: { code: 'slow_down', message: 'Wait.' } }, { code: 'slow_down', text: 'Wait.' }],
  [
    'only a code, as the text',
    { message: 'authorization_pending' },
    { code: 'authorization_pending', text: 'authorization_pending' },
  ],
  [
    'inference',
    { error: { message: 'No.', type: 'invalid_request_error', param: null, code: null } },
    { code: 'invalid_request_error', type: 'invalid_request_error', text: 'No.' },
  ],
  ['a number as code', { error: { message: 'No.', code: 429 } }, { code: '429', text: 'No.' }],
  [
    'a gateway, the policy word outside',
    { type: 'model_blocked', status_code: 403, is_bifrost_error: false, error: { message: 'No.' } },
    { type: 'model_blocked', text: 'No.' },
  ],
  [
    'a gateway, wrapped once more',
    { error: { type: 'rate_limited', status_code: 429, error: { message: 'Slower.' } } },
    { type: 'rate_limited', text: 'Slower.' },
  ],
  ['a text in an object in an object', { error: { error: 'It broke.' } }, { text: 'It broke.' }],
  ['a sentence as error', { error: 'It broke down.' }, { text: 'It broke down.' }],
  ['a plain object', { object: 'error', message: 'No.', code: 40_001 }, { code: '40001', text: 'No.' }],
  ['a detail', { detail: 'Not found here.' }, { text: 'Not found here.' }],
  ['a list of details', { detail: [{ msg: 'a', loc: ['x'] }, null, { msg: 'b' }] }, { text: 'a; b' }],
  ['a bare text', ' oh no \n', { text: 'oh no' }],
  ['nothing', {}, {}],
  ['no error after all', { error: null }, {}],
  ['an empty text', '  ', {}],
  ['a list', [{ error: 'x' }], {}],
  ['nothing at all', undefined, {}],
]

for (const [name, body, expected] of table) {
  test(`reads ${name}`, () => assert.deepEqual(readProblem(body), expected))
}

test('never throws and gives only texts, whatever came', () => {
  const words = ['error', 'message', 'type', 'code', 'detail', 'error_description', 'msg'].map(word =>
    fc.constant(word),
  )
  const body = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.string(),
      fc.constantFrom(null, true, 0, -1.5),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(...words), tie('value'), { maxKeys: 4 }),
    ),
  })).value
  fc.assert(
    fc.property(body, value => {
      for (const text of Object.values(readProblem(value))) {
        assert.equal(typeof text, 'string')
        assert.doesNotMatch(text, /\[object Object\]/)
      }
    }),
  )
})

test('a body nested without end uses up no stack', () => {
  let deep: unknown = { message: 'bottom' }
  for (let level = 0; level < 200_000; level++) deep = { error: deep }
  assert.deepEqual(readProblem(deep), {})
})
