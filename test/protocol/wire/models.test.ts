// The model list, with what is no entry left out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelList } from '../../../src/protocol/wire/models.ts'

test('usable entries count, junk does not', () => {
  const { data } = modelList.parse({
    data: [
      { id: 'a', max_input_tokens: 5, owned_by: 'x' },
      null,
      'b',
      {},
      { id: '' },
      { id: 'x'.repeat(257) },
      { id: 'c' },
    ],
    extra_fields: {},
  })
  assert.deepEqual(
    data.map(({ id }) => id),
    ['a', 'c'],
  )
})

test('a limit that is none counts as unsaid', () => {
  const { data } = modelList.parse({ data: [{ id: 'a', max_input_tokens: -1, context_length: 'many', name: 5 }] })
  assert.deepEqual(data, [{ id: 'a', max_input_tokens: undefined, context_length: undefined, name: undefined }])
})

test('what is no list is refused', () => {
  for (const body of [{}, { data: 'x' }, { data: {} }, [], null]) assert.ok(!modelList.safeParse(body).success)
})
