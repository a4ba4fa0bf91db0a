// What a model may get wrong in a call, and the message that it receives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkArguments } from '../../../src/core/tools/checkArguments.ts'
import { type FlatSchema, jsonSchema } from '../../../src/core/tools/flatSchema.ts'

const schema: FlatSchema = {
  properties: {
    path: { type: 'string', description: 'Relative to the workspace.' },
    from: { type: 'integer', minimum: 1 },
    share: { type: 'number', minimum: 0, maximum: 1 },
    all: { type: 'boolean' },
    kind: { type: 'string', enum: ['file', 'folder'] },
    names: { type: 'array', items: { type: 'string' } },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { old_text: { type: 'string' }, new_text: { type: 'string' }, line: { type: 'integer' } },
        required: ['old_text', 'new_text'],
      },
    },
  },
  required: ['path'],
}

const inputOf = (given: unknown) => {
  const checked = checkArguments('edit', schema, given)
  return checked.isFit ? checked.input : checked.problem.split('\n')[0]
}

test('what fits is passed as it is', () => {
  const given = {
    path: 'a',
    from: 3,
    share: 0.5,
    all: false,
    kind: 'file',
    names: ['x'],
    edits: [{ old_text: 'a', new_text: '' }],
  }
  assert.deepEqual(inputOf(given), given)
})

test('[A04] known slips are corrected', () => {
  for (const [given, meant] of [
    [{ file_path: 'a' }, { path: 'a' }],
    [{ filePath: 'a' }, { path: 'a' }],
    [
      { path: 'a', from: ' 12 ', share: '0.5' },
      { path: 'a', from: 12, share: 0.5 },
    ],
    [
      { path: 'a', edits: { old_text: 'a', new_text: 'b', line: '4' } },
      { path: 'a', edits: [{ old_text: 'a', new_text: 'b', line: 4 }] },
    ],
  ])
    assert.deepEqual(inputOf(given), meant)
  const search = { properties: { pattern: { type: 'string' } }, required: ['pattern'] } as const
  assert.deepEqual(checkArguments('search', search, { query: 'x' }), { isFit: true, input: { pattern: 'x' } })
})

test('[A04] everything else is told, the first thing that is wrong and where', () => {
  for (const [given, message] of [
    [{}, 'The parameter "path" is missing.'],
    [{ path: 'a', file_path: 'b' }, 'There is no parameter "file_path".'],
    [{ file_path: 'a', filePath: 'b' }, 'There is no parameter "filePath".'],
    [{ path: 'a', replaceAll: true }, 'There is no parameter "replaceAll".'],
    [{ path: 5 }, 'The parameter "path" must be text, but is 5.'],
    [{ path: null }, 'The parameter "path" must be text, but is null.'],
    [{ path: 'a', from: 0 }, 'The parameter "from" must be a whole number, at least 1, but is 0.'],
    [{ path: 'a', from: '1.5' }, 'The parameter "from" must be a whole number, at least 1, but is "1.5".'],
    [{ path: 'a', share: 2 }, 'The parameter "share" must be a number from 0 to 1, but is 2.'],
    [{ path: 'a', all: 'true' }, 'The parameter "all" must be true or false, but is "true".'],
    [{ path: 'a', kind: 'link' }, 'The parameter "kind" must be one of "file", "folder", but is "link".'],
    [{ path: 'a', names: 'x' }, 'The parameter "names" must be a list, each item text, but is "x".'],
    [{ path: 'a', names: [1] }, 'The parameter "names[0]" must be text, but is 1.'],
    [{ path: 'a', edits: [{ old_text: 'a' }] }, 'The parameter "edits[0].new_text" is missing.'],
    [{ path: 'a', edits: [{ old: 'a' }] }, 'There is no parameter "edits[0].old".'],
    ['{"path": "a', 'The arguments are no JSON object: "{\\"path\\": \\"a".'],
    [[1], 'The arguments are no JSON object: "[1]".'],
    [undefined, 'The arguments are no JSON object: "".'],
    [JSON.parse('{"path": "a", "__proto__": {}}'), 'There is no parameter "__proto__".'],
  ] as const)
    assert.equal(inputOf(given), message)
})

test('the answer names every parameter in a line of its own', () => {
  const checked = checkArguments('edit', schema, {})
  assert.ok(!checked.isFit)
  assert.deepEqual(checked.problem.split('\n').slice(1, 4), [
    'edit takes:',
    '- path: text (required). Relative to the workspace.',
    '- from: whole number, at least 1 (optional)',
  ])
  assert.match(checked.problem, /- edits: list of objects \{old_text: text, new_text: text, line\?: whole number\}/)
  const none = checkArguments('look', { properties: {} }, { at: 1 })
  assert.match(none.isFit ? '' : none.problem, /look takes no parameters\.$/)
})

test('whatever is given, it is judged, and what fits has only parameters of the tool', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom('path', 'from', 'edits', 'x'), fc.anything())),
      given => {
        const checked = checkArguments('edit', schema, given)
        if (checked.isFit) assert.ok(Object.keys(checked.input).every(name => Object.hasOwn(schema.properties, name)))
        else assert.ok(checked.problem.length > 0)
      },
    ),
  )
})

test('the schema for the service refuses what the tool does not name, in a list as well', () => {
  const small: FlatSchema = {
    properties: { edits: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } } },
  }
  assert.deepEqual(jsonSchema(small), {
    type: 'object',
    properties: {
      edits: {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false },
      },
    },
    required: [],
    additionalProperties: false,
  })
})
