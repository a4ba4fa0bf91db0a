// `AddToChat`: the commands of the editor that attach something to the chat in front, and those that ask about code.
import {
  commands,
  type Diagnostic,
  type DocumentSymbol,
  FileType,
  l10n,
  languages,
  type Position,
  Range,
  type SymbolInformation,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode'
import type { SlashCommandName } from '../../core/conversation/slashCommands.ts'
import type { ContextReference, ReferenceOf } from '../../protocol/contextReference.ts'
import { lineRange } from '../ui/lineRange.ts'

export interface AddToChatOptions {
  /** Shows the chat in front and focuses its composer. */
  readonly show: () => Promise<void>
  /** Attaches it to the unsent message of the chat in front. */
  readonly attach: (reference: ContextReference) => void
  /** Puts the command before the unsent text of the chat in front, and attaches what the command is about. */
  readonly compose: (command: string, about: readonly ContextReference[]) => void
  readonly terminalSelection: () => Promise<ReferenceOf<'terminal'> | undefined>
}

export class AddToChat {
  readonly #options: AddToChatOptions

  constructor(options: AddToChatOptions) {
    this.#options = options
  }

  /** The selection of the active editor; the whole file where nothing is selected. */
  async selection(): Promise<void> {
    const editor = window.activeTextEditor
    if (!editor) return inform(l10n.t('Open a file and select the code to add to the chat.'))
    const uri = editor.document.uri.toString()
    const { selection } = editor
    await this.#add(
      selection.isEmpty ? { source: 'file', uri } : { source: 'selection', uri, range: lineRange(selection) },
    )
  }

  /** `uri` and `uris`: those of the menu of the explorer or of a tab; without them the active file. */
  async files(uri: unknown, uris: unknown): Promise<void> {
    const several = Array.isArray(uris) ? uris.filter(one => one instanceof Uri) : []
    const one = uri instanceof Uri ? uri : window.activeTextEditor?.document.uri
    const all = several.length > 0 || !one ? several : [one]
    if (all.length === 0) return inform(l10n.t('Open a file to add it to the chat.'))
    await this.#add(...(await Promise.all(all.map(fileOrFolder))))
  }

  /** `uri` and `range`: those of a problem in the lightbulb; without them the problem at the cursor. */
  async problem(uri: unknown, range: unknown): Promise<void> {
    const editor = window.activeTextEditor
    const file = uri instanceof Uri ? uri : editor?.document.uri
    const at = range instanceof Range ? range : editor?.selection
    const found = file && at ? languages.getDiagnostics(file).find(one => one.range.intersection(at)) : undefined
    if (!file || !found) return inform(l10n.t('Put the cursor on a problem to add it to the chat.'))
    await this.#add(problemReference(file, found))
  }

  async terminal(): Promise<void> {
    const selected = await this.#options.terminalSelection()
    if (!selected) return inform(l10n.t('Select text in the terminal to add it to the chat.'))
    await this.#add(selected)
  }

  /** `resources`: those of the source control view, of which the first is the one that was clicked. */
  async changes(...resources: readonly unknown[]): Promise<void> {
    const uris = resources.flat().flatMap(one => resourceUri(one) ?? [])
    const references = [...new Set(uris)].map(uri => ({ source: 'git-change', uri }) as const)
    await this.#add(...(references.length > 0 ? references : [{ source: 'git-change' } as const]))
  }

  /** Attaches the selection, or the symbol at the cursor, and writes the command, which the user then sends. */
  async ask(command: SlashCommandName): Promise<void> {
    const editor = window.activeTextEditor
    if (!editor) return inform(l10n.t('Open a file and select the code to ask about.'))
    const problems = command === 'fix' ? problemsIn(editor) : []
    this.#options.compose(`/${command} `, [await codeAt(editor), ...problems])
    await this.#options.show()
  }

  async #add(...references: readonly ContextReference[]): Promise<void> {
    for (const reference of references) this.#options.attach(reference)
    await this.#options.show()
  }
}

function inform(text: string): void {
  void window.showInformationMessage(text)
}

async function fileOrFolder(uri: Uri): Promise<ContextReference> {
  const found = await Promise.resolve(workspace.fs.stat(uri)).catch(() => undefined)
  return { source: found?.type === FileType.Directory ? 'folder' : 'file', uri: uri.toString() }
}

const MOST_PROBLEMS = 5

function problemsIn({ document, selection }: TextEditor): ContextReference[] {
  return languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => range.intersection(selection))
    .slice(0, MOST_PROBLEMS)
    .map(found => problemReference(document.uri, found))
}

function problemReference(uri: Uri, { range, message }: Diagnostic): ContextReference {
  return { source: 'problems', uri: uri.toString(), problem: { range: lineRange(range), message } }
}

/** The selection, else the innermost symbol around the cursor, else the whole file. */
async function codeAt({ document, selection }: TextEditor): Promise<ContextReference> {
  const uri = document.uri.toString()
  if (!selection.isEmpty) return { source: 'selection', uri, range: lineRange(selection) }
  const symbol = await symbolAt(document.uri, selection.active)
  return symbol ? { source: 'symbol', uri, range: lineRange(symbol.range), name: symbol.name } : { source: 'file', uri }
}

async function symbolAt(uri: Uri, at: Position): Promise<{ name: string; range: Range } | undefined> {
  type Found = readonly (DocumentSymbol | SymbolInformation)[] | undefined
  const found = await commands.executeCommand<Found>('vscode.executeDocumentSymbolProvider', uri)
  let around: { name: string; range: Range } | undefined
  let level = (found ?? []).map(nested)
  while (level.length > 0) {
    const inner = level.find(({ range }) => range.contains(at))
    if (!inner) break
    around = inner
    level = inner.children
  }
  return around
}

interface Nested {
  readonly name: string
  readonly range: Range
  readonly children: Nested[]
}

function nested(symbol: DocumentSymbol | SymbolInformation): Nested {
  if (!('children' in symbol)) return { name: symbol.name, range: symbol.location.range, children: [] }
  return { name: symbol.name, range: symbol.range, children: symbol.children.map(nested) }
}

/** A `SourceControlResourceState`, of which only the URI is read. */
function resourceUri(resource: unknown): string | undefined {
  if (typeof resource !== 'object' || resource === null || !('resourceUri' in resource)) return undefined
  return resource.resourceUri instanceof Uri ? resource.resourceUri.toString() : undefined
}
