// How long to wait, in every form of the header; junk is ignored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRetryAfter } from '../../../src/core/http/retryAfter.ts'

const now = Date.UTC(2026, 9, 21, 7, 28, 0)
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const longDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value: number) => String(value).padStart(2, '0')

/** The three forms of RFC 9110 5.6.7. */
const forms: readonly [string, (date: Date) => string][] = [
  ['IMF-fixdate', date => date.toUTCString()],
  [
    'RFC 850',
    date =>
      `${longDays[date.getUTCDay()]}, ${two(date.getUTCDate())}-${months[date.getUTCMonth()]}-${two(date.getUTCFullYear() % 100)} ${time(date)} GMT`,
  ],
  [
    'asctime',
    date =>
      `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2, ' ')} ${time(date)} ${date.getUTCFullYear()}`,
  ],
]
const time = (date: Date) => [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')

for (const [name, write] of forms) {
  test(`reads a date as ${name}, and one that is over as nothing to wait for`, () => {
    const epochSeconds = fc
      .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2045, 0, 1) })
      .map(ms => Math.floor(ms / 1000))
    fc.assert(
      fc.property(epochSeconds, seconds => {
        const at = seconds * 1000
        assert.equal(readRetryAfter(write(new Date(at)), now), Math.max(0, at - now))
      }),
    )
  })
}

test('reads whole seconds', () => {
  fc.assert(
    fc.property(fc.nat(), seconds => {
      assert.equal(readRetryAfter(` ${seconds} `, now), seconds * 1000)
    }),
  )
})

test('a date between two seconds is rounded up', () => {
  assert.equal(readRetryAfter('Wed, 21 Oct 2026 07:28:10 GMT', now + 1), 10_000)
})

test('[R14] junk counts as missing', () => {
  const junk = [undefined, '', ' ', 'soon', '-1', '1.5', '1e3', '0x10', '+5', 'NaN', 'Infinity', '2026-10-21', '5, 5']
  const dates = ['Wed, 99 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 CET', 'Xyz, 21 Oct 2026 07:28:00 GMT']
  for (const header of [...junk, ...dates, '9'.repeat(16)]) assert.equal(readRetryAfter(header, now), undefined, header)
})

test('never gives what a timer could not hold on to', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w ,:-]{0,40}$/)), header => {
      const waitMs = readRetryAfter(header, now)
      assert.ok(waitMs === undefined || (Number.isFinite(waitMs) && waitMs >= 0))
    }),
  )
})
