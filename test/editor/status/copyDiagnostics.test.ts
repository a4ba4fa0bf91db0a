// What a user copies into a report: what helps to find a fault, and nothing that is secret.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Log } from '../../../src/core/log/log.ts'
import { RecentFaults } from '../../../src/core/log/recentFaults.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { copyDiagnostics } = await withFakeVscode(() => import('../../../src/editor/status/copyDiagnostics.ts'))
const { EditorSettings } = await withFakeVscode(() => import('../../../src/editor/ui/editorSettings.ts'))

test('versions, changed settings and the last faults are copied, without keys and addresses of persons', async () => {
  fakeEditor.reset()
  const log = new Log()
  const shown: string[] = []
  const recent = new RecentFaults({ write: (_, line) => void shown.push(line) }, new FakeClock())
  log.open(recent)
  log.info('Started')
  log.error('Request failed', new Error('401 for ada@example.com with late-registered-key'))
  for (let count = 1; count <= 40; count++) log.warn(`Fault ${count}`)
  log.redactor.register('late-registered-key')
  fakeEditor.settings.set('kourier.model', 'kourier-large-2')
  fakeEditor.settings.set('kourier.agent.allowedCommands', ['deploy --token canary'])
  const settings = new EditorSettings()
  const facts = { extensionVersion: '0.2.0', system: 'linux x64, Node 22.1.0', account: 'in', model: 'kourier-large-2' }
  const redact = (text: string) => log.redactor.redact(text)
  await copyDiagnostics({ ...facts, settings, faults: recent.lines, redact })
  const { clipboard } = fakeEditor
  assert.match(clipboard, /^Kourier: 0\.2\.0\nEditor: /)
  assert.match(clipboard, /^kourier\.model: "kourier-large-2"\nkourier\.agent\.allowedCommands: 1 entries$/m)
  assert.doesNotMatch(clipboard, /canary|kourier\.surface|Started|Fault 10$/m)
  assert.match(clipboard, /\d{4}-\d\d-\d\dT\S+Z \[warn\] Fault 40$/m)
  assert.equal(shown.length, 42, 'all lines are in the log')
  await copyDiagnostics({ ...facts, settings, faults: ['Failed for ada@example.com with late-registered-key'], redact })
  assert.match(fakeEditor.clipboard, /Failed for …@… with …/)
  settings.dispose()
})
