// The status bar shows the same as the chat about a question that failed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransportError } from '../../../src/core/http/errors.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'

const { workStatus } = await withFakeVscode(() => import('../../../src/editor/status/workStatus.ts'))

const idle = { limit: 3, waiting: 0, holders: [] }
const statusOf = (fault: unknown) => workStatus({ is: 'failed', fault }, idle, undefined, 'Signed in.')

test('a service that was not reached is out of reach', () => {
  for (const why of ['name not found', 'refused', 'unreachable', 'connect timeout'] as const) {
    assert.deepEqual(statusOf(new TransportError('a.test', 'before', why)), {
      text: '$(debug-disconnect) Kourier: offline',
      tooltip: 'a.test could not be reached. Retry in the chat.',
    })
  }
})

test('a proxy that was not reached is named in its place', () => {
  const about = { proxy: 'proxy.test:8080', isProxyFault: true }
  const { tooltip } = statusOf(new TransportError('a.test', 'before', 'refused', about))
  assert.equal(tooltip, 'The proxy proxy.test:8080 could not be reached. Retry in the chat.')
})

test('one that broke off or stopped responding is not: the chat says what happened', () => {
  for (const why of ['reset', 'silence', 'first byte timeout', 'asleep', 'certificate'] as const) {
    assert.equal(statusOf(new TransportError('a.test', 'during', why)).text, '$(sparkle) Kourier')
  }
})
