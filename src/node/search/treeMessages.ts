// `TreeRequest` and `TreeReply`: what a thread that walks the workspace is asked, and what it answers.
import type { MatchLimits } from '../../core/workspace/matchingLines.ts'
import type { SearchPattern } from '../../core/workspace/searchPattern.ts'
import type { FoundFile, ListedEntry, NoTree } from '../../core/workspace/treeSearch.ts'
import type { WalkRules } from './folderWalk.ts'
import type { IndexedChange } from './statIndex.ts'
import type { SearchedFile } from './textSearcher.ts'

export interface WalkedRoot extends WalkRules {
  readonly path: string
  readonly name: string
}

export interface WalkedPlace {
  /** The index of its root. */
  readonly root: number
  /** Relative to it. */
  readonly path: string
}

interface WalkJob {
  readonly roots: readonly WalkedRoot[]
  /** What is asked for; it is walked from where `find` finds it. */
  readonly places: readonly WalkedPlace[]
  readonly glob: string | undefined
}

export interface TextJob extends WalkJob {
  readonly kind: 'text'
  readonly pattern: SearchPattern
  readonly context: number
  readonly mostInFile: number
  readonly mostCounted: number
  readonly mostBytes: number
  /** By path on the disk. */
  readonly unsaved: ReadonlyMap<string, string>
}

export interface ListJob extends WalkJob {
  readonly kind: 'list'
  readonly most: number
}

export type TreeJob = TextJob | ListJob

/** A folder, from one of its files on; or a single file. */
export interface SearchTask extends WalkedPlace {
  readonly isFile?: true
  readonly from?: number
}

/** A job is known from `begin` to `end`, so that its rules are read once. Each request takes about `budgetMs`. */
export type TreeRequest =
  | { readonly kind: 'begin'; readonly job: number; readonly of: TreeJob }
  | { readonly kind: 'end'; readonly job: number }
  /** Where the places of the job really are. */
  | { readonly kind: 'find'; readonly job: number }
  | {
      readonly kind: 'search'
      readonly job: number
      readonly tasks: readonly SearchTask[]
      /** Paths for which the pattern takes too long. */
      readonly skipped: readonly string[]
      readonly budgetMs: number
    }
  | {
      readonly kind: 'list'
      readonly job: number
      /** With the first request of a job. */
      readonly folders?: readonly WalkedPlace[]
      /** The time is over, and what has been found is wanted. */
      readonly isLast: boolean
      readonly budgetMs: number
    }

  /** Of no job: one file, as its bytes or its text. */
  | {
      readonly kind: 'content'
      readonly path: string
      readonly content: Uint8Array | string
      readonly pattern: SearchPattern
      readonly limits: MatchLimits
    }
  | IndexRequest

/** Of the only index of a thread: `look` begins with the roots, and goes on without them. */
export type IndexRequest =
  | {
      readonly kind: 'look'
      readonly roots?: readonly WalkedRoot[]
      readonly folder: string
      /** What a window that has crashed has left in the folder is compared with. */
      readonly isLeft?: boolean
      readonly budgetMs: number
    }
  /** Without a note nothing is left any more. */
  | { readonly kind: 'leave'; readonly note: string | undefined }
  | { readonly kind: 'take' }
  | { readonly kind: 'keep'; readonly budgetMs: number }
  | { readonly kind: 'forget'; readonly root: number; readonly path: string }
  | { readonly kind: 'close' }

export type FoundPlace =
  | (WalkedPlace & { readonly is: 'folder' | 'file' })
  | { readonly is: Exclude<NoTree['is'], 'file'> }

export interface SearchedPart {
  readonly files: readonly FoundFile[]
  /** What is left to do of the tasks, and what was found to do. */
  readonly tasks: readonly SearchTask[]
  readonly searched: number
  readonly secret: number
  readonly tooLarge: number
  readonly minified: number
}

/** `entries`: when all has been walked, or the time is over. */
export interface ListedPart {
  readonly entries: readonly ListedEntry[] | undefined
  readonly more: number
}

export type TreeReply =
  | { readonly kind: 'done' }
  | { readonly kind: 'found'; readonly places: readonly FoundPlace[] }
  | ({ readonly kind: 'searched' } & SearchedPart)
  | ({ readonly kind: 'listed' } & ListedPart)
  | { readonly kind: 'content found'; readonly found: SearchedFile }
  | { readonly kind: 'looked'; readonly isDone: boolean; readonly counts: IndexCounts }
  | { readonly kind: 'taken'; readonly changes: readonly IndexedChange[]; readonly isAll: boolean }
  | { readonly kind: 'kept'; readonly isDone: boolean; readonly counts: IndexCounts }

export interface IndexCounts {
  readonly files: number
  readonly of: number
}

interface Replies {
  readonly begin: 'done'
  readonly end: 'done'
  readonly find: 'found'
  readonly search: 'searched'
  readonly list: 'listed'
  readonly content: 'content found'
  readonly look: 'looked'
  readonly take: 'taken'
  readonly keep: 'kept'
  readonly forget: 'done'
  readonly leave: 'done'
  readonly close: 'done'
}

export type ReplyTo<K extends TreeRequest['kind']> = Extract<TreeReply, { kind: Replies[K] }>

/** Who carries out requests. What it knows of a job ends with it. */
export interface TreeMember {
  readonly isEnded: boolean
  readonly load: number
  ask<R extends TreeRequest>(request: R): Promise<ReplyTo<R['kind']>>
  end(reason: Error): void
}
