// `PageLinks`: answers which names in a page are links, and opens what they name.
import { l10n, TabInputWebview, ViewColumn, window } from 'vscode'
import { isAbort } from '../../base/abort.ts'
import { type Disposable, DisposableStore, onEnd } from '../../base/disposable.ts'
import type { LinkTarget } from '../../core/context/answerLinks.ts'
import type { FromPage, LinkKind, ToPage } from '../../protocol/panel.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'
import { showFile } from './showFile.ts'

/** What finds them, each time anew. */
export interface LinkFinder {
  files(text: string, signal: AbortSignal): Promise<readonly LinkTarget[]>
  symbols(text: string, signal: AbortSignal): Promise<readonly LinkTarget[]>
}

type Request = Extract<FromPage, { kind: 'find-links' | 'open-link' }>

export interface PageLinksOptions {
  readonly links: LinkFinder
  readonly send: (message: ToPage) => void
  readonly report: (fault: unknown) => void
}

export class PageLinks implements Disposable {
  readonly #options: PageLinksOptions
  readonly #disposables = new DisposableStore()
  readonly #abort = new AbortController()
  /** The group of the text editor that was active last; a page in a tab is active itself when a link is clicked. */
  #lastColumn = window.activeTextEditor?.viewColumn

  constructor(options: PageLinksOptions) {
    this.#options = options
    this.#disposables.add(onEnd(() => this.#abort.abort()))
    this.#disposables.add(
      window.onDidChangeActiveTextEditor(editor => {
        this.#lastColumn = editor?.viewColumn ?? this.#lastColumn
      }),
    )
  }

  receive(message: Request): void {
    const done = message.kind === 'find-links' ? this.#answer(message) : this.#open(message.target, message.text)
    done.catch(fault => isAbort(fault) || this.#options.report(fault))
  }

  /** Always answers, because the page waits for it before it asks again. */
  async #answer({ files, symbols }: Extract<Request, { kind: 'find-links' }>): Promise<void> {
    const found: Record<LinkKind, string[]> = { file: [], symbol: [] }
    try {
      for (const text of files) if ((await this.#find('file', text)).length > 0) found.file.push(text)
      for (const text of symbols) if ((await this.#find('symbol', text)).length > 0) found.symbol.push(text)
    } finally {
      this.#options.send({ kind: 'links', files: found.file, symbols: found.symbol })
    }
  }

  #find(kind: LinkKind, text: string): Promise<readonly LinkTarget[]> {
    const { links } = this.#options
    return kind === 'file' ? links.files(text, this.#abort.signal) : links.symbols(text, this.#abort.signal)
  }

  async #open(kind: LinkKind, text: string): Promise<void> {
    const targets = await this.#find(kind, text)
    const target = targets.length > 1 ? await picked(targets, text) : targets[0]
    if (!target) return
    const { line, column } = target
    const range = { startLine: line, startCharacter: column, endLine: line, endCharacter: column }
    await showFile(target.uri, { range, viewColumn: this.#column() })
  }

  /** Not over a chat in a tab. */
  #column(): ViewColumn {
    const { activeTabGroup, all } = window.tabGroups
    if (!(activeTabGroup.activeTab?.input instanceof TabInputWebview)) return ViewColumn.Active
    const other = all.find(group => group.viewColumn === this.#lastColumn && group !== activeTabGroup)
    return other?.viewColumn ?? ViewColumn.Beside
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}

async function picked(targets: readonly LinkTarget[], text: string): Promise<LinkTarget | undefined> {
  const items = targets.map(target => ({
    label: sanitize(target.path),
    description: l10n.t('Line {line}', { line: target.line + 1 }),
    target,
  }))
  const choice = await window.showQuickPick(items, { title: l10n.t('Open {name}', sanitized({ name: text })) })
  return choice?.target
}
