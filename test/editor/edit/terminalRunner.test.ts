// In which terminal code runs: never in one where a program could take it as its input.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Terminal, TerminalShellExecutionEndEvent, TerminalShellExecutionStartEvent } from 'vscode'
import { fakeEditor, withFakeVscode, workspace } from '../../support/fakeVscode.ts'

const { TerminalRunner } = await withFakeVscode(() => import('../../../src/editor/edit/terminalRunner.ts'))

/** What was written to each terminal. */
let written: string[][] = []

function openTerminal({ reports }: { readonly reports: boolean }): Terminal {
  const texts: string[] = []
  written.push(texts)
  const executeCommand = (text: string) => void texts.push(text)
  const terminal = {
    state: { shell: 'bash' },
    exitStatus: undefined,
    shellIntegration: reports ? { executeCommand } : undefined,
    show() {},
    sendText: (text: string) => void texts.push(text),
  }
  return terminal as unknown as Terminal // as: what is used of it
}

/** What all that listens reads of the events. */
const execution = { commandLine: { value: '' }, async *read() {} }
// as: what is read of them
const start = (terminal: Terminal) =>
  fakeEditor.executionStarted.fire({ terminal, execution } as unknown as TerminalShellExecutionStartEvent)
const end = (terminal: Terminal) =>
  fakeEditor.executionEnded.fire({ terminal, execution } as unknown as TerminalShellExecutionEndEvent)

describe('the terminal that code runs in', () => {
  beforeEach(() => {
    fakeEditor.reset()
    workspace.isTrusted = true
    written = []
  })

  afterEach(() => {
    workspace.isTrusted = false
  })

  test('is the one before, unless something runs there', async () => {
    const terminals: Terminal[] = []
    fakeEditor.onCreateTerminal = () => {
      const terminal = openTerminal({ reports: true })
      terminals.push(terminal)
      return terminal
    }
    const runner = new TerminalRunner()
    await runner.run('$ npm start')
    const [first] = terminals
    assert.ok(first)
    start(first)
    await runner.run('npm test')
    assert.deepEqual(written, [['npm start'], ['npm test']])
    const [, second] = terminals
    assert.ok(second)
    end(second)
    await runner.run('npm run lint')
    start(second)
    end(second)
    await runner.run('a\nb')
    assert.deepEqual(written, [['npm start'], ['npm test', 'npm run lint', '\u001b[200~a\nb\u001b[201~']])
    runner.dispose()
  })

  test('is a new one each time where the shell does not report what runs', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    fakeEditor.onCreateTerminal = () => openTerminal({ reports: false })
    const runner = new TerminalRunner()
    for (const command of ['sleep 60', 'ls']) {
      const running = runner.run(command)
      await new Promise(setImmediate)
      t.mock.timers.tick(3_000)
      await running
    }
    assert.deepEqual(written, [['sleep 60'], ['ls']])
    runner.dispose()
  })

  test('is none where the user does not agree', async () => {
    fakeEditor.pressed = 'Cancel'
    fakeEditor.onCreateTerminal = () => openTerminal({ reports: true })
    await new TerminalRunner().run('ls')
    assert.deepEqual(written, [])
  })
})
