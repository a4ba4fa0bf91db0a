// The extension comes to life in a real editor.
import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type ExtensionContext, ExtensionMode, extensions } from 'vscode'

describe('the extension', () => {
  it('activates', async () => {
    const extension = extensions.getExtension('kourier.kourier')
    assert.ok(extension)
    await extension.activate()
    assert.equal(extension.isActive, true)
  })

  it('shows its context to tests', () => {
    const seen: unknown = Reflect.get(globalThis, Symbol.for('kourier.test.context'))
    assert.equal((seen as ExtensionContext).extensionMode, ExtensionMode.Test)
  })
})
