// The terminal that mirrors commands: what it shows of real ones, and that it stops them only by Ctrl+C.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pseudoterminal } from 'vscode'
import { CommandTools } from '../../support/commandTools.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { TerminalMirrors } = await withFakeVscode(() => import('../../../src/editor/tools/terminalMirror.ts'))

/** The terminal as it is opened by a click, with everything that it writes. */
function opened(tools: CommandTools): { readonly pty: Pseudoterminal; readonly shown: () => string } {
  fakeEditor.reset()
  const mirrors = new TerminalMirrors(tools.runs)
  mirrors.show('c', 'Fix the test')
  mirrors.show('c', 'Fix the test')
  assert.equal(fakeEditor.pseudoterminals.length, 1)
  const [options] = fakeEditor.pseudoterminals
  assert.equal(options?.name, 'Commands: Fix the test')
  let written = ''
  options.pty.onDidWrite(text => {
    written += text
  })
  options.pty.open({ columns: 80, rows: 20 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal takes as bold or dim
  return { pty: options.pty, shown: () => written.replaceAll(/\u001b\[\d?m/g, '') }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(1)
}

test('a command is shown with its output and its end, also what it wrote before', async context => {
  const tools = new CommandTools(context)
  await tools.text('echo before')
  const { shown } = opened(tools)
  await tools.text('echo after; exit 3')
  await until(() => shown().includes('code 3'))
  assert.equal(
    shown(),
    '$ echo before\r\nbefore\r\nEnded with exit code 0.\r\n$ echo after; exit 3\r\nafter\r\nEnded with exit code 3.\r\n',
  )
})

test('a progress bar is drawn in its place', async context => {
  const tools = new CommandTools(context)
  const { shown } = opened(tools)
  await tools.text('printf "1 %%"; sleep 0.1; printf "\\r2 %%"; sleep 0.1; echo')
  await until(() => shown().includes('code 0'))
  assert.ok(shown().includes('\r\n1 %\r\u001b[J2 %\r\u001b[J2 %\r\nEnded'))
})

test('[T36] neither a command nor its output moves the cursor', async context => {
  const tools = new CommandTools(context)
  const { shown } = opened(tools)
  await tools.text("printf 'a\\033]52;c;eA==\\007\\033[2Jb\\n' # \u001b[2J\u202e")
  await until(() => shown().includes('code 0'))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
  assert.doesNotMatch(shown(), /[\u001b\u0007\u202e]/)
  assert.match(shown(), /\r\nab\r\n/)
})

test('Ctrl+C stops the command, and closing the terminal does not', async context => {
  const tools = new CommandTools(context)
  const { pty, shown } = opened(tools)
  const called = tools.text('echo begun; sleep 60')
  await until(() => shown().includes('begun\r\n'))
  pty.close()
  pty.handleInput?.('x')
  assert.equal(tools.runs.find('c', 1)?.isRunning, true)
  pty.handleInput?.('\u0003')
  assert.match(await called, /ended by signal SIGTERM/)
})
