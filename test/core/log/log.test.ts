// Every line comes out clean, in order, and as one line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Level, Log } from '../../../src/core/log/log.ts'

function opened() {
  const log = new Log()
  const lines: [Level, string][] = []
  log.open({ write: (level, line) => lines.push([level, line]) })
  return { log, lines, last: () => lines.at(-1)?.[1] ?? '' }
}

test('[T10] what was said before there was a sink comes first, and clean by what is known when it opens', () => {
  const log = new Log()
  const lines: string[] = []
  log.info('one with s3cr3t-token')
  log.redactor.register('s3cr3t-token')
  log.open({ write: (_, line) => lines.push(line) })
  log.warn('two')
  assert.deepEqual(lines, ['one with …', 'two'])
})

test('the queue before the sink does not grow without end', () => {
  const log = new Log()
  for (let count = 0; count < 2_000; count++) log.debug('x')
  let written = 0
  log.open({ write: () => void written++ })
  assert.equal(written, 500)
})

test('levels, details and faults are written', () => {
  const { log, lines } = opened()
  log.debug('asked', { host: 'h', ms: 3 })
  log.error('broke', new Error('why', { cause: new Error('deep') }))
  log.error('broke')
  assert.deepEqual(lines, [
    ['debug', 'asked {"host":"h","ms":3}'],
    ['error', 'broke {"fault":"Error: why <- Error: deep"}'],
    ['error', 'broke'],
  ])
})

test('a stranger’s text forges no line and steers no terminal', () => {
  const { log, last } = opened()
  log.warn('said', { text: 'a\n2026-01-01 [error] forged\u001b]52;c;x\u0007\u009b31m\u202eback\u2028' })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the purpose
  assert.doesNotMatch(last(), /[\u0000-\u001f\u007f-\u009f\u202e\u2028]/)
  log.info('a\r\nb')
  assert.equal(last(), 'a\\u000d\\u000ab')
  assert.equal(JSON.parse(last().replace(/^a(.*)b$/, '"$1"')), '\r\n')
})

test('[T10] a secret that lies across the longest line does not leave its half', () => {
  const { log, last } = opened()
  log.redactor.register('0123456789-0123456789')
  for (const before of [3_980, 3_990, 3_999]) {
    log.info(`${'x'.repeat(before)}0123456789-0123456789 and on`)
    assert.doesNotMatch(last(), /[0-9]/)
    assert.ok(last().length <= 4_000)
  }
})
