// The ports of `Changes`: where contents and records are kept, the user's files, and the user who is asked.
import type { ChangeRecord } from '../../protocol/changeRecord.ts'
import type { TextEdit } from '../workspace/textEdit.ts'
import type { WriteConcern } from './writeGuard.ts'

/** Contents by their hash, and one journal of records for each conversation. */
export interface ChangeStore {
  /** Resolves when the content is on disk. */
  keep(hash: string, content: string | Uint8Array): Promise<void>
  /** Undefined where there is none with this hash, or what there is has another one. */
  read(hash: string): Promise<string | undefined>
  readBytes(hash: string): Promise<Uint8Array | undefined>
  /** The conversations that have a journal. */
  conversations(): Promise<readonly string[]>
  /** What can be read of the conversation's journal. */
  records(conversation: string): Promise<readonly ChangeRecord[]>
  /** Resolves when the records are on disk. */
  append(conversation: string, ...records: readonly ChangeRecord[]): Promise<void>
}

/**
 * A text as the user has it now, with `\n` line ends, saved or not. `editSince`: the edit from an earlier version, where
 * it is known exactly.
 */
export interface PresentText {
  readonly is: 'text'
  readonly text: string
  /** The user has changes in the editor that are not in the file. */
  readonly isUnsaved?: boolean
  readonly version: number
  editSince(version: number): TextEdit | undefined
}

/** A file that holds no text, or none that may be written. `unsaved notebook`: the editor has other cells than the file. */
export interface NoText {
  readonly is: 'missing' | 'no text' | 'read-only' | 'unsaved notebook'
}

/**
 * `not encodable`: the text has a character that the encoding of the file has not. `not saved`: the editor has the text, and
 * could not save it.
 */
export type WriteResult = 'written' | 'not saved' | 'changed meanwhile' | 'read-only' | 'not encodable' | 'failed'

/** What a file is beside its text: its bytes as they are on the disk, and who may do what with it. */
export interface FileImage {
  readonly bytes: Uint8Array
  readonly mode: number | undefined
}

export interface WriteOptions {
  /** The editor does not save the file; `save` does. */
  readonly isUnsaved?: boolean
  /** What the file was when it had the new text, so that it gets the same bytes. */
  readonly image?: FileImage | undefined
}

/**
 * The user's files, as they are in the editor. A file that is not as expected is left alone. Line ends, byte order mark,
 * encoding and mode stay as they are.
 */
export interface ChangeFiles {
  read(uri: string): Promise<PresentText | NoText>
  write(uri: string, expected: string, text: string, options?: WriteOptions): Promise<WriteResult>
  /** Also the folders that it needs. */
  create(uri: string, text: string, image?: FileImage): Promise<WriteResult>
  /** How many of the folders that it would be in are not there. */
  missingFolders(uri: string): Promise<number>
  /** The folder, where it is empty. */
  removeFolder(uri: string): Promise<void>
  remove(uri: string, expected: string): Promise<WriteResult>
  rename(from: string, to: string): Promise<WriteResult>
  /** Saves what was written and not saved. False where the editor could not save it. */
  save(uri: string): Promise<boolean>
  /** Removes what a process that ended in the middle of a write has left beside the file. */
  tidy(uri: string): Promise<void>
  /** Resolves when an editor that shows the file, which somebody else has written, shows what is in it; or after a while. */
  reloaded(uri: string): Promise<void>
  /** Undefined where there is no file, or it is not known. */
  image(uri: string): Promise<FileImage | undefined>
  /**
   * The file as a write of `after` over these bytes has left it that was cut off in the middle; undefined where it is as
   * before or after, or somebody else may have written it.
   */
  torn(uri: string, before: Uint8Array, after: string | Uint8Array): Promise<FileImage | undefined>
  /** The text that the file has with these bytes, with `\n` line ends; undefined for no text. */
  textIn(uri: string, bytes: Uint8Array): Promise<string | undefined>
  /** Replaces a file by its bytes. `expected` and `image` are null for no file. */
  putBack(uri: string, expected: Uint8Array | null, image: FileImage | null): Promise<WriteResult>
}

/** Files on the disk, as they are when no editor has them open. */
export interface DiskFiles extends ChangeFiles {
  /** The encoding of the file has all characters of the text. */
  canEncode(uri: string, text: string): Promise<boolean>
  /** Nobody may write it. */
  isReadOnly(uri: string): Promise<boolean>
}

/** Asks the user about one write; false where it is declined or withdrawn. */
export interface WriteConsent {
  ask(uri: string, concerns: readonly WriteConcern[], signal: AbortSignal): Promise<boolean>
}
