// What decides where a key is sent comes from the user, whatever the workspace sets.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type SettingKey, settingsTable } from '../../../src/core/settings.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { EditorSettings, editorProxy } = await withFakeVscode(() => import('../../../src/editor/ui/editorSettings.ts'))

beforeEach(() => fakeEditor.reset())

test('[A67] a setting of the application is never read from a workspace, with or without one of the user', () => {
  const settings = new EditorSettings()
  const values = { baseUrl: ['https://user.example', 'https://workspace.example'], clientId: ['mine', 'theirs'] }
  for (const key of ['baseUrl', 'clientId'] as const) {
    const [own, foreign] = values[key]
    fakeEditor.workspaceSettings.set(`kourier.${key}`, foreign)
    assert.equal(settings.get(key), '')
    fakeEditor.settings.set(`kourier.${key}`, own)
    assert.equal(settings.get(key), own)
  }
  assert.equal(settings.service?.host, 'user.example')
  fakeEditor.workspaceSettings.set('kourier.maxConcurrentRequests', 3)
  assert.equal(settings.get('maxConcurrentRequests'), 0)
  fakeEditor.workspaceSettings.set('kourier.agent.mode', 'edit')
  fakeEditor.workspaceSettings.set('kourier.agent.allowedCommands', ['make'])
  assert.deepEqual([settings.get('agent.mode'), settings.get('agent.allowedCommands')], ['ask', []])
  const others: readonly SettingKey[] = [
    'baseUrl',
    'clientId',
    'maxConcurrentRequests',
    'agent.mode',
    'agent.maxRequests',
    'agent.allowedCommands',
  ]
  const application = Object.entries(settingsTable).filter(([, { scope }]) => scope === 'application')
  assert.deepEqual(
    application.map(([key]) => key),
    others,
  )
})

test('a setting of the window is read from the workspace first', () => {
  const settings = new EditorSettings()
  fakeEditor.settings.set('kourier.model', 'mine')
  assert.equal(settings.get('model'), 'mine')
  fakeEditor.workspaceSettings.set('kourier.model', 'of the project')
  assert.equal(settings.get('model'), 'of the project')
  assert.equal(settings.userValue('model'), 'mine')
})

test('[T81] a workspace switches the files of instructions off, and never on', () => {
  const settings = new EditorSettings()
  const isOn = () => settings.isOn('chat.instructionFiles')
  assert.ok(isOn())
  fakeEditor.workspaceSettings.set('kourier.chat.instructionFiles', false)
  assert.ok(!isOn())
  fakeEditor.workspaceSettings.set('kourier.chat.instructionFiles', true)
  assert.ok(isOn())
  fakeEditor.settings.set('kourier.chat.instructionFiles', false)
  assert.ok(!isOn())
})

test('no proxy and no rule for certificates comes from a workspace', () => {
  const usual = editorProxy()
  const foreign = {
    proxy: 'http://reads-along.example:8080',
    proxyAuthorization: 'Basic Zm9yZWlnbg==',
    noProxy: ['service.example'],
    proxySupport: 'off',
    proxyStrictSSL: false,
    systemCertificates: false,
  }
  for (const [key, value] of Object.entries(foreign)) fakeEditor.workspaceSettings.set(`http.${key}`, value)
  assert.deepEqual(editorProxy(), usual)
  fakeEditor.settings.set('http.proxy', 'http://proxy.example:8080')
  assert.deepEqual(editorProxy(), { ...usual, url: 'http://proxy.example:8080' })
})
