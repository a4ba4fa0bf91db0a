// Why no completion comes, as the user reads it in the tooltip and first in the menu, with the one thing to do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Silence } from '../../../src/core/complete/silence.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { silenceText } = await withFakeVscode(() => import('../../../src/editor/status/silenceText.ts'))
const { workStatus } = await withFakeVscode(() => import('../../../src/editor/status/workStatus.ts'))

const until = new Date(2026, 0, 1, 14, 35).getTime()
const rows: readonly (readonly [silence: Silence, text: RegExp, action?: string, command?: string])[] = [
  [{ why: 'signed out' }, /^You are signed out\.$/, 'Sign In', 'kourier.signIn'],
  [{ why: 'no model' }, /^No model is selected yet\.$/, 'Select Model', 'kourier.selectModel'],
  [
    { why: 'model thinks' },
    /thinks before each answer/,
    'Set Another Model for Completions',
    'workbench.action.openSettings',
  ],
  [{ why: 'restricted' }, /restricted/, 'Manage Workspace Trust', 'workbench.trust.manage'],
  [{ why: 'off' }, /^Completions are off\.$/, 'Turn Completions On', 'kourier.toggleCompletions'],
  [{ why: 'language off', language: 'sql' }, /off for sql\.$/, 'Turn Completions On', 'kourier.toggleCompletions'],
  [{ why: 'inline off' }, /inlineSuggest\.enabled is off\.$/, 'Open the Setting', 'workbench.action.openSettings'],
  [{ why: 'excluded', glob: '*.sql' }, /exclude .*: \*\.sql$/, 'Open the Setting', 'workbench.action.openSettings'],
  [{ why: 'looks secret', glob: '.env*' }, /: \.env\*$/, 'Open the Setting', 'workbench.action.openSettings'],
  [{ why: 'holds a secret', content: 'token' }, /holds a token/],
  [{ why: 'holds a secret', content: 'private key' }, /holds a private key/],
  [{ why: 'binary' }, /is binary/],
  [{ why: 'file too large', limit: 1_000_000 }, /more than 1000000 characters/],
  [{ why: 'line too long' }, /line is too long/, 'Format Document', 'editor.action.formatDocument'],
  [{ why: 'several cursors' }, /single cursor/, 'Remove the Other Cursors', 'removeSecondaryCursors'],
  [{ why: 'snoozed', until }, /snoozed until 2:35\sPM\.$/, 'End Snooze', 'kourier.endSnooze'],
  [{ why: 'subtle' }, /only on request/, 'Ask for a Completion', 'editor.action.inlineSuggest.trigger'],
  [{ why: 'limit reached', until }, /go on at 2:35\sPM\.$/, 'Open Dashboard', 'kourier.openDashboard'],
  [{ why: 'unreachable' }, /not be reached/, 'Ask for a Completion', 'editor.action.inlineSuggest.trigger'],
  [{ why: 'failed' }, /failed/, 'Show Log', 'kourier.showLog'],
  [
    { why: 'another extension', name: 'Other' },
    /^Other completes code too/,
    'Show Other',
    'workbench.extensions.search',
  ],
  [{ why: 'nothing fitted' }, /did not fit/, 'Ask for a Completion', 'editor.action.inlineSuggest.trigger'],
  [{ why: 'held back' }, /is held back/, 'Ask for a Completion', 'editor.action.inlineSuggest.trigger'],
]

test('each reason is one sentence with the one thing to do, which runs its command', () => {
  for (const [silence, expected, label, command] of rows) {
    fakeEditor.reset()
    const { text, action } = silenceText(silence)
    assert.match(text, expected)
    assert.equal(action?.label, label, silence.why)
    action?.run()
    assert.deepEqual(
      fakeEditor.interactions.map(one => (one.kind === 'command' ? one.id : one.kind)),
      command ? [command] : [],
    )
  }
})

test('[T35] a name of another extension or a glob brings no link and no icon', () => {
  const { text } = silenceText({ why: 'another extension', name: '[a](command:b) $(x)' })
  assert.doesNotMatch(text, /\[|\$\(/)
  assert.doesNotMatch(silenceText({ why: 'excluded', glob: '$(x)' }).text, /\$\(/)
})

test('the status item shows the end of a snooze, and stays as it is while completions are requested', () => {
  const idle = { limit: 3, waiting: 0, holders: [] }
  const snoozed = workStatus({ is: 'idle' }, idle, { why: 'snoozed', until }, 'Signed in.')
  assert.match(snoozed.text, /Kourier: snoozed until 2:35\sPM$/)
  assert.match(snoozed.tooltip, /^Signed in\. Completions are snoozed until 2:35\sPM\. Select for the menu\.$/)
  const holders = [{ window: 'work', lane: 'completion', isOwn: true, heldMs: 1 }] as const
  const ready = workStatus({ is: 'idle' }, idle, undefined, 'Signed in.')
  assert.deepEqual(workStatus({ is: 'idle' }, { ...idle, holders }, undefined, 'Signed in.'), ready)
  const chat = { ...idle, holders: [{ ...holders[0], lane: 'chat' } as const] }
  assert.match(workStatus({ is: 'idle' }, chat, undefined, 'Signed in.').tooltip, /^Working/)
})
