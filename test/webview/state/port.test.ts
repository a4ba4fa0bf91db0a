// The page's end of the messages: what fits goes through, what does not is dropped and reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToPage } from '../../../src/protocol/panel.ts'
import { Port } from '../../../src/webview/state/port.ts'

function made() {
  const posted: { kind: string; text?: string }[] = []
  const received: ToPage[] = []
  const port = new Port({ postMessage: message => posted.push(message as { kind: string }) })
  port.onMessage(message => received.push(message))
  return { port, posted, received }
}

test('a message that fits is heard, without what it should not carry', () => {
  const { port, posted, received } = made()
  port.receive({ kind: 'model', id: 'm', extra: 'x' })
  assert.deepEqual(received, [{ kind: 'model', id: 'm' }])
  assert.deepEqual(posted, [])
})

const misfits: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['text', 'focus'],
  ['a list', []],
  ['an unknown kind', { kind: 'eval', text: 'x' }],
  ['a missing field', { kind: 'activity', conversation: 'c' }],
  ['a wrong type', { kind: 'settings', sendOnEnter: 'yes' }],
  ['an unknown account', { kind: 'account', account: { is: 'root', service: 'S' } }],
  ['a button of another kind', { kind: 'account', account: { is: 'refused', service: 'S', notice: { text: 1 } } }],
]
for (const [name, data] of misfits) {
  test(`${name} is dropped and reported`, () => {
    const { port, posted, received } = made()
    port.receive(data)
    assert.deepEqual(received, [])
    assert.deepEqual(
      posted.map(message => message.kind),
      ['report'],
    )
  })
}

test('a report says where it does not fit, never what was in it', () => {
  const { port, posted } = made()
  port.receive({ kind: 'draft', conversation: 5, text: 'a private sentence' })
  assert.match(posted[0]?.text ?? '', /draft \(conversation invalid_type\)/)
  assert.doesNotMatch(posted[0]?.text ?? '', /private/)
})

test('what goes out is judged too', () => {
  const { port, posted } = made()
  port.send({ kind: 'open', url: `https://example.com/${'x'.repeat(3_000)}` })
  assert.deepEqual(
    posted.map(message => message.kind),
    ['report'],
  )
  port.send({ kind: 'send', conversation: 'c', text: 'Hello' })
  assert.deepEqual(posted[1], { kind: 'send', conversation: 'c', text: 'Hello' })
})

test('a page that fails in every frame does not flood the log', () => {
  const { port, posted } = made()
  for (let count = 0; count < 1_000; count++) port.report('again')
  assert.equal(posted.length, 50)
})

test('a long report is clipped to what the other end accepts', () => {
  const { port, posted } = made()
  port.report('x'.repeat(10_000))
  assert.equal(posted[0]?.text?.length, 2_000)
})
