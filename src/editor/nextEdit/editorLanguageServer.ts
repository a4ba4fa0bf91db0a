// `EditorLanguageServer`: what the editor's languages know, asked by the editor's commands.
import {
  type CodeAction,
  CodeActionKind,
  commands,
  type Diagnostic,
  EndOfLine,
  languages,
  type Position,
  type TextDocument,
  type TextEdit,
  Uri,
  type WorkspaceEdit,
  workspace,
} from 'vscode'
import type { Fix, LanguageServer, Occurrence, Problem } from '../../core/nextEdit/languageServer.ts'
import type { TrackedDocument } from '../../core/workspace/documents.ts'
import { offsetWithLineFeeds, textWithLineFeeds } from '../../core/workspace/lineEnds.ts'
import { lineRange } from '../ui/lineRange.ts'
import { positionIn } from '../ui/positionIn.ts'

/** A new name that no file contains, to be replaced by the real one. */
const NEW_NAME = 'kourierNewName'
/** So many fixes are asked for their edits. */
const MOST_FIXES = 10

export interface EditorLanguageServerOptions {
  readonly track: (document: TextDocument) => TrackedDocument
  /** The document may be shown and changed. */
  readonly mayOpen: (document: TextDocument) => boolean
}

export class EditorLanguageServer implements LanguageServer {
  readonly #options: EditorLanguageServerOptions

  constructor(options: EditorLanguageServerOptions) {
    this.#options = options
  }

  async occurrencesOf(documentId: string, offset: number): Promise<readonly Occurrence[]> {
    const document = openDocument(documentId)
    if (!document) return []
    const position = positionIn(this.#options.track(document).text, offset)
    const edit = await renameAt(document, position)
    return (edit?.entries() ?? []).flatMap(([uri, edits]) => edits.flatMap(one => occurrenceOf(uri, one) ?? []))
  }

  async fixOf(documentId: string, problem: Problem): Promise<Fix | undefined> {
    const document = openDocument(documentId)
    const diagnostic = document && languages.getDiagnostics(document.uri).find(one => isSame(one, problem))
    if (!document || !diagnostic) return undefined
    const { version } = document
    const actions = await commands.executeCommand<readonly CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      diagnostic.range,
      CodeActionKind.QuickFix.value,
      MOST_FIXES,
    )
    const [preferred, another] = (actions ?? []).filter(({ isPreferred, disabled }) => isPreferred && !disabled)
    if (!preferred?.edit || another || document.version !== version) return undefined
    const edits = editsOf(preferred.edit, document)
    const { command } = preferred
    return (
      edits && {
        version,
        replacements: edits.map(({ range, newText }) => ({
          start: offsetIn(document, range.start),
          end: offsetIn(document, range.end),
          text: textWithLineFeeds(newText),
        })),
        ...(command && {
          finish: () => void commands.executeCommand(command.command, ...(command.arguments ?? [])),
        }),
      }
    )
  }

  async open(documentId: string): Promise<TrackedDocument | undefined> {
    const document = openDocument(documentId) ?? (await workspace.openTextDocument(Uri.parse(documentId, true)))
    return this.#options.mayOpen(document) ? this.#options.track(document) : undefined
  }
}

export function problemOf({ range, message }: Diagnostic): Problem {
  return { range: lineRange(range), message }
}

/** A language without renaming, and a place that has no name, are faults of the command. */
async function renameAt(document: TextDocument, position: Position): Promise<WorkspaceEdit | undefined> {
  try {
    const { uri } = document
    return await commands.executeCommand<WorkspaceEdit>('vscode.executeDocumentRenameProvider', uri, position, NEW_NAME)
  } catch {
    return undefined
  }
}

function occurrenceOf(uri: Uri, { range, newText }: TextEdit): Occurrence | undefined {
  const at = newText.indexOf(NEW_NAME)
  if (at < 0 || !range.isSingleLine) return undefined
  const { line, character } = range.start
  const [before, after] = [newText.slice(0, at), newText.slice(at + NEW_NAME.length)]
  return { documentId: uri.toString(), line, character, before, after }
}

const openDocument = (documentId: string) =>
  workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === documentId)

function isSame(diagnostic: Diagnostic, { message, range }: Problem): boolean {
  return diagnostic.message === message && diagnostic.range.start.line === range.startLine
}

/** Undefined where it changes anything but this document. */
function editsOf(edit: WorkspaceEdit, document: TextDocument): readonly TextEdit[] | undefined {
  const [entry, another] = edit.entries()
  if (!entry || another || edit.size !== 1) return undefined
  const [uri, edits] = entry
  return uri.toString() === document.uri.toString() ? edits : undefined
}

function offsetIn(document: TextDocument, position: Position): number {
  return offsetWithLineFeeds(
    document.offsetAt(position),
    position.line,
    document.eol === EndOfLine.CRLF ? '\r\n' : '\n',
  )
}
