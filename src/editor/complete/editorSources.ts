// `editorSources`: what the editor knows of the place where the user types, for the prompt of a completion.
import {
  commands,
  env,
  type Location,
  type LocationLink,
  languages,
  NotebookCellKind,
  type NotebookDocument,
  Position,
  Range,
  type TextDocument,
  UIKind,
  Uri,
  workspace,
} from 'vscode'
import type { Definition } from '../../core/complete/declarations.ts'
import type { PromptSourcesOptions } from '../../core/complete/promptSources.ts'
import type { AccessPolicy, FileFacts } from '../../core/workspace/accessPolicy.ts'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import { positionIn } from '../ui/positionIn.ts'

export interface EditorSourcesOptions {
  readonly access: AccessPolicy
  readonly snapshotOf: (document: TextDocument, position: Position) => DocumentSnapshot | undefined
  readonly factsOf: (document: TextDocument) => FileFacts | undefined
}

type Sources = Pick<PromptSourcesOptions, 'definitionOf' | 'problemsIn' | 'cellsAround' | 'clipboard'>

export function editorSources({ access, snapshotOf, factsOf }: EditorSourcesOptions): Sources {
  const start = new Position(0, 0)
  return {
    async definitionOf(documentId, offset, signal) {
      const document = openDocument(documentId)
      const text = document && snapshotOf(document, start)?.text
      if (!document || text === undefined) return undefined
      const place = await definitionAt(document, positionIn(text, offset))
      if (!place || place.uri.toString() === documentId || !workspace.getWorkspaceFolder(place.uri)) return undefined
      return definitionIn(await workspace.openTextDocument(place.uri), place.line, signal)
    },
    problemsIn(documentId, first, last) {
      const lines = new Range(Math.max(0, first), 0, last + 1, 0)
      const found = languages.getDiagnostics(Uri.parse(documentId, true))
      return found
        .filter(({ range }) => range.start.isBefore(lines.end) && range.end.isAfter(lines.start))
        .map(messageOf)
    },
    cellsAround(documentId) {
      for (const notebook of workspace.notebookDocuments) {
        const cells = cellsOf(notebook)
        const at = cells.findIndex(cell => idOf(cell) === documentId)
        if (at >= 0)
          return { above: snapshotsOf(cells.slice(0, at).reverse()), below: snapshotsOf(cells.slice(at + 1)) }
      }
      return { above: [], below: [] }
    },
    // A browser would ask the user for permission.
    clipboard: async () => (env.uiKind === UIKind.Desktop ? env.clipboard.readText() : ''),
  }

  function* snapshotsOf(cells: readonly TextDocument[]) {
    for (const cell of cells) {
      const snapshot = snapshotOf(cell, start)
      if (snapshot) yield snapshot
    }
  }

  /** As a file that is attached with a folder: in the workspace, not ignored by git, not secret. */
  async function definitionIn(
    document: TextDocument,
    line: number,
    signal: AbortSignal,
  ): Promise<Definition | undefined> {
    const facts = factsOf(document)
    const [refusal] = facts ? await access.refusalsOf([facts], 'mention', signal) : []
    return facts && !refusal ? { path: facts.path, text: document.getText(), line } : undefined
  }
}

async function definitionAt(document: TextDocument, position: Position) {
  const found = await commands.executeCommand<readonly (Location | LocationLink)[]>(
    'vscode.executeDefinitionProvider',
    document.uri,
    position,
  )
  const [first] = found ?? []
  if (!first) return undefined
  if ('targetUri' in first)
    return { uri: first.targetUri, line: (first.targetSelectionRange ?? first.targetRange).start.line }
  return { uri: first.uri, line: first.range.start.line }
}

const messageOf = ({ message }: { readonly message: string }) => message

const cellsOf = (notebook: NotebookDocument): TextDocument[] =>
  notebook
    .getCells()
    .filter(({ kind }) => kind === NotebookCellKind.Code)
    .map(({ document }) => document)

const idOf = ({ uri }: TextDocument) => uri.toString()

const openDocument = (documentId: string) =>
  workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === documentId)
