// `EditorTextFiles`: files and their text as the editor has them: unsaved text first, decoded as the editor does.
import { FileType, Position, Range, type TextDocument, Uri, workspace } from 'vscode'
import { contentHash } from '../../base/contentHash.ts'
import { fileLanguage } from '../../core/context/fileLanguage.ts'
import { textWithLineFeeds } from '../../core/workspace/lineEnds.ts'
import { textInRange } from '../../core/workspace/lineRange.ts'
import { type FileText, type FoundFile, HEAD_UNITS, type TextFiles } from '../../core/workspace/textFiles.ts'
import type { LineRange } from '../../protocol/conversation.ts'
import { fileOf, isElsewhere, workspacePath, workspaceUri } from '../ui/workspacePath.ts'
import { openFiles } from './openEditors.ts'

/** Where links lead, of a path on this machine's disk; undefined where there is no such file. */
export type RealPath = (path: string) => Promise<string | undefined>

export class EditorTextFiles implements TextFiles {
  readonly #realPath: RealPath
  /** Of the workspace's folders, by their paths. */
  readonly #roots = new Map<string, Promise<string | undefined>>()

  constructor(realPath: RealPath) {
    this.#realPath = realPath
  }

  async find(text: string, signal: AbortSignal): Promise<FoundFile | undefined> {
    const uri = workspaceUri(text)
    const document = openDocument(uri)
    const file = fileOf(uri)
    if (!document && isElsewhere(uri)) return foundElsewhere(uri)
    const found =
      document && isOnlyOpen(document) ? { kind: 'file' as const, size: sizeOf(document) } : await statOf(uri)
    signal.throwIfAborted()
    if (!found) return undefined
    const place = await this.#placeOf(file)
    signal.throwIfAborted()
    return {
      uri: uri.toString(),
      ...found,
      path: workspacePath(file),
      fullPath: file.path,
      ...place,
      isOpen: document !== undefined && openFiles().some(one => one.toString() === file.toString()),
    }
  }

  async read(text: string, range: LineRange | undefined, signal: AbortSignal): Promise<FileText | undefined> {
    const uri = workspaceUri(text)
    const document = openDocument(uri)
    if (document && isOnlyOpen(document)) return textOfDocument(document, range)
    const bytes = await bytesOf(uri)
    signal.throwIfAborted()
    // Text of an open document is what the user sees, also while the editor has not yet noticed a change of the file.
    if (document) return { ...textOfDocument(document, range), ...(bytes && { hash: await contentHash(bytes) }) }
    const whole = bytes && (await decoded(bytes, uri))
    signal.throwIfAborted()
    if (!bytes || whole === undefined) return undefined
    return {
      text: range ? textInRange(whole, range) : whole,
      head: whole.slice(0, HEAD_UNITS),
      language: fileLanguage(uri.path),
      hash: await contentHash(bytes),
    }
  }

  async readBytes(text: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const bytes = await bytesOf(workspaceUri(text))
    signal.throwIfAborted()
    return bytes
  }

  pathOf(text: string): string {
    return workspacePath(workspaceUri(text))
  }

  /** An unsaved document is nowhere else. The folders of a workspace may themselves be links. */
  async #placeOf(uri: Uri): Promise<Pick<FoundFile, 'isInWorkspace' | 'targetPath' | 'targetUri'>> {
    const folder = workspace.getWorkspaceFolder(uri)
    const isInside = uri.scheme === 'untitled' || folder !== undefined
    if (uri.scheme !== 'file') return { isInWorkspace: isInside }
    const real = await this.#realPath(uri.fsPath)
    if (real === undefined) return { isInWorkspace: isInside }
    const target = plain(real)
    const targetUri = await this.#uriInWorkspace(target)
    const root = folder && (await this.#realRoot(folder.uri.fsPath))
    const expected = root === undefined ? uri.fsPath : `${root}${uri.fsPath.slice(folder?.uri.fsPath.length)}`
    const isLinked = target !== plain(expected)
    return {
      isInWorkspace: isInside && targetUri !== undefined,
      ...(isLinked && { targetPath: target }),
      ...(isLinked && targetUri !== undefined && { targetUri }),
    }
  }

  /** Of a real path, as the editor writes it; undefined outside. */
  async #uriInWorkspace(real: string): Promise<string | undefined> {
    for (const { uri } of workspace.workspaceFolders ?? []) {
      const root = await this.#realRoot(uri.fsPath)
      if (root === undefined || !isWithin(real, plain(root))) continue
      return Uri.joinPath(uri, real.slice(plain(root).length)).toString()
    }
    return undefined
  }

  #realRoot(path: string): Promise<string | undefined> {
    const found = this.#roots.get(path) ?? this.#realPath(path)
    this.#roots.set(path, found)
    return found
  }
}

const plain = (path: string) => path.replaceAll('\\', '/')
const isWithin = (path: string, root: string) =>
  path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)

const openDocument = (uri: Uri): TextDocument | undefined =>
  workspace.textDocuments.find(document => !document.isClosed && document.uri.toString() === uri.toString())

/** Its text is in no file: it was not saved, or it is the cell of a notebook. */
const isOnlyOpen = ({ isDirty, isUntitled, uri }: TextDocument) =>
  isDirty || isUntitled || uri.scheme === 'vscode-notebook-cell'

/** Without reading the text. */
function sizeOf(document: TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end)
}

const foundElsewhere = (uri: Uri): FoundFile => ({
  uri: uri.toString(),
  kind: 'elsewhere',
  size: 0,
  path: workspacePath(uri),
  fullPath: uri.path,
  isInWorkspace: false,
  isOpen: false,
})

async function statOf(uri: Uri): Promise<Pick<FoundFile, 'kind' | 'size'> | undefined> {
  try {
    const { type, size } = await workspace.fs.stat(uri)
    if (type & FileType.Directory) return { kind: 'folder', size: 0 }
    return { kind: type & FileType.File ? 'file' : 'other', size }
  } catch {
    return undefined
  }
}

function textOfDocument(document: TextDocument, range: LineRange | undefined): FileText {
  const { languageId: language, version } = document
  const part = range && new Range(range.startLine, range.startCharacter, range.endLine, range.endCharacter)
  const head = document.getText(new Range(new Position(0, 0), document.positionAt(HEAD_UNITS)))
  return { text: textWithLineFeeds(document.getText(part)), head, language, version }
}

async function bytesOf(uri: Uri): Promise<Uint8Array | undefined> {
  try {
    return await workspace.fs.readFile(uri)
  } catch {
    return undefined
  }
}

/** Undefined for a binary file. */
async function decoded(bytes: Uint8Array, uri: Uri): Promise<string | undefined> {
  try {
    return textWithLineFeeds(await workspace.decode(bytes, { uri }))
  } catch {
    return undefined
  }
}
