// The selection of the terminal is copied, and the clipboard of the user stays what it was.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type * as vscode from 'vscode'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { EditorTerminal } = await withFakeVscode(() => import('../../../src/editor/context/editorTerminal.ts'))

async function selection() {
  const terminal = new EditorTerminal()
  try {
    return await terminal.selection()
  } finally {
    terminal.dispose()
  }
}

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
    assert.deepEqual(await selection(), { source: 'terminal', text: 'selected', name: 'bash' })
    assert.equal(fakeEditor.clipboard, 'of the user')
  })

  test('without a selection nothing is attached, not even what the user has copied before', async () => {
    assert.equal(await selection(), undefined)
    assert.equal(fakeEditor.clipboard, 'of the user')
  })

  test('where something else than text was copied, only a selection takes its place', async () => {
    // What is no text reads as an empty one.
    fakeEditor.clipboard = ''
    const whileCopying: string[] = []
    fakeEditor.onCommand = () => void whileCopying.push(fakeEditor.clipboard)
    assert.equal(await selection(), undefined)
    assert.deepEqual(whileCopying, [''], 'nothing was written before')
    fakeEditor.onCommand = () => {
      fakeEditor.clipboard = 'selected'
    }
    assert.equal((await selection())?.text, 'selected')
    assert.equal(fakeEditor.clipboard, 'selected', 'nothing is written afterwards either')
  })

  test('where copying fails, the clipboard is still as before', async () => {
    fakeEditor.onCommand = () => {
      throw new Error('no such command')
    }
    await assert.rejects(selection(), /no such command/)
    assert.equal(fakeEditor.clipboard, 'of the user')
  })

  test('without a terminal the clipboard is left alone', async () => {
    fakeEditor.terminal = undefined
    assert.equal(await selection(), undefined)
    assert.deepEqual(fakeEditor.interactions, [])
  })

  test('the last command of each terminal is known with what it has written, also while it runs', async () => {
    const terminal = new EditorTerminal()
    const bash = runs(terminal, 'ls', 'bash')
    await bash.writes('one\r\n', 'two\r\n')
    bash.end()
    const server = runs(terminal, 'npm run dev', 'zsh')
    await server.writes('ready\n')
    assert.deepEqual(terminal.commands, [
      { reference: { source: 'terminal', text: 'ready\n', name: 'npm run dev' }, isRunning: true },
      { reference: { source: 'terminal', text: 'one\r\ntwo\r\n', name: 'ls' }, isRunning: false },
    ])
    const silent = runs(terminal, 'cd ..', 'bash')
    silent.end()
    await server.writes('changed\n')
    assert.deepEqual(
      terminal.commands.map(({ reference }) => reference.text),
      ['ready\nchanged\n', 'one\r\ntwo\r\n'],
    )
    fakeEditor.terminalClosed.fire(server.terminal)
    assert.deepEqual(
      terminal.commands.map(({ reference }) => reference.name),
      ['ls'],
    )
    terminal.dispose()
  })
})

const terminals = new Map<string, vscode.Terminal>()

/** A command in a terminal, whose output and end a test gives. */
function runs(of: InstanceType<typeof EditorTerminal>, line: string, name: string) {
  const terminal = terminals.get(name) ?? ({ name } as vscode.Terminal) // as: it is only compared
  terminals.set(name, terminal)
  const stream = new TransformStream<string, string>()
  const writer = stream.writable.getWriter()
  let unread = stream.readable
  // A stream for each reader, as the editor gives them.
  const read = () => {
    const [one, rest] = unread.tee()
    unread = rest
    return one
  }
  const execution = { commandLine: { value: line }, read }
  fakeEditor.executionStarted.fire({ terminal, execution } as unknown as vscode.TerminalShellExecutionStartEvent) // as: what is read of it
  const lengthOf = () => of.commands.reduce((sum, { reference }) => sum + reference.text.length, 0)
  return {
    terminal,
    async writes(...texts: readonly string[]) {
      const expected = lengthOf() + texts.join('').length
      for (const text of texts) void writer.write(text)
      while (lengthOf() < expected) await new Promise(setImmediate)
    },
    end: () => void writer.close(),
  }
}
