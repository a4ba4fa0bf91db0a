// The editor's documents as snapshots, followed by its change events once they were needed.
import {
  EndOfLine,
  type Position,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
  window,
  workspace,
} from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { LINE_LIMIT_CHARS } from '../../core/complete/trigger.ts'
import { sizeLimits } from '../../core/workspace/accessPolicy.ts'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import type { Documents, LineEnd, TrackedDocument } from '../../core/workspace/documents.ts'
import { offsetWithLineFeeds, textWithLineFeeds, withLineFeeds } from '../../core/workspace/lineEnds.ts'

/** Files and cells. Not the output panel, not one side of a diff, not the box for a commit message. */
const schemes = ['file', 'untitled', 'vscode-remote', 'vscode-notebook-cell']

/** The one that feeds `Documents`. A document that nobody asked for is not read. */
export class EditorDocuments implements Disposable {
  readonly #documents: Documents
  readonly #subscriptions = new DisposableStore()

  constructor(documents: Documents) {
    this.#documents = documents
    this.#subscriptions.add(workspace.onDidChangeTextDocument(event => this.#onChange(event)))
    this.#subscriptions.add(workspace.onDidCloseTextDocument(({ uri }) => documents.close(uri.toString())))
  }

  /** Undefined for what is never completed: another kind of document, a large one, a long line. */
  snapshotOf(document: TextDocument, position: Position): DocumentSnapshot | undefined {
    if (!schemes.includes(document.uri.scheme)) return undefined
    // Measured before the text is put together: that alone would be felt in a very large file.
    if (lengthOf(document) > sizeLimits.completion) return undefined
    if (document.lineAt(position.line).text.length > LINE_LIMIT_CHARS) return undefined
    const { text, log, lineEnd } = this.#followed(document)
    return {
      id: document.uri.toString(),
      path: pathOf(document),
      fullPath: document.uri.path,
      isInWorkspace: workspace.getWorkspaceFolder(document.uri) !== undefined,
      language: document.languageId,
      version: document.version,
      log,
      text,
      offset: offsetWithLineFeeds(document.offsetAt(position), position.line, lineEnd),
      indent: indentOf(document, text),
    }
  }

  dispose(): void {
    this.#subscriptions.dispose()
  }

  #followed(document: TextDocument): TrackedDocument {
    const { languageId: language, version } = document
    const uri = document.uri.toString()
    const known = this.#documents.get(uri)
    if (known?.version === version) return known
    const text = textWithLineFeeds(document.getText())
    return this.#documents.open({ uri, language, version, text, lineEnd: lineEndOf(document) })
  }

  #onChange({ document, contentChanges, reason }: TextDocumentChangeEvent): void {
    const uri = document.uri.toString()
    const known = this.#documents.get(uri)
    if (!known) return
    const lengthAfter = lengthOf(document)
    // Kept no longer than it may be read.
    if (lengthAfter > sizeLimits.completion) return this.#documents.close(uri)
    const changes = contentChanges.map(({ range, rangeOffset: offset, rangeLength: length, text }) =>
      withLineFeeds({ offset, length, text, startLine: range.start.line, endLine: range.end.line }, known.lineEnd),
    )
    this.#documents.change(uri, {
      version: document.version,
      lineEnd: lineEndOf(document),
      changes,
      reason: reasonOf(reason),
      lengthAfter,
      readText: () => textWithLineFeeds(document.getText()),
    })
  }
}

/** Length of the text with `\n` line ends, without putting it together. */
function lengthOf(document: TextDocument): number {
  const { end } = document.lineAt(document.lineCount - 1).range
  return offsetWithLineFeeds(document.offsetAt(end), end.line, lineEndOf(document))
}

function lineEndOf({ eol }: TextDocument): LineEnd {
  return eol === EndOfLine.CRLF ? '\r\n' : '\n'
}

function reasonOf(reason: TextDocumentChangeReason | undefined): 'undo' | 'redo' | undefined {
  if (reason === TextDocumentChangeReason.Undo) return 'undo'
  return reason === TextDocumentChangeReason.Redo ? 'redo' : undefined
}

/** Outside a workspace only the name: the folders above it tell the user's name and more. */
function pathOf(document: TextDocument): string {
  const isInside = workspace.getWorkspaceFolder(document.uri) !== undefined
  const path = isInside ? workspace.asRelativePath(document.uri, false) : document.uri.path
  const plain = path.replaceAll('\\', '/')
  return isInside ? plain : plain.slice(plain.lastIndexOf('/') + 1)
}

function indentOf(document: TextDocument, text: string): string {
  const options = window.visibleTextEditors.find(editor => editor.document === document)?.options
  if (!options) return /^(\t| {2,8})\S/m.exec(text)?.[1] ?? '  '
  return options.insertSpaces === false ? '\t' : ' '.repeat(Number(options.indentSize ?? options.tabSize) || 4)
}
