// `TerminalRunner`: runs the code of an answer in a terminal after the user has read it and agreed.
import { l10n, type Terminal, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { commandOf, hasHiddenCharacters, shownCommand, typedInto } from './commandText.ts'

/** How long a new terminal may take until its shell reports to the editor. */
const SHELL_MS = 3_000

export class TerminalRunner implements Disposable {
  readonly #disposables = new DisposableStore()
  /** The terminals in which something runs. */
  readonly #busy = new Set<Terminal>()
  #terminal: Terminal | undefined

  constructor() {
    this.#disposables.add(window.onDidStartTerminalShellExecution(({ terminal }) => this.#busy.add(terminal)))
    this.#disposables.add(window.onDidEndTerminalShellExecution(({ terminal }) => this.#busy.delete(terminal)))
    this.#disposables.add(window.onDidCloseTerminal(terminal => this.#busy.delete(terminal)))
  }

  async run(text: string): Promise<void> {
    const command = commandOf(text)
    if (!workspace.isTrusted) return void window.showWarningMessage(restricted())
    if (hasHiddenCharacters(command)) return void window.showWarningMessage(hidden())
    const shown = shownCommand(command)
    if (shown === undefined) return void window.showWarningMessage(tooLong())
    const run = l10n.t('Run')
    const count = command.split('\n').length
    const lines = count === 1 ? l10n.t('1 line') : l10n.t('{count} lines, run as a whole', { count })
    const options = { modal: true, detail: `${shown}\n\n${lines}` }
    if ((await window.showWarningMessage(l10n.t('Run this in the terminal?'), options, run)) === run) {
      await this.#send(command)
    }
  }

  async #send(command: string): Promise<void> {
    const terminal = this.#freeTerminal()
    this.#busy.add(terminal)
    terminal.show(true)
    await shellOf(terminal)
    const typed = typedInto(terminal.state.shell, command)
    // Removes what the user has begun to type at the prompt.
    if (terminal.shellIntegration) terminal.shellIntegration.executeCommand(typed)
    else terminal.sendText(typed, true)
  }

  /** One whose shell reports that nothing runs in it; else a new one, so that no program receives the text as its input. */
  #freeTerminal(): Terminal {
    const last = this.#terminal
    if (last?.shellIntegration && last.exitStatus === undefined && !this.#busy.has(last)) return last
    this.#terminal = window.createTerminal({ name: 'Kourier' })
    return this.#terminal
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}

/** Resolves when the shell is ready, as far as that can be known. */
function shellOf(terminal: Terminal): Promise<void> {
  if (terminal.shellIntegration) return Promise.resolve()
  const disposables = new DisposableStore()
  return new Promise<void>(resolve => {
    const timer = setTimeout(resolve, SHELL_MS)
    disposables.add({ dispose: () => clearTimeout(timer) })
    disposables.add(
      window.onDidChangeTerminalShellIntegration(({ terminal: changed }) => changed === terminal && resolve()),
    )
  }).finally(() => disposables.dispose())
}

const restricted = () => l10n.t('In Restricted Mode nothing runs in the terminal. Trust the workspace first.')
const hidden = () => l10n.t('This code has hidden characters, so it was not run. Check it in an editor first.')
const tooLong = () => l10n.t('This code is too long to be checked in a question. Copy it, and run it from a file.')
