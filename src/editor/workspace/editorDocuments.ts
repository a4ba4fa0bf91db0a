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
import { fileOf } from '../ui/workspacePath.ts'

/** Files and notebook cells; not the output panel, one side of a diff, or the commit message. */
const schemes = ['file', 'untitled', 'vscode-remote', 'vscode-notebook-cell']

/** The notebook of a cell has the unsaved changes, not the cell. */
const files = ['file', 'vscode-remote']

/** The access policy looks no further for what makes a file secret or binary. */
const HEAD_CHARS = 8_192

/** Updates `Documents` by the editor's events. A document without a snapshot is not read. */
export class EditorDocuments implements Disposable {
  readonly #documents: Documents
  /** The latest version of each file that came while nothing in it was unsaved, and is not known to be the user's. */
  readonly #clean = new WeakMap<TextDocument, number>()
  /** Those that the extension changes now, and the latest version of each that has come from that. */
  readonly #changing = new Set<TextDocument>()
  readonly #ours = new WeakMap<TextDocument, number>()
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
    const place = placeOf(document)
    if (!place) return undefined
    const { text, log, lineEnd } = this.#followed(document)
    return {
      id: document.uri.toString(),
      ...place,
      language: document.languageId,
      version: document.version,
      log: this.isReloaded(document) ? log.withReload() : log,
      text,
      offset: offsetWithLineFeeds(document.offsetAt(position), position.line, lineEnd),
      indent: indentOf(document, text),
    }
  }

  /** For the access policy, with the beginning of the text alone. Undefined for a kind of document that is never completed. */
  factsOf(document: TextDocument): FileFacts | undefined {
    if (!schemes.includes(document.uri.scheme)) return undefined
    const place = placeOf(document)
    return (
      place && {
        uri: document.uri.toString(),
        ...place,
        language: document.languageId,
        size: lengthOf(document),
        text: document.getText(new Range(new Position(0, 0), document.positionAt(HEAD_CHARS))),
      }
    )
  }

  /**
   * Its present version has come from the disk: nobody is writing there. The first change of a file without unsaved
   * changes is reported before that it has some, so a moment later this may be false for the same version.
   */
  isReloaded(document: TextDocument): boolean {
    return !document.isDirty && this.#clean.get(document) === document.version
  }

  /** Its present version has come from the extension, such as from a tool or an undo of the chat: nobody is writing there. */
  isOfExtension(document: TextDocument): boolean {
    return this.#ours.get(document) === document.version
  }

  /** What changes the document meanwhile is not the user. */
  async whileChanging<Result>(document: TextDocument, change: () => Thenable<Result>): Promise<Result> {
    this.#changing.add(document)
    try {
      return await change()
    } finally {
      this.#changing.delete(document)
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
    if (this.#changing.has(document)) this.#ours.set(document, document.version)
    const isOfUser = document.isDirty || reason !== undefined || !files.includes(document.uri.scheme)
    if (contentChanges.length === 0 && document.isDirty) this.#clean.delete(document)
    if (known && known.version < document.version && this.#clean.get(document) === known.version)
      this.#documents.recordReload(uri)
    if (contentChanges.length > 0 && !isOfUser) this.#clean.set(document, document.version)
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
      reason: reasonOf(reason),
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

/**
 * A cell is where its notebook is; undefined while that is not known, because then no glob of the user's would match.
 * Outside a workspace the path is only the file's name, because its folders may contain the user's name.
 */
function placeOf({ uri }: TextDocument): Pick<DocumentSnapshot, 'path' | 'fullPath' | 'isInWorkspace'> | undefined {
  const file = fileOf(uri)
  if (file.scheme === 'vscode-notebook-cell') return undefined
  const isInWorkspace = workspace.getWorkspaceFolder(file) !== undefined
  const path = (isInWorkspace ? workspace.asRelativePath(file, false) : file.path).replaceAll('\\', '/')
  return { path: isInWorkspace ? path : path.slice(path.lastIndexOf('/') + 1), fullPath: file.path, isInWorkspace }
}

function indentOf(document: TextDocument, text: string): string {
  const options = window.visibleTextEditors.find(editor => editor.document === document)?.options
  if (!options) return /^(\t| {2,8})\S/m.exec(text)?.[1] ?? '  '
  return options.insertSpaces === false ? '\t' : ' '.repeat(Number(options.indentSize ?? options.tabSize) || 4)
}
