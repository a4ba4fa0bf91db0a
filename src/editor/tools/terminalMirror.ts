// `TerminalMirrors`: shows in a terminal what the commands of a conversation write, where the user asks for it.
import { EventEmitter, l10n, type Pseudoterminal, type Terminal, type TerminalDimensions, window } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { visibleText } from '../../core/tools/commandOutput.ts'
import type { CommandRun, CommandRuns } from '../../core/tools/commandRuns.ts'

/** Of a command that runs already, so much of its output is shown. */
const BEFORE_CHARS = 50_000
const CTRL_C = '\u0003'

/** One terminal for each conversation. Closing it stops nothing; Ctrl+C in it stops the last command that runs. */
export class TerminalMirrors implements Disposable {
  readonly #runs: CommandRuns
  readonly #terminals = new Map<string, Terminal>()
  readonly #subscription = window.onDidCloseTerminal(closed => {
    for (const [conversation, terminal] of this.#terminals) {
      if (terminal === closed) this.#terminals.delete(conversation)
    }
  })

  constructor(runs: CommandRuns) {
    this.#runs = runs
  }

  /** `title`: of the conversation. */
  show(conversation: string, title: string): void {
    const terminal = this.#terminals.get(conversation) ?? this.#create(conversation, title)
    terminal.show()
  }

  dispose(): void {
    this.#subscription.dispose()
    for (const terminal of this.#terminals.values()) terminal.dispose()
    this.#terminals.clear()
  }

  #create(conversation: string, title: string): Terminal {
    const name = l10n.t('Commands: {title}', { title })
    const terminal = window.createTerminal({ name, pty: new CommandTerminal(this.#runs, conversation) })
    this.#terminals.set(conversation, terminal)
    return terminal
  }
}

class CommandTerminal implements Pseudoterminal {
  readonly #runs: CommandRuns
  readonly #conversation: string
  readonly #written = new EventEmitter<string>()
  readonly #following = new DisposableStore()
  readonly #shown = new Set<CommandRun>()
  #columns = 80
  /** What is drawn behind the settled text, and is drawn anew when it changes. */
  #pending = ''

  readonly onDidWrite = this.#written.event

  constructor(runs: CommandRuns, conversation: string) {
    this.#runs = runs
    this.#conversation = conversation
  }

  open(size: TerminalDimensions | undefined): void {
    if (size) this.setDimensions(size)
    this.#following.add(this.#runs.onChange(conversation => conversation === this.#conversation && this.#showNew()))
    this.#showNew()
  }

  close(): void {
    this.#following.dispose()
  }

  setDimensions({ columns }: TerminalDimensions): void {
    this.#columns = Math.max(1, columns)
  }

  handleInput(input: string): void {
    if (!input.includes(CTRL_C)) return
    const running = this.#runs.all(this.#conversation).findLast(run => run.mayStop)
    void running?.stop()
  }

  #showNew(): void {
    for (const run of this.#runs.all(this.#conversation)) if (!this.#shown.has(run)) void this.#follow(run)
  }

  async #follow(run: CommandRun): Promise<void> {
    this.#shown.add(run)
    const { sizeChars } = run.output
    // From here on, so that nothing is missed or written twice while the text before is read.
    const later: { settled: string; pending: string }[] = []
    let take = (settled: string, pending: string): unknown => later.push({ settled, pending })
    this.#following.add(run.onOutput(({ settled, pending }) => take(settled, pending)))
    const pendingBefore = run.pendingText
    const before =
      sizeChars > 0 ? await run.output.read(Math.max(0, sizeChars - BEFORE_CHARS), BEFORE_CHARS) : undefined
    const size = before ? sizeChars - before.from : 0
    this.#write(`\u001b[1m$ ${visibleText(run.command)}\u001b[0m\n`, '')
    this.#write(before?.text.slice(0, size) ?? '', pendingBefore)
    take = (settled, pending) => this.#write(settled, pending)
    for (const { settled, pending } of later) this.#write(settled, pending)
    await run.whenEnded
    this.#write(`\u001b[2m${endText(run)}\u001b[0m\n`, '')
  }

  #write(settled: string, pending: string): void {
    const text = this.#erased() + settled + pending
    this.#pending = pending
    this.#written.fire(text.replaceAll('\n', '\r\n'))
  }

  /** Moves the cursor to where the pending text begins, and erases it. */
  #erased(): string {
    if (this.#pending === '') return ''
    const lines = this.#pending.split('\n')
    const wraps = lines.reduce((sum, line) => sum + Math.max(0, Math.ceil(line.length / this.#columns) - 1), 0)
    const up = lines.length - 1 + wraps
    return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`
  }
}

function endText({ end }: CommandRun): string {
  if (end?.signal !== undefined) return l10n.t('Ended by the signal {signal}.', { signal: end.signal })
  return l10n.t('Ended with exit code {code}.', { code: end?.exitCode ?? '–' })
}
