// The selection of the terminal is copied, and the clipboard of the user stays what it was.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type * as vscode from 'vscode'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { EditorTerminal } = await withFakeVscode(() => import('../../../src/editor/context/editorTerminal.ts'))

describe('the selection in the terminal', () => {
  // Behind what other files of this process do before each test.
  beforeEach(() => {
    fakeEditor.reset()
    fakeEditor.clipboard = 'of the user'
    fakeEditor.terminal = { name: 'bash' }
  })

  test('a selection is attached by the name of its terminal', async () => {
    fakeEditor.onCommand = () => {
      fakeEditor.clipboard = 'selected'
    }
    assert.deepEqual(await new EditorTerminal().selection(), { source: 'terminal', text: 'selected', name: 'bash' })
    assert.equal(fakeEditor.clipboard, 'of the user')
  })

  test('without a selection nothing is attached, not even what the user has copied before', async () => {
    assert.equal(await new EditorTerminal().selection(), undefined)
    assert.equal(fakeEditor.clipboard, 'of the user')
  })

  test('where copying fails, the clipboard is still as before', async () => {
    fakeEditor.onCommand = () => {
      throw new Error('no such command')
    }
    await assert.rejects(new EditorTerminal().selection(), /no such command/)
    assert.equal(fakeEditor.clipboard, 'of the user')
  })

  test('without a terminal the clipboard is left alone', async () => {
    fakeEditor.terminal = undefined
    assert.equal(await new EditorTerminal().selection(), undefined)
    assert.deepEqual(fakeEditor.interactions, [])
  })

  test('the output of the last command is kept with the command', async () => {
    const terminal = new EditorTerminal()
    let end: () => void = () => {}
    const ended = new Promise<void>(done => {
      end = done
    })
    async function* output() {
      yield 'one\r\n'
      yield 'two\r\n'
      end()
    }
    const execution = { commandLine: { value: 'ls' }, read: output }
    fakeEditor.executionStarted.fire({ execution } as unknown as vscode.TerminalShellExecutionStartEvent) // as: what is read of it
    await ended
    while (!terminal.lastCommand) await Promise.resolve()
    assert.deepEqual(terminal.lastCommand, { source: 'terminal', text: 'one\r\ntwo\r\n', name: 'ls' })
    terminal.dispose()
  })
})
