// `EditorDocuments`: makes snapshots of the editor's documents, and tracks each from its first snapshot on.
import {
  EndOfLine,
  Position,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
  window,
  workspace,
} from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { LINE_LIMIT_CHARS } from '../../core/complete/lineLimit.ts'
import { type FileFacts, sizeLimits } from '../../core/workspace/accessPolicy.ts'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import type { Documents, LineEnd, TrackedDocument } from '../../core/workspace/documents.ts'
import { offsetWithLineFeeds, textWithLineFeeds, withLineFeeds } from '../../core/workspace/lineEnds.ts'
import { isReload } from '../ui/isReload.ts'

/** Files and notebook cells; not the output panel, one side of a diff, or the commit message. */
const schemes = ['file', 'untitled', 'vscode-remote', 'vscode-notebook-cell']

/** The access policy looks no further for what makes a file secret or binary. */
const HEAD_CHARS = 8_192

/** Updates `Documents` by the editor's events. A document without a snapshot is not read. */
export class EditorDocuments implements Disposable {
  readonly #documents: Documents
  readonly #subscriptions = new DisposableStore()

  constructor(documents: Documents) {
    this.#documents = documents
    this.#subscriptions.add(workspace.onDidChangeTextDocument(event => this.#onChange(event)))
    this.#subscriptions.add(workspace.onDidCloseTextDocument(({ uri }) => documents.close(uri.toString())))
  }

  /** Undefined where there are never completions: in another kind of document, a large one, or a long line. */
  snapshotOf(document: TextDocument, position: Position): DocumentSnapshot | undefined {
    if (!schemes.includes(document.uri.scheme)) return undefined
    // Checked before `getText`, which takes noticeable time in a very large file.
    if (lengthOf(document) > sizeLimits.completion) return undefined
    if (this.isLineTooLong(document, position.line)) return undefined
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

  /** For the access policy, with the beginning of the text alone. Undefined for a kind of document that is never completed. */
  factsOf(document: TextDocument): FileFacts | undefined {
    if (!schemes.includes(document.uri.scheme)) return undefined
    return {
      uri: document.uri.toString(),
      path: pathOf(document),
      fullPath: document.uri.path,
      isInWorkspace: workspace.getWorkspaceFolder(document.uri) !== undefined,
      language: document.languageId,
      size: lengthOf(document),
      text: document.getText(new Range(new Position(0, 0), document.positionAt(HEAD_CHARS))),
    }
  }

  isLineTooLong(document: TextDocument, line: number): boolean {
    return line < document.lineCount && document.lineAt(line).text.length > LINE_LIMIT_CHARS
  }

  /** The document with its text and edit log, of any kind and size. It is followed from now on. */
  track(document: TextDocument): TrackedDocument {
    return this.#followed(document)
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
    // Dropped, because a document of this size may not be read.
    if (lengthAfter > sizeLimits.completion) return this.#documents.close(uri)
    const changes = contentChanges.map(({ range, rangeOffset: offset, rangeLength: length, text }) =>
      withLineFeeds({ offset, length, text, startLine: range.start.line, endLine: range.end.line }, known.lineEnd),
    )
    this.#documents.change(uri, {
      version: document.version,
      lineEnd: lineEndOf(document),
      changes,
      reason: reasonOf(reason) ?? (isReload(document) ? 'reload' : undefined),
      lengthAfter,
      readText: () => textWithLineFeeds(document.getText()),
    })
  }
}

/** Length of the text with `\n` line ends, without reading the text. */
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

/** Outside a workspace only the file's name, because its folders may contain the user's name. */
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
