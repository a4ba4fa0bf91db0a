// Which answers end a question.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type QuestionAnswer, Questions } from '../../../src/core/agent/questions.ts'
import type { PendingCall } from '../../../src/core/tools/approvals.ts'
import { settled } from '../../support/fakeClock.ts'
import { echo } from '../../support/turnFixture.ts'
import { never } from '../../support/wire.ts'

const call = (part: string): PendingCall => ({
  ...{ conversation: 'c', turn: 't', answer: 'a', part, tool: echo('run', 'run'), input: {} },
  prepared: { is: 'ready', concerns: [] },
})

test('[A71] a question is answered by its own id while it is open, and by nothing else', async () => {
  let ids = 0
  const questions = new Questions(() => `random-${++ids}`)
  const answers: unknown[] = []
  const ask = (part: string, signal = never) =>
    questions.ask(call(part), signal).then(
      ({ is }) => answers.push([part, is]),
      () => answers.push([part, 'withdrawn']),
    )
  const answer = async (question: string, is: QuestionAnswer['is'] = 'allow') => {
    questions.answer([{ question, is }])
    await settled()
  }
  const withdrawn = new AbortController()
  void ask('one')
  void ask('two', withdrawn.signal)
  const [first, second] = questions.open.map(({ id }) => id)
  assert.ok(first && second && first !== second)
  for (const guess of ['one', 'two', 't', 'c', '', 'random-3', '__proto__']) await answer(guess)
  assert.deepEqual(answers, [])
  withdrawn.abort()
  await settled()
  await answer(second)
  await answer(first, 'deny')
  assert.deepEqual(answers, [
    ['two', 'withdrawn'],
    ['one', 'denied'],
  ])
  void ask('one')
  await answer(first)
  await answer(second)
  assert.equal(answers.length, 2, 'the same call that is asked about again has a question of its own')
  await answer(questions.open[0]?.id ?? '')
  assert.deepEqual(answers.at(-1), ['one', 'allowed'])
})
