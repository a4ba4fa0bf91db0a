// `OutputSink`: writes log lines to the output channel.
import { type LogOutputChannel, window } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import type { Level, LogSink } from '../../core/log/log.ts'

export class OutputSink implements LogSink, Disposable {
  readonly #channel: LogOutputChannel = window.createOutputChannel('Kourier', { log: true })

  write(level: Level, line: string): void {
    this.#channel[level](line)
  }

  show(): void {
    this.#channel.show()
  }

  dispose(): void {
    this.#channel.dispose()
  }
}
