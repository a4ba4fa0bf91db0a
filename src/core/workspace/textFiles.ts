// `TextFiles`: finds files and folders and reads their text as the editor has it.
import type { LineRange } from '../../protocol/conversation.ts'

export interface FoundFile {
  /** As the editor writes it, however the file was named. */
  readonly uri: string
  /** `elsewhere`: of another machine, which was not asked for it. */
  readonly kind: 'file' | 'folder' | 'other' | 'elsewhere'
  /** Relative to its workspace folder, after the folder's name where there are several; else its name. */
  readonly path: string
  readonly fullPath: string
  /** Where links lead to another file. */
  readonly targetPath?: string
  /** The same as a URI, where it is in the workspace. */
  readonly targetUri?: string
  /** Both the file and what links lead to. */
  readonly isInWorkspace: boolean
  /** The user has it open in an editor. */
  readonly isOpen: boolean
  /** Of the file's bytes, or of an open document's text. */
  readonly size: number
}

export interface FileText {
  /** Of the range if one was asked for. With `\n` line ends; that of the open document if there is one. */
  readonly text: string
  /** The beginning of the whole text, by which secret and binary files are recognized. */
  readonly head: string
  readonly language: string
  /** Of the open document. */
  readonly version?: number
  /** SHA-256 of the file's bytes in hexadecimal, where the text is that of the file. */
  readonly hash?: string
}

/** How many UTF-16 code units of a text are its `head`. */
export const HEAD_UNITS = 8_192

export interface TextFiles {
  /** Undefined where there is none. */
  find(uri: string, signal: AbortSignal): Promise<FoundFile | undefined>
  /** Undefined where it has gone, cannot be read, or has no text. */
  read(uri: string, range: LineRange | undefined, signal: AbortSignal): Promise<FileText | undefined>
  /** The bytes of the file on the disk; undefined where it has gone or cannot be read. */
  readBytes(uri: string, signal: AbortSignal): Promise<Uint8Array | undefined>
  /** Paths as in `FoundFile`. */
  pathOf(uri: string): string
}

export interface ListedFile {
  readonly uri: string
  readonly path: string
}

export interface Listing {
  readonly files: readonly ListedFile[]
  /** Paths that git ignores; a folder of which everything is ignored is one of them, and ends with a slash. */
  readonly ignored: readonly string[]
  /** Paths that git does not track. */
  readonly untracked: readonly string[]
  /** Git has listed all of it, and not the editor. */
  readonly isOfGit: boolean
}

export interface ListOptions {
  /** Also what git ignores. */
  readonly withIgnored?: boolean
  /** Without what git does not track, where git lists the files. */
  readonly isTrackedOnly?: boolean
}

export interface FileListing {
  /** The files below the folder, or of the whole workspace, without those that the editor's settings leave out. */
  list(folder: string | undefined, options: ListOptions, signal: AbortSignal): Promise<Listing>
}
