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
  Uri,
  window,
  workspace,
} from 'vscode'
import type { SlashCommandName } from '../../core/conversation/slashCommands.ts'
import type { ContextReference, ReferenceOf } from '../../protocol/contextReference.ts'
import type { LineRange } from '../../protocol/conversation.ts'
import { lineRange } from '../ui/lineRange.ts'
import { isElsewhere } from '../ui/workspacePath.ts'

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

  /** The arguments are those of a problem in the lightbulb; without them the problem at the cursor. */
  async problem(...given: readonly unknown[]): Promise<void> {
    const place = placeOf(given)
    const problem = place && (place.problem ?? problemsAt(place.uri, place.range)[0])
    if (!problem) return inform(l10n.t('Put the cursor on a problem to add it to the chat.'))
    await this.#add(problem)
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

  /**
   * Attaches the selection, or the symbol around the cursor, and writes the command, which the user then sends. `given`:
   * the place that the lightbulb is about, and its problem; without them those of the active editor.
   */
  async ask(command: SlashCommandName, ...given: readonly unknown[]): Promise<void> {
    const place = placeOf(given)
    if (!place) return inform(l10n.t('Open a file and select the code to ask about.'))
    const code = await codeAt(place)
    this.#options.compose(`/${command} `, [code, ...problemsFor(command, place, code)])
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
  // Nothing is asked of that machine, and the chip has the reason.
  if (isElsewhere(uri)) return { source: 'file', uri: uri.toString() }
  const found = await Promise.resolve(workspace.fs.stat(uri)).catch(() => undefined)
  return { source: found?.type === FileType.Directory ? 'folder' : 'file', uri: uri.toString() }
}

/** What a command is about. */
interface Place {
  readonly uri: Uri
  readonly range: Range
  readonly problem?: ReferenceOf<'problems'>
}

/** `given`: a file, a range in it, and the message of the problem that has this range. */
function placeOf([uri, range, message]: readonly unknown[]): Place | undefined {
  if (uri instanceof Uri && range instanceof Range)
    return { uri, range, ...(typeof message === 'string' && { problem: problemReference(uri, { range, message }) }) }
  const editor = window.activeTextEditor
  return editor && { uri: editor.document.uri, range: editor.selection }
}

const MOST_PROBLEMS = 5

function problemsFor(command: SlashCommandName, { uri, range, problem }: Place, code: ContextReference) {
  if (problem) return [problem]
  if (command !== 'fix') return []
  const at = problemsAt(uri, range)
  return (at.length > 0 ? at : problemsAt(uri, 'range' in code ? rangeOf(code.range) : undefined)).slice(
    0,
    MOST_PROBLEMS,
  )
}

const rangeOf = ({ startLine, startCharacter, endLine, endCharacter }: LineRange) =>
  new Range(startLine, startCharacter, endLine, endCharacter)

/** Those that the range touches; without one those of the whole file. */
function problemsAt(uri: Uri, range: Range | undefined): ReferenceOf<'problems'>[] {
  return languages
    .getDiagnostics(uri)
    .filter(one => !range || one.range.intersection(range))
    .map(found => problemReference(uri, found))
}

function problemReference(
  uri: Uri,
  { range, message }: Pick<Diagnostic, 'range' | 'message'>,
): ReferenceOf<'problems'> {
  return { source: 'problems', uri: uri.toString(), problem: { range: lineRange(range), message } }
}

/** What is selected, else the innermost symbol around the place, else the whole file. */
async function codeAt({ uri: file, range, problem }: Place): Promise<ContextReference> {
  const uri = file.toString()
  const isSelected = !range.isEmpty && !problem && !isOfProblem(file, range)
  if (isSelected) return { source: 'selection', uri, range: lineRange(range) }
  const symbol = await symbolAt(file, range.start)
  return symbol ? { source: 'symbol', uri, range: lineRange(symbol.range), name: symbol.name } : { source: 'file', uri }
}

/** The editor selects a problem that is picked from the list of problems; the user has selected nothing then. */
const isOfProblem = (uri: Uri, range: Range) => languages.getDiagnostics(uri).some(one => one.range.isEqual(range))

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
