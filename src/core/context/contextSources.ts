// `ContextSources`: what can be attached to a question: suggests it, names it, and resolves it to what is sent.
import type { Disposable } from '../../base/disposable.ts'
import type { ContextReference, ContextSourceName, ReferenceOf } from '../../protocol/contextReference.ts'
import type { PartOf } from '../../protocol/conversation.ts'

export interface ContextQuery {
  /** What was typed; empty for the first suggestions. */
  readonly text: string
  readonly limit: number
}

/** What a chip shows of a reference. */
export interface Description {
  /** A name, or a short phrase in the user's language. Untrusted: show it as plain text. */
  readonly label: string
  /** Where it is, such as the folder of a file; may be empty. */
  readonly detail: string
  readonly icon: ContextSourceName
}

export interface Suggestion extends Description {
  readonly reference: ContextReference
  /** Positions of the characters of `label` and `detail` that the query matched, ascending. */
  readonly labelMatches: readonly number[]
  readonly detailMatches: readonly number[]
  /** What was typed is the beginning of its name, or of another word for it. */
  readonly isNamed?: true
}

/** The user is asked before it is attached. */
export type ConsentReason = 'secret' | 'excluded' | 'ignored' | 'outside'

export type UnavailableReason =
  | 'missing'
  /** On another machine, which is not asked for it. */
  | 'elsewhere'
  | 'binary'
  | 'too-large'
  | 'untrusted'
  | 'no-repository'
  | 'empty'
  | 'unsupported'
  /** It does not fit into the model's window. */
  | 'no-room'

export type OmissionReason =
  | ConsentReason
  | 'binary'
  | 'too-large'
  | 'unreadable'
  | 'budget'
  | 'count'
  | 'generated'
  | 'untracked'

/** What was left out, for one reason. */
export interface Omission {
  readonly why: OmissionReason
  readonly count: number
  /** The first of them, by path. */
  readonly names: readonly string[]
}

/** What does not fit: its tokens, the most that a request may have, and the folders that take most, largest first. */
export interface Room {
  readonly tokens: number
  readonly limit: number
  readonly folders: readonly { readonly path: string; readonly tokens: number }[]
}

/** What is sent otherwise than it is in the file. */
export interface Differences {
  /** An API key was removed. */
  readonly lacksKey?: boolean
  /** Characters that nobody sees were marked, or left out where they are a hidden text. */
  readonly unseen?: readonly { readonly name: string; readonly count: number }[]
}

export type Resolved =
  | ({
      readonly is: 'ready'
      readonly parts: readonly PartOf<'attachment'>[]
      readonly omitted: readonly Omission[]
      /** It would have been only what git tracks, but there is no git here. */
      readonly lacksGit?: boolean
    } & Differences)
  | { readonly is: 'image'; readonly part: PartOf<'image'> }
  /** `name`: the file, with its folder; where links lead to another file, `target` is that one's path. */
  | { readonly is: 'ask'; readonly why: ConsentReason; readonly name: string; readonly target?: string }
  | { readonly is: 'unavailable'; readonly why: UnavailableReason; readonly name: string; readonly room?: Room }

export interface ResolveOptions {
  /** The user was asked about this reference and agreed. */
  readonly isConfirmed: boolean
}

/** What the page offers as chips that are not attached until the user accepts them. */
export interface Offers {
  readonly selection?: ReferenceOf<'selection'>
  readonly activeFile?: ReferenceOf<'file'>
}

export interface ContextSources {
  /** Best first; yields again with more or better ones until it is complete. */
  suggest(query: ContextQuery, signal: AbortSignal): AsyncIterable<readonly Suggestion[]>
  /** By what the reference itself contains; nothing is read. */
  describe(reference: ContextReference): Description
  /** What the reference adds to the question. Asks nobody. */
  resolve(reference: ContextReference, options: ResolveOptions, signal: AbortSignal): Promise<Resolved>
  readonly offers: Offers
  readonly onDidChangeOffers: (listener: (offers: Offers) => void) => Disposable
}

/** One kind of context. */
export interface ContextSource<S extends ContextSourceName = ContextSourceName> {
  suggest(query: ContextQuery, signal: AbortSignal): AsyncIterable<readonly Suggestion[]>
  describe(reference: ReferenceOf<S>): Description
  resolve(reference: ReferenceOf<S>, options: ResolveOptions, signal: AbortSignal): Promise<Resolved>
}
