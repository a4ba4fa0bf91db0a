// The ports of `Changes`: where contents and records are kept, the user's files, and the user who is asked.
import type { ChangeRecord } from '../../protocol/changeRecord.ts'
import type { TextEdit } from '../workspace/textEdit.ts'
import type { WriteConcern } from './writeGuard.ts'

/** Contents by their hash, and one journal of records for each conversation. */
export interface ChangeStore {
  /** Resolves when the content is on disk. */
  keep(hash: string, content: string): Promise<void>
  /** Undefined where there is none with this hash, or what there is has another one. */
  read(hash: string): Promise<string | undefined>
  /** The conversations that have a journal. */
  conversations(): Promise<readonly string[]>
  /** What can be read of the conversation's journal. */
  records(conversation: string): Promise<readonly ChangeRecord[]>
  /** Resolves when the record is on disk. */
  append(conversation: string, record: ChangeRecord): Promise<void>
}

/**
 * A text as the user has it now, with `\n` line ends, saved or not. `editSince`: the edit from an earlier version, where
 * it is known exactly.
 */
export interface PresentText {
  readonly is: 'text'
  readonly text: string
  readonly version: number
  editSince(version: number): TextEdit | undefined
}

/** A file that holds no text, or none that may be written. */
export interface NoText {
  readonly is: 'missing' | 'no text' | 'read-only'
}

export type WriteResult = 'written' | 'changed meanwhile' | 'failed'

/** The user's files, as they are in the editor. A file that is not as expected is left alone. */
export interface ChangeFiles {
  read(uri: string): Promise<PresentText | NoText>
  write(uri: string, expected: string, text: string): Promise<WriteResult>
  /** Also the folders that it needs. */
  create(uri: string, text: string): Promise<WriteResult>
  remove(uri: string, expected: string): Promise<WriteResult>
  rename(from: string, to: string): Promise<WriteResult>
}

/** Asks the user about one write; false where it is declined or withdrawn. */
export interface WriteConsent {
  ask(uri: string, concerns: readonly WriteConcern[], signal: AbortSignal): Promise<boolean>
}
