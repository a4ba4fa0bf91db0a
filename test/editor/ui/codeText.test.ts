// What a person reads about a code at the three places that show it: the notification, the status bar, the page.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CodeStep } from '../../../src/core/account/codeStep.ts'
import type { Service } from '../../../src/core/account/discovery.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'

const { codeStatus, isCodeUsable } = await withFakeVscode(() => import('../../../src/editor/status/codeStatus.ts'))
const { troubleText } = await withFakeVscode(() => import('../../../src/editor/ui/codeText.ts'))
const { signInTitle } = await withFakeVscode(() => import('../../../src/editor/account/signInTitle.ts'))

const clock = new FakeClock()
const code = { text: '12345678', uri: 'https://a.test/claim', host: 'a.test', validMs: 600_000, intervalMs: 5_000 }
const live: CodeStep = {
  is: 'showing',
  code,
  endsAt: 598_000,
  status: 'live',
}
const service = { name: 'Example', issuer: 'https://a.test' } as Service // The other members have no part in it.
const agreed = { resource: 'https://a.test', issuer: 'https://a.test', service: 'Example', email: 'ada@example.com' }
const title = (step: CodeStep) => signInTitle({ is: 'code', service, agreed, tag: 'amber-fox', step }, clock)

describe('a code that can be typed', () => {
  test('no trouble, and none is told', () => {
    assert.equal(troubleText(live, clock), undefined)
    assert.match(
      title(live),
      /^Example: enter code 1234 5678 at a\.test \(10 minutes left; .*amber-fox\)\. \[Open Browser\]/,
    )
    assert.deepEqual(codeStatus(live, clock), {
      text: '$(key) 1234 5678 (9:58)',
      tooltip: 'Enter this code at a.test. Select for what you can do.',
    })
    assert.equal(isCodeUsable(live, clock), true)
  })

  for (const [name, status, sentence] of [
    ['the service is down', 'unreachable', 'The service does not answer at the moment; still trying.'],
    [
      'another was asked for in vain',
      'not replaced',
      'The service did not give another code at the moment; this one still works.',
    ],
    [
      'the service has taken it already',
      'used',
      'The code has been used. If its page asks for more, such as a plan, answer it there; the key comes then.',
    ],
  ] as const) {
    test(`${name}: said at all three places, beside the code`, () => {
      const step: CodeStep = { ...live, status }
      assert.equal(troubleText(step, clock), sentence)
      assert.ok(title(step).includes(`${sentence} [Open Browser]`), title(step))
      assert.deepEqual(codeStatus(step, clock), {
        text: `${status === 'used' ? '$(key)' : '$(warning)'} 1234 5678 (9:58)`,
        tooltip: `Enter this code at a.test. ${sentence} Select for what you can do.`,
      })
    })
  }
})

test('a code that has run out: another is offered, and after one that could not be had it is said why', () => {
  const over: CodeStep = { ...live, status: 'expired' }
  assert.equal(troubleText(over, clock), undefined, 'nothing is being tried')
  assert.equal(title(over), 'Example: the code has expired. [Get a New Code](command:kourier.signIn.renew)')
  assert.equal(codeStatus(over, clock).tooltip, 'Get a new code in the chat view or here.')
  const again: CodeStep = { ...over, status: 'expired, not replaced' }
  const sentence = 'The service did not give another code; try again.'
  assert.equal(troubleText(again, clock), sentence)
  assert.equal(
    title(again),
    `Example: the code has expired. ${sentence} [Get a New Code](command:kourier.signIn.renew)`,
  )
  assert.deepEqual(codeStatus(again, clock), {
    text: '$(key) Kourier: code expired',
    tooltip: `${sentence} Get a new code in the chat view or here.`,
    isWarning: true,
  })
  assert.equal(isCodeUsable(again, clock), false)
})

test('while a new code is asked for, the old one is neither shown nor offered', () => {
  const renewing: CodeStep = { ...live, is: 'renewing', status: 'unreachable' }
  assert.equal(troubleText(renewing, clock), undefined)
  assert.equal(title(renewing), 'Example: getting a new code…')
  assert.deepEqual(codeStatus(renewing, clock), {
    text: '$(loading~spin) Kourier: new code',
    tooltip: 'Getting a new code…',
  })
  assert.equal(isCodeUsable(renewing, clock), false)
})

test('a notification says what is being done also where there is no code', () => {
  assert.equal(signInTitle({ is: 'registering', service, agreed }, clock), 'Example: registering…')
  const waiting =
    'Sign in to Example: Waiting for your approval in the browser, at a.test. The key can use your plan until you revoke it.'
  assert.equal(signInTitle({ is: 'browser', service, page: undefined }, clock), waiting)
  assert.equal(
    signInTitle({ is: 'browser', service, page: 'https://a.test/authorize' }, clock),
    `${waiting} [Open the Page Again](command:kourier.signIn.openBrowser)`,
  )
  assert.equal(
    signInTitle({ is: 'fetching the key', service }, clock),
    'Sign in to Example: Fetching the key. The key can use your plan until you revoke it.',
  )
  assert.equal(signInTitle({ is: 'idle' }, clock), '')
})

test('the time left is in whole minutes, so that the notification does not change every second', () => {
  const left = (ms: number) => /\(([^;]*);/.exec(title({ ...live, endsAt: ms }))?.[1]
  assert.deepEqual([598_000, 89_000, 60_000, 59_999, 1].map(left), [
    '10 minutes left',
    '1 minute left',
    '1 minute left',
    ...Array.from({ length: 2 }, () => 'less than a minute left'),
  ])
})

test('a notification has the links of what can be done with the code', () => {
  const links = '[Open Browser](command:kourier.signIn.openBrowser) | [Copy Code](command:kourier.signIn.copyCode)'
  assert.ok(title(live).endsWith(` ${links}`), title(live))
})
