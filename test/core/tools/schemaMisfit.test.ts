// What the model writes for a tool of somebody else is compared with that tool's schema.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson, schemaMisfit, schemaUsage } from '../../../src/core/tools/schemaMisfit.ts'

const schema = {
  type: 'object',
  properties: {
    owner: { type: 'string' },
    state: { enum: ['open', 'closed'] },
    labels: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
    limit: { type: ['integer', 'null'] },
    filter: { type: 'object', properties: { by: { type: 'string' } }, additionalProperties: false },
    extra: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
  required: ['owner'],
}

test('the first thing that does not fit is named with its place', () => {
  const cases: readonly (readonly [unknown, string | undefined])[] = [
    [{ owner: 'a', state: 'open', labels: [{ name: 'x', more: 1 }], limit: null, filter: {}, extra: [] }, undefined],
    [[], 'The value must be an object, but is []'],
    [{}, 'The parameter "owner" is missing'],
    [{ owner: 1 }, 'The parameter "owner" must be text, but is 1'],
    [{ owner: 'a', state: 'new' }, 'The parameter "state" must be "open" or "closed", but is "new"'],
    [{ owner: 'a', labels: [{ name: 'x' }, {}] }, 'The parameter "labels[1].name" is missing'],
    [{ owner: 'a', limit: 1.5 }, 'The parameter "limit" must be a whole number or null, but is 1.5'],
    [{ owner: 'a', filter: { of: 1 } }, 'There is no parameter "filter.of"'],
    [{ owner: 'a', unknown: 1 }, undefined],
  ]
  for (const [value, misfit] of cases) assert.equal(schemaMisfit(schema, value), misfit)
})

test('a schema of any form is read without a fault', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (anySchema, value) => {
      schemaMisfit(anySchema, value)
      schemaUsage('t', anySchema)
      const known = { properties: anySchema, items: anySchema, required: anySchema, enum: anySchema, type: anySchema }
      schemaMisfit(known, value)
    }),
  )
})

test('the parameters are named with their types; members in another order are the same schema', () => {
  assert.equal(
    schemaUsage('find', { properties: { a: { type: 'string' }, b: {} }, required: ['a'] }),
    'find takes:\n- a: text (required)\n- b: any value (optional)',
  )
  assert.equal(schemaUsage('now', {}), 'now takes no parameters.')
  assert.equal(canonicalJson({ a: 1, b: [{ c: 1, d: 2 }] }), canonicalJson({ b: [{ d: 2, c: 1 }], a: 1 }))
})
