// Pieces of tool calls, however a server counts them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ModelEvent } from '../../../src/core/model/modelClient.ts'
import { ToolCalls } from '../../../src/core/model/toolCalls.ts'

interface Fragment {
  readonly index?: number | null
  readonly id?: string | null
  readonly name?: string
  readonly args?: unknown
}

const fragmentOf = ({ index, id, name, args }: Fragment) => ({ index, id, function: { name, arguments: args } })

function callsOf(...fragments: Fragment[]): { name: string; input: unknown; id: string }[] {
  const calls = new ToolCalls()
  for (const fragment of fragments) for (const _ of calls.take(fragmentOf(fragment)));
  return [...calls.finish()].flatMap(event => (event.kind === 'tool-call' ? [event] : []))
}

const brief = (...fragments: Fragment[]) => callsOf(...fragments).map(({ name, input }) => [name, input])

const table: readonly [string, Fragment[], [string, unknown][]][] = [
  [
    'one call in pieces',
    [
      { index: 0, id: 'a', name: 'f', args: '' },
      { index: 0, args: '{"q"' },
      { index: 0, args: ':1}' },
    ],
    [['f', { q: 1 }]],
  ],
  [
    'two calls side by side',
    [
      { index: 0, id: 'a', name: 'f', args: '{"q"' },
      { index: 1, id: 'b', name: 'g', args: '{' },
      { index: 0, args: ':1}' },
      { index: 1, args: '}' },
    ],
    [
      ['f', { q: 1 }],
      ['g', {}],
    ],
  ],
  [
    'no index, by id',
    [
      { id: 'a', name: 'f', args: '{}' },
      { id: 'b', name: 'g', args: '{"x":2}' },
    ],
    [
      ['f', {}],
      ['g', { x: 2 }],
    ],
  ],
  ['no index, no id: to the last', [{ id: 'a', name: 'f', args: '{"x"' }, { args: ':1}' }], [['f', { x: 1 }]]],
  [
    'the same index with another id',
    [
      { index: 0, id: 'a', name: 'f', args: '{}' },
      { index: 0, id: 'b', name: 'g', args: '{}' },
    ],
    [
      ['f', {}],
      ['g', {}],
    ],
  ],
  [
    'the same index, no ids, each whole',
    [
      { index: 0, name: 'f', args: '{"x":1}' },
      { index: 0, name: 'f', args: '{"x":2}' },
    ],
    [
      ['f', { x: 1 }],
      ['f', { x: 2 }],
    ],
  ],
  [
    'the same index, no ids, no arguments',
    [
      { index: 0, name: 'f', args: '' },
      { index: 0, name: 'g', args: '' },
    ],
    [
      ['f', {}],
      ['g', {}],
    ],
  ],
  [
    'the same index, no ids, as objects',
    [
      { index: 0, name: 'f', args: { x: 1 } },
      { index: 0, name: 'g', args: { y: 2 } },
    ],
    [
      ['f', { x: 1 }],
      ['g', { y: 2 }],
    ],
  ],
  [
    'the name repeated with each piece',
    [
      { index: 0, id: 'a', name: 'f', args: '{"x"' },
      { index: 0, id: 'a', name: 'f', args: ':1}' },
      { index: 0, name: 'f', args: '' },
    ],
    [['f', { x: 1 }]],
  ],
  [
    'the name repeated, no ids',
    [
      { index: 0, name: 'f', args: '' },
      { index: 0, name: 'f', args: '{"x"' },
      { index: 0, name: 'f', args: ':1}' },
    ],
    [['f', { x: 1 }]],
  ],
  [
    'an empty id goes on',
    [
      { index: 0, id: 'a', name: 'f', args: '{' },
      { index: 0, id: '', args: '}' },
      { index: 0, id: null, args: ' ' },
    ],
    [['f', {}]],
  ],
  [
    'an id that changes without a name goes on',
    [
      { index: 0, id: 'a', name: 'f', args: '{"x"' },
      { index: 0, id: 'a2', args: ':1}' },
    ],
    [['f', { x: 1 }]],
  ],
  [
    'indexes from one, with gaps',
    [
      { index: 1, id: 'a', name: 'f', args: '{}' },
      { index: 7, id: 'b', name: 'g', args: '{}' },
    ],
    [
      ['f', {}],
      ['g', {}],
    ],
  ],
  ['no arguments at all', [{ index: 0, id: 'a', name: 'f' }], [['f', {}]]],
  ['null as arguments', [{ index: 0, id: 'a', name: 'f', args: null }], [['f', {}]]],
  ['an object as arguments', [{ index: 0, id: 'a', name: 'f', args: { q: 1 } }], [['f', { q: 1 }]]],
  [
    'text behind the arguments',
    [{ index: 0, id: 'a', name: 'f', args: '{"a":1}Let me read' }],
    [['f', '{"a":1}Let me read']],
  ],
  ['a text as arguments', [{ index: 0, id: 'a', name: 'f', args: '"foo"' }], [['f', '"foo"']]],
  ['a list as arguments', [{ index: 0, id: 'a', name: 'f', args: '[1]' }], [['f', '[1]']]],
  ['arguments cut off', [{ index: 0, id: 'a', name: 'f', args: '{"a":' }], [['f', '{"a":']]],
  ['a piece without any call', [{ index: 0, args: '{}' }, { name: '' }], []],
]

for (const [name, fragments, expected] of table) test(name, () => assert.deepEqual(brief(...fragments), expected))

test('[R30] a missing id is made, unlike any other', () => {
  const calls = [0, 1].flatMap(() =>
    callsOf({ index: 0, name: 'f' }, { index: 1, name: 'g' }, { index: 2, id: 'call_1', name: 'h' }),
  )
  assert.equal(new Set(calls.map(({ id }) => id)).size, 5)
})

test('what is shown while it comes is what the call is made of', () => {
  const splits = fc.array(fc.nat(30), { maxLength: 5 })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), splits, (input, cuts) => {
      const text = JSON.stringify(input)
      const places = [0, ...cuts.map(cut => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
      const chunks = places.slice(1).map((place, index) => text.slice(places[index], place))
      const calls = new ToolCalls()
      const events: ModelEvent[] = [...calls.take(fragmentOf({ index: 0, id: 'a', name: 'f' }))]
      for (const args of chunks) events.push(...calls.take(fragmentOf({ index: 0, args })))
      const shown = events.flatMap(event => (event.kind === 'tool-input-delta' ? [event.text] : [])).join('')
      assert.equal(shown, text)
      assert.deepEqual([...calls.finish()], [{ kind: 'tool-call', id: 'a', name: 'f', input: JSON.parse(text) }])
    }),
  )
})

test('[T71] a member named __proto__ in arguments changes nothing', () => {
  const [call] = callsOf({ index: 0, name: 'f', args: '{"__proto__":{"polluted":1}}' })
  assert.ok(Object.hasOwn(call?.input as object, '__proto__'))
  assert.equal(({} as { polluted?: number }).polluted, undefined)
})
