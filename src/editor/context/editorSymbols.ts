// `EditorSymbols`: symbols as the editor's languages find them.
import { commands, type DocumentSymbol, type Range, type SymbolInformation, type Uri, window, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { Remembered } from '../../base/remembered.ts'
import type { FoundSymbol, Symbols } from '../../core/context/symbolSource.ts'
import type { LineRange } from '../../protocol/conversation.ts'
import { lineRange } from '../ui/lineRange.ts'
import { workspaceUri } from '../ui/workspacePath.ts'
import { openFiles } from './openEditors.ts'
import { withLimit } from './withLimit.ts'

type DocumentSymbols = readonly (DocumentSymbol | SymbolInformation)[]

/** A language server that is still starting may answer much later. */
const WAIT_MS = 1_500
/** While a query is typed a language is not asked again for each key. */
const REMEMBERED_MS = 5_000
const lasting = new AbortController().signal
const MOST_FILES = 5
const MOST_SYMBOLS = 500

export class EditorSymbols implements Symbols {
  readonly #clock: Clock
  readonly #ofFiles: Remembered<readonly FoundSymbol[]>

  constructor(clock: Clock) {
    this.#clock = clock
    this.#ofFiles = new Remembered(clock, REMEMBERED_MS)
  }

  async ofOpenFiles(signal: AbortSignal): Promise<readonly FoundSymbol[]> {
    const active = window.activeTextEditor?.document.uri
    const uris = new Map([...(active ? [active] : []), ...openFiles()].map(uri => [uri.toString(), uri]))
    const files = [...uris.values()].slice(0, MOST_FILES)
    const asked = files.map(uri => this.#ofFiles.get(keyOf(uri), () => this.#ofFile(uri, lasting), signal))
    return (await Promise.all(asked)).flat()
  }

  async ofWorkspace(text: string, signal: AbortSignal): Promise<readonly FoundSymbol[]> {
    const asked = commands.executeCommand<readonly SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', text)
    const found = await withLimit(asked, WAIT_MS, this.#clock, signal)
    return (found ?? [])
      .slice(0, MOST_SYMBOLS)
      .map(({ name, location }) => ({ name, uri: location.uri.toString(), range: lineRange(location.range) }))
  }

  async wholeRange({ uri, name, range }: FoundSymbol, signal: AbortSignal): Promise<LineRange> {
    const found = await this.#ofFile(workspaceUri(uri), signal)
    const around = found.filter(one => one.name === name && isAround(one.range, range))
    const whole = around[0]?.range ?? range
    // Without a language only the line of the name is known.
    return { ...whole, startCharacter: 0, ...(whole.endCharacter === 0 ? {} : lineEndOf(whole)) }
  }

  async #ofFile(uri: Uri, signal: AbortSignal): Promise<readonly FoundSymbol[]> {
    const asked = commands.executeCommand<DocumentSymbols>('vscode.executeDocumentSymbolProvider', uri)
    const found = await withLimit(asked, WAIT_MS, this.#clock, signal)
    return flat(found ?? []).map(({ name, range }) => ({ name, uri: uri.toString(), range: lineRange(range) }))
  }
}

/** Another version of the document has other symbols. */
function keyOf(uri: Uri): string {
  const text = uri.toString()
  const document = workspace.textDocuments.find(one => one.uri.toString() === text)
  return `${document?.version ?? 0} ${text}`
}

interface NamedRange {
  readonly name: string
  readonly range: Range
}

/** Outer symbols before those inside of them. */
function flat(symbols: DocumentSymbols): readonly NamedRange[] {
  return symbols.flatMap(symbol => {
    // Not by its class: what is both has the members of both.
    if ('children' in symbol) return [symbol, ...flat(symbol.children)]
    return [{ name: symbol.name, range: symbol.location.range }]
  })
}

function isAround(outer: LineRange, inner: LineRange): boolean {
  return outer.startLine <= inner.startLine && inner.endLine <= outer.endLine
}

/** Beyond the end of any line, which counts as that end. */
const lineEndOf = ({ endLine }: LineRange) => ({ endLine, endCharacter: 1_000_000 })
