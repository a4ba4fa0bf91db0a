// A question of the agent is seen by a user who does not look at the chat.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { WebviewView } from 'vscode'
import { FakeClock } from '../support/fakeClock.ts'
import { fakeWebviewView } from '../support/fakeWebviewView.ts'
import { eventually } from '../support/wire.ts'
import { credential, extensionContext, resource } from './extensionContext.ts'
import { fakeEditor, recorder } from './recordedEditor.ts'
import { createServices, features } from './recordedFeatures.ts'

test('[A72] a question that waits is in the status bar and at the icon of the chat, and after 30 s in one notification', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-questions-'))
  recorder.forget()
  fakeEditor.reset()
  fakeEditor.settings.set('kourier.baseUrl', resource)
  const clock = new FakeClock()
  const context = extensionContext({ folder, credential })
  const services = createServices(context, clock)
  const started = features.map(start => start(services, context))
  const { view } = fakeWebviewView(() => {})
  const chat = recorder.providers.get('view kourier.chat') as { resolveWebviewView(view: WebviewView): unknown }
  await chat.resolveWebviewView(view)
  const statusText = () => recorder.statusBar.text
  const reminders = () => fakeEditor.messages.filter(({ text }) => text === 'The model asks for your permission.')
  try {
    await eventually('the account is there', () => recorder.contextKeys.get('kourier.account') === 'in')
    await eventually('nothing waits', () => statusText() !== '' && !statusText().includes('waiting'))
    const answer = new AbortController()
    const asking = services.sessions.current.questions
      .confirmContinue({ is: 'requests', requests: 40 }, answer.signal)
      .catch(() => {})
    await eventually('it is in the status bar', () => statusText() === '$(bell-dot) Kourier: waiting for you')
    assert.deepEqual(view.badge, { value: 1, tooltip: 'Waiting for you' })
    await clock.advance(29_999)
    assert.equal(reminders().length, 0)
    await clock.advance(60_000)
    assert.deepEqual(
      reminders().map(({ buttons }) => buttons),
      [['Answer']],
    )
    answer.abort()
    await asking
    await eventually('it is gone there', () => !statusText().includes('waiting'))
    assert.equal(view.badge, undefined)
  } finally {
    for (const feature of started) feature.dispose()
    services.dispose()
    await services.end()
    rmSync(folder, { recursive: true, force: true })
  }
})
