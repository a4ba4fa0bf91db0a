// `EditorFiles`: the user's files: those that are open are changed in the editor, so that its undo takes a change back.
import {
  EndOfLine,
  FilePermission,
  FileType,
  TabInputText,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode'
import type {
  ChangeFiles,
  DiskFiles,
  FileImage,
  NoText,
  PresentText,
  WriteOptions,
  WriteResult,
} from '../../core/tools/changePorts.ts'
import type { TrackedDocument } from '../../core/workspace/documents.ts'
import { hasForeignLineEnds, textWithLineFeeds } from '../../core/workspace/lineEnds.ts'
import { editBetween } from '../../core/workspace/lineHunks.ts'
import { rangeIn } from './textRange.ts'

const MOST_BYTES = 5_000_000
const HEAD_CHARS = 8_192
/** How long an open document takes at most to show what was written to its file. */
const RELOAD_MS = 2_000

export interface EditorFileDocuments {
  /** The document with its edit log. */
  track(document: TextDocument): TrackedDocument
  whileChanging<Result>(document: TextDocument, change: () => Thenable<Result>): Promise<Result>
}

export class EditorFiles implements ChangeFiles {
  readonly #documents: EditorFileDocuments
  readonly #disk: DiskFiles
  /** The version of each document that was changed here and is to be saved. */
  readonly #unsaved = new Map<string, number>()

  constructor(documents: EditorFileDocuments, disk: DiskFiles) {
    this.#documents = documents
    this.#disk = disk
  }

  async read(uri: string): Promise<PresentText | NoText> {
    const target = Uri.parse(uri, true)
    if (isUnsavedNotebook(target)) return { is: 'unsaved notebook' }
    if (this.#isOnDisk(target)) return this.#disk.read(uri)
    const refusal = await refusalOf(target)
    if (refusal) return { is: refusal }
    // The editor lets the user write in it, and then cannot save it.
    if (target.scheme === 'file' && (await this.#disk.isReadOnly(uri))) return { is: 'read-only' }
    const document = await opened(target)
    if (!document || textOf(document).slice(0, HEAD_CHARS).includes('\0')) return { is: 'no text' }
    return {
      is: 'text',
      text: textOf(document),
      isUnsaved: this.#isOfUser(document),
      version: document.version,
      editSince: version => this.#editSince(document, version),
    }
  }

  /** The editor refuses the edit of a document that has changed since its version was read. */
  async write(uri: string, expected: string, text: string, options: WriteOptions = {}): Promise<WriteResult> {
    const target = Uri.parse(uri, true)
    if (isUnsavedNotebook(target)) return 'changed meanwhile'
    if (this.#isOnDisk(target)) return this.#disk.write(uri, expected, text, options)
    const document = await opened(target)
    if (!document) return 'failed'
    this.#documents.track(document)
    if (textOf(document) !== expected) return 'changed meanwhile'
    const isOfUser = this.#isOfUser(document)
    if (target.scheme === 'file' && !document.isDirty) {
      if (!(await this.#disk.canEncode(uri, text))) return 'not encodable'
      if (hasForeignLineEndsIn(await this.#disk.image(uri)))
        return this.#writtenBelow(document, expected, text, options)
    }
    if (!(await this.#documents.whileChanging(document, () => applied(document, expected, text)))) {
      return textOf(document) === expected ? 'failed' : 'changed meanwhile'
    }
    if (isOfUser || document.isUntitled) return 'written'
    this.#unsaved.set(uri, document.version)
    if (!options.isUnsaved && !(await this.save(uri))) return 'not saved'
    if (options.image && !document.isDirty) await this.#writeExactly(document, text, options)
    return 'written'
  }

  /** Not where the user has gone on in the document: then it is theirs to save. */
  async save(uri: string): Promise<boolean> {
    const version = this.#unsaved.get(uri)
    const document = openDocument(Uri.parse(uri, true))
    this.#unsaved.delete(uri)
    if (!document || document.version !== version) return true
    // False also where there is nothing to save.
    return (await document.save()) || !document.isDirty
  }

  async tidy(uri: string): Promise<void> {
    if (Uri.parse(uri, true).scheme === 'file') await this.#disk.tidy(uri)
  }

  async create(uri: string, text: string, image?: FileImage): Promise<WriteResult> {
    const target = Uri.parse(uri, true)
    if ((await refusalOf(target)) !== 'missing') return 'changed meanwhile'
    if (target.scheme === 'file') return this.#disk.create(uri, text, image)
    const edit = new WorkspaceEdit()
    const isSame = image && (await this.textIn(uri, image.bytes)) === text
    const contents = isSame ? image.bytes : new TextEncoder().encode(text)
    edit.createFile(target, { overwrite: false, contents })
    return (await workspace.applyEdit(edit)) ? 'written' : 'failed'
  }

  async missingFolders(uri: string): Promise<number> {
    const target = Uri.parse(uri, true)
    if (target.scheme === 'file') return this.#disk.missingFolders(uri)
    let count = 0
    for (let folder = parentOf(target); folder.path !== '/' && !(await isFolder(folder)); folder = parentOf(folder))
      count++
    return count
  }

  async removeFolder(uri: string): Promise<void> {
    const target = Uri.parse(uri, true)
    if (target.scheme === 'file') return this.#disk.removeFolder(uri)
    const names = await Promise.resolve(workspace.fs.readDirectory(target)).catch(() => undefined)
    if (names?.length === 0) await workspace.fs.delete(target)
  }

  async remove(uri: string, expected: string): Promise<WriteResult> {
    const target = Uri.parse(uri, true)
    if (isUnsavedNotebook(target)) return 'changed meanwhile'
    if (this.#isOnDisk(target) && !hasTab(target)) return this.#disk.remove(uri, expected)
    const document = await opened(target)
    if (!document || textOf(document) !== expected) return 'changed meanwhile'
    const edit = new WorkspaceEdit()
    edit.deleteFile(target)
    return (await workspace.applyEdit(edit)) ? 'written' : 'failed'
  }

  /** An open editor goes with its file. */
  async rename(from: string, to: string): Promise<WriteResult> {
    const source = Uri.parse(from, true)
    if (this.#isOnDisk(source) && !hasTab(source)) return this.#disk.rename(from, to)
    const edit = new WorkspaceEdit()
    edit.renameFile(source, Uri.parse(to, true), { overwrite: false })
    return (await workspace.applyEdit(edit)) ? 'written' : 'failed'
  }

  async reloaded(uri: string): Promise<void> {
    const document = openDocument(Uri.parse(uri, true))
    if (!document || document.isDirty || document.uri.scheme !== 'file') return
    const present = await this.#disk.read(uri)
    if (present.is === 'text') await showing(document, present.text)
  }

  async image(uri: string): Promise<FileImage | undefined> {
    const target = Uri.parse(uri, true)
    if (target.scheme === 'file') return this.#disk.image(uri)
    if (target.scheme === 'untitled') return undefined
    return Promise.resolve(workspace.fs.readFile(target)).then(
      bytes => ({ bytes, mode: undefined }),
      () => undefined,
    )
  }

  async torn(uri: string, before: Uint8Array, after: string | Uint8Array): Promise<FileImage | undefined> {
    return Uri.parse(uri, true).scheme === 'file' ? this.#disk.torn(uri, before, after) : undefined
  }

  async textIn(uri: string, bytes: Uint8Array): Promise<string | undefined> {
    return this.#disk.textIn(uri, bytes)
  }

  /** Not where the user has unsaved changes. */
  async putBack(uri: string, expected: Uint8Array | null, image: FileImage | null): Promise<WriteResult> {
    const target = Uri.parse(uri, true)
    if (target.scheme !== 'file') return 'failed'
    const isUnsaved = openDocument(target)?.isDirty || isUnsavedNotebook(target)
    return isUnsaved ? 'changed meanwhile' : this.#disk.putBack(uri, expected, image)
  }

  #isOnDisk(uri: Uri): boolean {
    return uri.scheme === 'file' && !openDocument(uri)
  }

  #isOfUser(document: TextDocument): boolean {
    return document.isDirty && this.#unsaved.get(document.uri.toString()) !== document.version
  }

  /** The editor would give all lines the same line end, so the file is written and the document reads it again. */
  async #writtenBelow(
    document: TextDocument,
    expected: string,
    text: string,
    options: WriteOptions,
  ): Promise<WriteResult> {
    const result = await this.#disk.write(document.uri.toString(), expected, text, options)
    if (result === 'written') await showing(document, text)
    return result
  }

  /**
   * What the file was before. The editor has one line end and one encoding for all of it, and may have formatted it when it
   * was saved.
   */
  async #writeExactly(document: TextDocument, text: string, options: WriteOptions): Promise<void> {
    const uri = document.uri.toString()
    if (isSame(await this.#disk.image(uri), options.image)) return
    const result = await this.#disk.write(uri, textOf(document), text, options)
    if (result === 'written') await showing(document, text)
  }

  #editSince(document: TextDocument, version: number) {
    const { log } = this.#documents.track(document)
    return log.version === document.version ? log.editBetween(version) : undefined
  }
}

const parentOf = (uri: Uri) => Uri.joinPath(uri, '..')

async function isFolder(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0
  } catch {
    return false
  }
}

const textOf = (document: TextDocument) => textWithLineFeeds(document.getText())

const openDocument = (uri: Uri): TextDocument | undefined =>
  workspace.textDocuments.find(document => !document.isClosed && document.uri.toString() === uri.toString())

/** Its cells are documents of their own, so none has its address. */
const isUnsavedNotebook = (uri: Uri): boolean =>
  workspace.notebookDocuments.some(({ isDirty, uri: own }) => isDirty && own.toString() === uri.toString())

function isSame(one: FileImage | undefined, other: FileImage | undefined): boolean {
  if (!one || !other) return false
  const isSameMode = other.mode === undefined || one.mode === other.mode
  return (
    isSameMode && one.bytes.length === other.bytes.length && one.bytes.every((byte, at) => byte === other.bytes[at])
  )
}

/** A tab that was not in front yet has no document. */
const hasTab = (uri: Uri): boolean =>
  window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString()),
  )

async function opened(uri: Uri): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(uri)
  } catch {
    return undefined
  }
}

function applied(document: TextDocument, expected: string, text: string): Thenable<boolean> {
  const edit = new WorkspaceEdit()
  const lineEnd = document.eol === EndOfLine.CRLF ? '\r\n' : '\n'
  for (const one of editBetween(expected, text).replacements) {
    edit.replace(document.uri, rangeIn(expected, one), one.text.replaceAll('\n', lineEnd))
  }
  return workspace.applyEdit(edit)
}

/** Resolves when the document has the text, or after a while. */
function showing(document: TextDocument, text: string): Promise<void> {
  if (textOf(document) === text) return Promise.resolve()
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      subscription.dispose()
      resolve()
    }
    const timer = setTimeout(end, RELOAD_MS)
    const subscription = workspace.onDidChangeTextDocument(() => {
      if (textOf(document) === text) end()
    })
  })
}

/** Also in UTF-16, whose bytes have zeros between the characters of line ends. */
function hasForeignLineEndsIn(image: FileImage | undefined): boolean {
  return image !== undefined && hasForeignLineEnds(new TextDecoder('latin1').decode(image.bytes).replaceAll('\0', ''))
}

async function refusalOf(uri: Uri): Promise<NoText['is'] | undefined> {
  const open = openDocument(uri)
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
