// Only what the page's protocol knows reaches the extension.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../../../src/base/event.ts'
import { Log } from '../../../src/core/log/log.ts'
import { PanelPort } from '../../../src/editor/chat/panelPort.ts'

function setup() {
  const fromPage = new Emitter<unknown>()
  const posted: unknown[] = []
  const received: unknown[] = []
  const lines: string[] = []
  const log = new Log()
  log.open({ write: (_, line) => lines.push(line) })
  const page = { receive: fromPage.event, post: (message: unknown) => void posted.push(message) }
  const port = new PanelPort(page, log, message => received.push(message))
  return { port, posted, received, lines, send: (message: unknown) => fromPage.fire(message) }
}

test('a message of the protocol is handed on, without members that it does not know', () => {
  const { received, send } = setup()
  send({ kind: 'stop', conversation: 'c' })
  send({ kind: 'act', conversation: 'c', action: 'retry', command: 'workbench.action.quit' })
  assert.deepEqual(received, [
    { kind: 'stop', conversation: 'c' },
    { kind: 'act', conversation: 'c', action: 'retry' },
  ])
})

test('anything else is dropped and counted, and logged ever less often without what it holds', () => {
  const { received, lines, send } = setup()
  const secret = 'words that somebody wrote'
  for (const odd of [
    undefined,
    null,
    secret,
    [],
    {},
    { kind: secret },
    { kind: 'act', conversation: 'c', action: secret },
  ])
    send(odd)
  send({ kind: 'open', url: 1 })
  assert.deepEqual(received, [])
  assert.deepEqual(
    lines.map(line => /\d+(?=\D*$)/.exec(line)?.[0]),
    ['1', '2', '4', '8'],
  )
  assert.ok(!lines.join().includes(secret))
})

test('nothing is handed on after the end', () => {
  const { port, received, send } = setup()
  port.dispose()
  send({ kind: 'stop', conversation: 'c' })
  assert.deepEqual(received, [])
})
