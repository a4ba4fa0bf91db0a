// Every step of a sign-in with every answer of the service: what is done next, and that nothing is left open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError, isAbort } from '../../../src/base/abort.ts'
import { isExpired } from '../../../src/core/account/deviceFlow.ts'
import {
  type AnswerName,
  deviceFlowTable,
  type Move,
  type StepName,
  stepNames,
} from '../../../src/core/account/deviceFlowTable.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { ContractError, ProblemError } from '../../../src/core/http/errors.ts'
import { another, type Endpoint, key, Stage, spoken } from '../../support/ceremonyStage.ts'
import { settled } from '../../support/fakeClock.ts'
import type { Scripted } from '../../support/scriptedHttp.ts'

const answers = Object.keys(spoken) as AnswerName[]

/** What a move looks like from outside; the compiler asks for each. */
const seen: Readonly<Record<Move, (stage: Stage, answer: AnswerName, step: StepName) => void | Promise<void>>> = {
  async show(stage) {
    assert.equal(stage.step.is, 'showing')
    assert.equal(stage.shownCode, another.user_code)
    stage.usual = { ...stage.usual, token: spoken.granted }
    await stage.clock.advance(10_000)
    assert.deepEqual(stage.stored, [key], 'the new code is polled for')
  },
  async 'poll on'(stage) {
    const polls = count(stage, 'token')
    assert.deepEqual([stage.step.is, stage.outcome], ['showing', undefined])
    await stage.clock.advance(10_000)
    assert.ok(count(stage, 'token') > polls, 'it polls on')
  },
  async 'poll slower'(stage) {
    const polls = count(stage, 'token')
    await stage.clock.advance(9_000)
    assert.equal(count(stage, 'token'), polls, 'not at the old pace')
    await stage.clock.advance(1_000)
    assert.equal(count(stage, 'token'), polls + 1)
  },
  async expire(stage) {
    assert.ok('code' in stage.step && isExpired(stage.step))
    const asked = stage.asked.length
    await stage.clock.advance(60_000)
    assert.equal(stage.asked.length, asked, 'nothing is asked while no code is live')
    stage.ceremony.renew()
    stage.ceremony.renew()
    await stage.clock.advance(1)
    assert.equal(stage.outcome, undefined)
  },
  async collect(stage) {
    assert.ok('code' in stage.step && stage.step.is === 'showing')
    assert.deepEqual([stage.step.status, stage.outcome], ['used', undefined])
    stage.usual = { ...stage.usual, token: spoken.granted }
    await stage.clock.advance(5_000)
    assert.deepEqual(stage.stored, [key])
  },
  async 'offer again'(stage) {
    assert.ok('code' in stage.step && stage.step.is === 'showing')
    assert.deepEqual([stage.step.status, stage.outcome], ['not replaced', undefined])
    stage.usual = { ...stage.usual, token: spoken.granted }
    await stage.clock.advance(5_000)
    assert.deepEqual(stage.stored, [key], 'who approves the old code is signed in')
  },
  async keep(stage, _, step) {
    assert.deepEqual([stage.step.is, stage.stored], ['storing', [key]])
    stage.kept.resolve()
    await settled()
    assert.equal(stage.step.is, 'done')
    assert.deepEqual(stage.outcome, { done: { email: 'ada@example.com', key } }, step)
  },
  'give back'(stage, _, step) {
    assert.deepEqual(stage.stored, [])
    assert.ok(stage.asked.includes('revoke'), step)
  },
  end(stage, answer) {
    assert.equal(stage.step.is, 'failed')
    const kinds = [SignInError, ProblemError, ContractError]
    assert.ok(
      kinds.some(kind => stage.fault instanceof kind),
      String(stage.fault),
    )
    if (answer === 'unclear') assert.ok(stage.fault instanceof ProblemError, 'what may pass keeps its Retry')
    assert.deepEqual(stage.stored, [])
  },
  ignore(stage, _, step) {
    assert.equal(stage.step.is, step)
    assert.ok(!stage.asked.includes('revoke'))
  },
}

const count = (stage: Stage, endpoint: Endpoint) => stage.asked.filter(one => one === endpoint).length

/** Steps in which a request is on its way, so that an answer can come. `failed`: the poll that was under way. */
const answerable: readonly StepName[] = ['registering', 'polling', 'renewing', 'failed']

for (const step of answerable) {
  for (const answer of answers) {
    const move: Move = deviceFlowTable[step][answer]
    test(`${step}, and the answer is “${answer}”: ${move}`, async () => {
      const stage = await new Stage().goTo(step, answer)
      assert.equal(stage.step.is, step)
      await stage.give(spokenAt(step, answer))
      await seen[move](stage, answer, step)
      stage.stop.abort(new AbortedError())
      await settled()
      await settled()
      assert.equal(stage.clock.waiting, 0, 'no timer is left')
    })
  }
}

/** A body of success means at each endpoint what that endpoint gives. */
function spokenAt(step: StepName, answer: AnswerName): Scripted {
  return step === 'renewing' && answer === 'no code' ? { body: { status: 'pending' } } : spoken[answer]
}

test('in the other steps nothing is on its way, so nothing can be answered', async () => {
  for (const step of stepNames.filter(name => !answerable.includes(name))) {
    const stage = await new Stage().goTo(step)
    assert.equal(stage.step.is, step)
    assert.equal(stage.isHeld, false)
    if (step === 'asking') assert.deepEqual(stage.asked, [], 'nothing is sent before the consent')
    stage.stop.abort(new AbortedError())
    stage.agreed.resolve(undefined)
    stage.kept.resolve()
    await settled()
  }
})

test('steps follow each other in their order, and an attempt ends once', async () => {
  const stage = await new Stage().goTo('done')
  assert.deepEqual(stage.steps, [
    ...['asking', 'registering', 'showing'],
    ...['polling', 'showing', 'polling', 'showing', 'storing', 'done'],
  ])
  const silent = new Stage()
  silent.agreed.resolve(undefined)
  await settled()
  assert.deepEqual([silent.step.is, silent.outcome, silent.asked], ['failed', { done: undefined }, []])
  const stopped = await new Stage().goTo('failed')
  assert.ok(isAbort(stopped.fault))
})
