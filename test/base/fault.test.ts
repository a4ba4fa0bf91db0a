// Anything thrown becomes a text for the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultCode, faultText, never } from '../../src/base/fault.ts'

test('a fault tells its causes', () => {
  const fault = new Error('outer', { cause: new TypeError('inner', { cause: 'deep' }) })
  assert.equal(faultText(fault), 'Error: outer <- TypeError: inner <- deep')
})

test('whatever was thrown has a text', () => {
  const odd: unknown[] = ['text', 7, Symbol('s'), null, undefined, Object.create(null), { toString: 1 }, [[]]]
  for (const thrown of odd) assert.equal(typeof faultText(thrown), 'string')
  const circle: Error = new Error('round')
  circle.cause = circle
  assert.ok(faultText(circle).length < 500)
  assert.equal(faultCode(circle), undefined)
})

test('the nearest code counts, also that of one of several tries', () => {
  const coded = (code: unknown, cause?: unknown) => Object.assign(new Error('x', { cause }), { code })
  assert.equal(faultCode(coded('A', coded('B'))), 'A')
  assert.equal(faultCode(new Error('x', { cause: coded('B') })), 'B')
  assert.equal(faultCode(coded(42)), undefined)
  assert.equal(faultCode(new AggregateError([new Error('x'), coded('ECONNREFUSED')])), 'ECONNREFUSED')
  assert.equal(faultCode('text'), undefined)
})

test('an impossible case names itself', () => {
  assert.throws(() => never('new kind' as never), /new kind/)
})
