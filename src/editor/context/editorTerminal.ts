// `EditorTerminal`: the selection in the terminal, and the output of the command that ended last.
import { commands, env, type TerminalShellExecution, window } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import { DisposableStore } from '../../base/disposable.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'

const MOST_CHARS = 50_000

export class EditorTerminal implements Disposable {
  readonly #life = new DisposableStore()
  #last: ReferenceOf<'terminal'> | undefined

  constructor() {
    this.#life.add(window.onDidStartTerminalShellExecution(({ execution }) => void this.#read(execution)))
    this.#life.add(window.onDidCloseTerminal(() => this.#forgetIfNone()))
  }

  /** Where shell integration has reported a command since this was made. */
  get lastCommand(): ReferenceOf<'terminal'> | undefined {
    return this.#last
  }

  /**
   * No stable API has the selection, so it is copied, and the clipboard is as before afterwards. Only for the user's
   * command. Undefined where nothing is selected.
   */
  async selection(): Promise<ReferenceOf<'terminal'> | undefined> {
    const terminal = window.activeTerminal
    if (!terminal) return undefined
    const before = await env.clipboard.readText()
    try {
      // Something that no selection is, because nothing is copied where nothing is selected.
      const nothing = `kourier-${crypto.randomUUID()}`
      await env.clipboard.writeText(nothing)
      await commands.executeCommand('workbench.action.terminal.copySelection')
      const text = await env.clipboard.readText()
      return text === nothing || text === '' ? undefined : { source: 'terminal', text, name: terminal.name }
    } finally {
      await env.clipboard.writeText(before)
    }
  }

  dispose(): void {
    this.#life.dispose()
  }

  /** Its output must be read from its beginning; only the end of it is kept. */
  async #read(execution: TerminalShellExecution): Promise<void> {
    let text = ''
    for await (const data of execution.read()) {
      text += data
      // Not for each chunk, of which a build may write thousands.
      if (text.length > 2 * MOST_CHARS) text = text.slice(-MOST_CHARS)
    }
    text = text.slice(-MOST_CHARS)
    if (text.trim() !== '') this.#last = { source: 'terminal', text, name: execution.commandLine.value.slice(0, 1_000) }
  }

  #forgetIfNone(): void {
    if (window.terminals.length === 0) this.#last = undefined
  }
}
