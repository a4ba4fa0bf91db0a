// `EditorTerminal`: the selection in the terminal, and what the last command of each terminal has written.
import { commands, env, type Terminal, type TerminalShellExecution, window } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import { DisposableStore } from '../../base/disposable.ts'
import type { TerminalCommand } from '../../core/context/terminalSource.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'

const MOST_CHARS = 50_000

interface Command {
  readonly line: string
  text: string
  isRunning: boolean
}

/** Of each terminal whose shell reports its commands, from when this was made. */
export class EditorTerminal implements Disposable {
  readonly #life = new DisposableStore()
  readonly #commands = new Map<Terminal, Command>()

  constructor() {
    this.#life.add(
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => void this.#read(terminal, execution)),
    )
    this.#life.add(window.onDidCloseTerminal(terminal => this.#commands.delete(terminal)))
  }

  /** The newest first. A command that has written nothing takes no place. */
  get commands(): readonly TerminalCommand[] {
    return [...this.#commands.values()].toReversed().map(({ line: name, text, isRunning }) => ({
      reference: { source: 'terminal', text: text.slice(-MOST_CHARS), name },
      isRunning,
    }))
  }

  /**
   * No stable API has the selection, so it is copied, and the clipboard is as before afterwards. Only for the user's
   * command. Undefined where nothing is selected.
   */
  async selection(): Promise<ReferenceOf<'terminal'> | undefined> {
    const terminal = window.activeTerminal
    if (!terminal) return undefined
    const before = await env.clipboard.readText()
    // Also where a picture or a file is on it, which no API could put back: only a selection may take its place.
    if (before === '') return referenceOf(terminal.name, await copiedSelection())
    try {
      // Something that no selection is, because nothing is copied where nothing is selected.
      const nothing = `kourier-${crypto.randomUUID()}`
      await env.clipboard.writeText(nothing)
      const text = await copiedSelection()
      return text === nothing ? undefined : referenceOf(terminal.name, text)
    } finally {
      await env.clipboard.writeText(before)
    }
  }

  dispose(): void {
    this.#life.dispose()
  }

  /** Its output must be read from its beginning; only the end of it is kept. */
  async #read(terminal: Terminal, execution: TerminalShellExecution): Promise<void> {
    const command: Command = { line: execution.commandLine.value.slice(0, 1_000), text: '', isRunning: true }
    try {
      for await (const data of execution.read()) this.#add(terminal, command, data)
    } catch {
      // What cannot be read any more is offered as far as it was read.
    } finally {
      command.isRunning = false
    }
  }

  #add(terminal: Terminal, command: Command, data: string): void {
    const isFirst = command.text.trim() === ''
    command.text += data
    // Not for each chunk, of which a build may write thousands.
    if (command.text.length > 2 * MOST_CHARS) command.text = command.text.slice(-MOST_CHARS)
    if (!isFirst || command.text.trim() === '') return
    this.#commands.delete(terminal)
    this.#commands.set(terminal, command)
  }
}

async function copiedSelection(): Promise<string> {
  await commands.executeCommand('workbench.action.terminal.copySelection')
  return await env.clipboard.readText()
}

const referenceOf = (name: string, text: string): ReferenceOf<'terminal'> | undefined =>
  text === '' ? undefined : { source: 'terminal', text, name }
