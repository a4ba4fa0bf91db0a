// `EditorFiles`: reads and writes the user's files through the editor, so that its undo takes a change back.
import { EndOfLine, FilePermission, FileType, type TextDocument, Uri, WorkspaceEdit, workspace } from 'vscode'
import type { ChangeFiles, NoText, PresentText, WriteResult } from '../../core/tools/changePorts.ts'
import type { TrackedDocument } from '../../core/workspace/documents.ts'
import { textWithLineFeeds } from '../../core/workspace/lineEnds.ts'
import { editBetween } from '../../core/workspace/lineHunks.ts'
import { rangeIn } from './textRange.ts'

const MOST_BYTES = 5_000_000
const HEAD_CHARS = 8_192

/** `track`: the document with its edit log. */
export class EditorFiles implements ChangeFiles {
  readonly #track: (document: TextDocument) => TrackedDocument

  constructor(track: (document: TextDocument) => TrackedDocument) {
    this.#track = track
  }

  async read(uri: string): Promise<PresentText | NoText> {
    const target = Uri.parse(uri, true)
    const refusal = await refusalOf(target)
    if (refusal) return { is: refusal }
    const document = await opened(target)
    if (!document || textOf(document).slice(0, HEAD_CHARS).includes('\0')) return { is: 'no text' }
    return {
      is: 'text',
      text: textOf(document),
      version: document.version,
      editSince: version => this.#editSince(document, version),
    }
  }

  /** The editor refuses the edit of a document that has changed since its version was read. */
  async write(uri: string, expected: string, text: string): Promise<WriteResult> {
    const document = await opened(Uri.parse(uri, true))
    if (!document) return 'failed'
    this.#track(document)
    if (textOf(document) !== expected) return 'changed meanwhile'
    const wasDirty = document.isDirty
    const edit = new WorkspaceEdit()
    const lineEnd = document.eol === EndOfLine.CRLF ? '\r\n' : '\n'
    for (const one of editBetween(expected, text).replacements) {
      edit.replace(document.uri, rangeIn(expected, one), one.text.replaceAll('\n', lineEnd))
    }
    if (!(await workspace.applyEdit(edit))) return textOf(document) === expected ? 'failed' : 'changed meanwhile'
    if (!wasDirty && document.uri.scheme !== 'untitled') await document.save()
    return 'written'
  }

  async create(uri: string, text: string): Promise<WriteResult> {
    const target = Uri.parse(uri, true)
    if ((await refusalOf(target)) !== 'missing') return 'changed meanwhile'
    const edit = new WorkspaceEdit()
    edit.createFile(target, { overwrite: false, contents: new TextEncoder().encode(text) })
    return (await workspace.applyEdit(edit)) ? 'written' : 'failed'
  }

  async remove(uri: string, expected: string): Promise<WriteResult> {
    const target = Uri.parse(uri, true)
    const document = await opened(target)
    if (!document || textOf(document) !== expected) return 'changed meanwhile'
    const edit = new WorkspaceEdit()
    edit.deleteFile(target)
    return (await workspace.applyEdit(edit)) ? 'written' : 'failed'
  }

  async rename(from: string, to: string): Promise<WriteResult> {
    const edit = new WorkspaceEdit()
    edit.renameFile(Uri.parse(from, true), Uri.parse(to, true), { overwrite: false })
    return (await workspace.applyEdit(edit)) ? 'written' : 'failed'
  }

  #editSince(document: TextDocument, version: number) {
    const { log } = this.#track(document)
    return log.version === document.version ? log.editBetween(version) : undefined
  }
}

const textOf = (document: TextDocument) => textWithLineFeeds(document.getText())

async function opened(uri: Uri): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(uri)
  } catch {
    return undefined
  }
}

async function refusalOf(uri: Uri): Promise<NoText['is'] | undefined> {
  const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString())
  if (uri.scheme === 'untitled') return open ? undefined : 'missing'
  try {
    const { type, size, permissions } = await workspace.fs.stat(uri)
    if ((type & FileType.File) === 0 || size > MOST_BYTES) return 'no text'
    const isReadonly =
      permissions === FilePermission.Readonly || workspace.fs.isWritableFileSystem(uri.scheme) === false
    return isReadonly ? 'read-only' : undefined
  } catch {
    return 'missing'
  }
}
