// What a model answers about the next edit: the request, and which answers are used.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ModelEdits } from '../../../src/core/nextEdit/modelEdits.ts'
import { wordsOf } from '../../support/messages.ts'
import { HandModel } from '../complete/handModel.ts'
import { snapshotAt } from '../complete/snapshots.ts'

const snapshot = snapshotAt('first(|a, b)\n  second(a)\nthird(a)\nthird(a)\n')
const question = { snapshot, edits: ['src/a.ts:1\n-first(a)\n+first(a, b)'], problems: ['Expected 2 arguments'] }

async function answered(answer: string, why: 'done' | 'length' = 'done') {
  const models = new HandModel()
  const edits = new ModelEdits({ models, model: () => 'm', thinkingOff: () => ({ thinkingOff: 'effort' }) })
  const asked = edits.suggest({ ...question, place: { first: 1, end: 4 } }, new AbortController().signal)
  await models.last.emit(answer)
  await models.last.finish(why)
  const replacement = await asked
  const { text } = snapshot
  const after = replacement && text.slice(0, replacement.start) + replacement.text + text.slice(replacement.end)
  return { request: models.last.request, after }
}

const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`

describe('the answer', () => {
  const good = 'first(a, b)\n  second(a, b)\nthird(a)\nthird(a)\n'
  const cases: [string, string, string | undefined][] = [
    ['one block', block('  second(a)', '  second(a, b)'), good],
    ['a block in a fence, with talk', `Sure:\n\`\`\`\n${block('  second(a)', '  second(a, b)')}\n\`\`\``, good],
    ['lines that go', block('  second(a)\nthird(a)', 'third(a)'), 'first(a, b)\nthird(a)\nthird(a)\n'],
    ['nothing', 'NONE', undefined],
    ['lines that are not there', block('second()', 'second(b)'), undefined],
    ['lines that are there twice', block('third(a)', 'third(a, b)'), undefined],
    ['a part of a line', block('second(a)', 'second(a, b)'), undefined],
    ['lines outside of the region', block('first(a, b)', 'first(b)'), undefined],
    ['no change', block('  second(a)', '  second(a)'), undefined],
    ['far too much', block('  second(a)', Array(20).fill('x').join('\n')), undefined],
  ]
  for (const [name, answer, expected] of cases) {
    test(`of ${name}`, async () => assert.equal((await answered(answer)).after, expected))
  }

  test('that was cut off is not used', async () => {
    assert.equal((await answered(block('  second(a)', '  second(a, b)'), 'length')).after, undefined)
  })
})

test('the request has the edits, the problems and the region, and gives way to others', async () => {
  const { request } = await answered('NONE')
  const { lane, temperature, maxTokens, thinkingOff } = request
  assert.deepEqual([lane, temperature, maxTokens, thinkingOff], ['completion', 0, 400, 'effort'])
  const text = request.messages.map(wordsOf).join('')
  assert.match(text, /\+first\(a, b\)\n```\nProblems in the region:\n```\nExpected 2 arguments\n```\n/)
  assert.match(text, /The region, of src\/a\.ts:\n```\n {2}second\(a\)\nthird\(a\)\nthird\(a\)\n```\nThe next edit:$/)
})

test('without a model nothing is asked', async () => {
  const models = new HandModel()
  const edits = new ModelEdits({ models, model: () => undefined, thinkingOff: () => ({}) })
  assert.equal(
    await edits.suggest({ ...question, place: { first: 1, end: 4 } }, new AbortController().signal),
    undefined,
  )
  assert.equal(models.calls.length, 0)
})
