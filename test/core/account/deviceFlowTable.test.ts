// Every step of a sign-in with every answer of the service: what is done next, and that nothing is left open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError, isAbort } from '../../../src/base/abort.ts'
import { isExpired } from '../../../src/core/account/codeStep.ts'
import {
  type AnswerName,
  deviceFlowTable,
  type Move,
  type StepName,
  stepNames,
} from '../../../src/core/account/deviceFlowTable.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { ContractError, ProblemError } from '../../../src/core/http/errors.ts'
import { another, DeviceFlowHarness, type Endpoint, key, spoken } from '../../support/deviceFlowHarness.ts'
import { settled } from '../../support/fakeClock.ts'
import type { Scripted } from '../../support/scriptedHttp.ts'

const answers = Object.keys(spoken) as AnswerName[]

/** What a move looks like from outside; the compiler asks for each. */
const seen: Readonly<
  Record<Move, (harness: DeviceFlowHarness, answer: AnswerName, step: StepName) => void | Promise<void>>
> = {
  async show(harness) {
    assert.equal(harness.step.is, 'showing')
    assert.equal(harness.shownCode, another.user_code)
    harness.usual = { ...harness.usual, token: spoken.granted }
    await harness.clock.advance(10_000)
    assert.deepEqual(harness.stored, [key], 'the new code is polled for')
  },
  async 'poll on'(harness) {
    const polls = count(harness, 'token')
    assert.deepEqual([harness.step.is, harness.outcome], ['showing', undefined])
    await harness.clock.advance(10_000)
    assert.ok(count(harness, 'token') > polls, 'it polls on')
  },
  async 'poll slower'(harness) {
    const polls = count(harness, 'token')
    await harness.clock.advance(9_000)
    assert.equal(count(harness, 'token'), polls, 'not at the old pace')
    await harness.clock.advance(1_000)
    assert.equal(count(harness, 'token'), polls + 1)
  },
  async expire(harness) {
    assert.ok('code' in harness.step && isExpired(harness.step))
    const asked = harness.asked.length
    await harness.clock.advance(60_000)
    assert.equal(harness.asked.length, asked, 'nothing is asked while no code is live')
    harness.flow.renew()
    harness.flow.renew()
    await harness.clock.advance(1)
    assert.equal(harness.outcome, undefined)
  },
  async collect(harness) {
    assert.ok('code' in harness.step && harness.step.is === 'showing')
    assert.deepEqual([harness.step.status, harness.outcome], ['used', undefined])
    harness.usual = { ...harness.usual, token: spoken.granted }
    await harness.clock.advance(5_000)
    assert.deepEqual(harness.stored, [key])
  },
  async 'offer again'(harness) {
    assert.ok('code' in harness.step && harness.step.is === 'showing')
    assert.deepEqual([harness.step.status, harness.outcome], ['not replaced', undefined])
    harness.usual = { ...harness.usual, token: spoken.granted }
    await harness.clock.advance(5_000)
    assert.deepEqual(harness.stored, [key], 'who approves the old code is signed in')
  },
  async keep(harness, _, step) {
    assert.deepEqual([harness.step.is, harness.stored], ['storing', [key]])
    harness.kept.resolve()
    await settled()
    assert.equal(harness.step.is, 'done')
    assert.deepEqual(harness.outcome, { done: { email: 'ada@example.com', key } }, step)
  },
  revoke(harness, _, step) {
    assert.deepEqual(harness.stored, [])
    assert.ok(harness.asked.includes('revoke'), step)
  },
  end(harness, answer) {
    assert.equal(harness.step.is, 'failed')
    const kinds = [SignInError, ProblemError, ContractError]
    assert.ok(
      kinds.some(kind => harness.fault instanceof kind),
      String(harness.fault),
    )
    if (answer === 'unclear') assert.ok(harness.fault instanceof ProblemError, 'what may pass keeps its Retry')
    assert.deepEqual(harness.stored, [])
  },
  ignore(harness, _, step) {
    assert.equal(harness.step.is, step)
    assert.ok(!harness.asked.includes('revoke'))
  },
}

const count = (harness: DeviceFlowHarness, endpoint: Endpoint) => harness.asked.filter(one => one === endpoint).length

/** Steps in which a request is on its way, so that an answer can come. `failed`: the poll that was under way. */
const answerable: readonly StepName[] = ['registering', 'polling', 'renewing', 'failed']

for (const step of answerable) {
  for (const answer of answers) {
    const move: Move = deviceFlowTable[step][answer]
    test(`${step}, and the answer is “${answer}”: ${move}`, async () => {
      const harness = await new DeviceFlowHarness().goTo(step, answer)
      assert.equal(harness.step.is, step)
      await harness.give(spokenAt(step, answer))
      await seen[move](harness, answer, step)
      harness.stop.abort(new AbortedError())
      await settled()
      await settled()
      assert.equal(harness.clock.waiting, 0, 'no timer is left')
    })
  }
}

/** A body of success means at each endpoint what that endpoint gives. */
function spokenAt(step: StepName, answer: AnswerName): Scripted {
  return step === 'renewing' && answer === 'no code' ? { body: { status: 'pending' } } : spoken[answer]
}

test('in the other steps nothing is on its way, so nothing can be answered', async () => {
  for (const step of stepNames.filter(name => !answerable.includes(name))) {
    const harness = await new DeviceFlowHarness().goTo(step)
    assert.equal(harness.step.is, step)
    assert.equal(harness.isHeld, false)
    if (step === 'asking') assert.deepEqual(harness.asked, [], 'nothing is sent before the consent')
    harness.stop.abort(new AbortedError())
    harness.agreed.resolve(undefined)
    harness.kept.resolve()
    await settled()
  }
})

test('steps follow each other in their order, and an attempt ends once', async () => {
  const harness = await new DeviceFlowHarness().goTo('done')
  assert.deepEqual(harness.steps, [
    ...['asking', 'registering', 'showing'],
    ...['polling', 'showing', 'polling', 'showing', 'storing', 'done'],
  ])
  const silent = new DeviceFlowHarness()
  silent.agreed.resolve(undefined)
  await settled()
  assert.deepEqual([silent.step.is, silent.outcome, silent.asked], ['failed', { done: undefined }, []])
  const stopped = await new DeviceFlowHarness().goTo('failed')
  assert.ok(isAbort(stopped.fault))
})
