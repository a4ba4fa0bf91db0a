// `TreeSearch`: the port that walks the folders of the workspace, lists their files and searches them.
import type { MatchedLine } from './matchingLines.ts'
import type { SearchPattern } from './searchPattern.ts'

/** A larger file is not searched, because it was hardly written by a person. */
export const MOST_SEARCHED_BYTES = 5_000_000

/** A folder of the workspace. */
export interface TreeRoot {
  readonly uri: string
  /** On the disk, with `/`; undefined in a virtual file system. */
  readonly path: string | undefined
  /** Comes before short paths where the workspace has several folders, else empty. */
  readonly name: string
  /** Globs of what the editor's settings leave out of its search. */
  readonly excluded: readonly string[]
  /** Globs of the user's for what is never sent, which also decide about the files that look secret. */
  readonly unsent: readonly string[]
}

/** What is walked: a folder of the workspace or one below it, or a single file. */
export interface TreePlace {
  readonly root: TreeRoot
  /** Relative to the root; empty for the root itself. */
  readonly path: string
}

export interface ListQuery {
  readonly places: readonly TreePlace[]
  /** As in `exclude.ts`; files alone are found by it. A leading `!` finds the others. */
  readonly glob: string | undefined
  readonly most: number
}

export interface ListedEntry {
  /** As the model names it. */
  readonly path: string
  readonly isFolder: boolean
  /** In bytes, of a file. */
  readonly size: number
  /** Its content is never shown without a question. */
  readonly isSecret: boolean
}

/** `isCut`: the time was over before everything was walked. */
export interface Listed {
  /** The nearest to the top first, those of a folder by name. */
  readonly entries: readonly ListedEntry[]
  /** How many there are beyond these. */
  readonly more: number
  readonly isCut: boolean
}

export interface TextQuery {
  readonly places: readonly TreePlace[]
  readonly glob: string | undefined
  readonly pattern: SearchPattern
  /** How many lines around each match. */
  readonly context: number
  /** How many matching lines of one file are returned. */
  readonly mostInFile: number
  /** The search ends when so many lines have been found. */
  readonly mostCounted: number
  /** Texts that the user has not saved; they are searched in place of the file's. */
  readonly unsaved: readonly UnsavedText[]
}

export interface UnsavedText {
  readonly uri: string
  readonly text: string
}

export interface FoundFile {
  readonly path: string
  readonly lines: readonly MatchedLine[]
  /** How many lines match, also those that are not among `lines`. */
  readonly count: number
}

export interface FoundText {
  /** By path. */
  readonly files: readonly FoundFile[]
  /** How many files were searched. */
  readonly searched: number
  /** Files that were not searched, because they look secret or the user keeps them from being sent; or are too large. */
  readonly secret: number
  readonly tooLarge: number
  /** Matching lines that are too long to be written by a person, and were left out. */
  readonly minified: number
  /** Files for which the pattern took too long. */
  readonly tooSlow: readonly string[]
  /** `counted`: `mostCounted` was reached. `time`: the time was over. `slow`: the pattern took too long for many files. */
  readonly isCut: 'no' | 'counted' | 'time' | 'slow'
}

/** `ignored`: the path itself is left out of each walk. */
export interface NoTree {
  readonly is: 'missing' | 'file' | 'outside' | 'ignored'
}

export interface TreeSearch {
  list(query: ListQuery, signal: AbortSignal): Promise<Listed | NoTree>
  search(query: TextQuery, signal: AbortSignal): Promise<FoundText | NoTree>
}
