// What is seen while a file is typed: keys, what was visible when, requests and accepted suggestions.
import type { Source } from './source.ts'

/** All times are milliseconds of the replay's clock. */
export interface Key {
  readonly at: number
  /** Place in the file after the key. */
  readonly offset: number
  /** After the key the document holds a mistake. */
  readonly isMistaken: boolean
  /** False if the key only moved the cursor. */
  readonly isChange: boolean
}

/** What is visible from `at` until the next view. Each key begins a new one. */
export interface View {
  readonly at: number
  /** Index of the last key; -1 before the first. */
  readonly key: number
  /** Visible text on the cursor's line, with the text of the line that it surrounds; empty if there is none. */
  readonly ghost: string
  /** With the visible text taken, the cursor's line is the file's line, up to blanks at the end. */
  readonly isCorrect: boolean
  /** So many characters of all the visible text are the file's. */
  readonly trueLength: number
  /** All of the visible text is the file's, up to blanks at the end of its last line. */
  readonly isTrue: boolean
  /** Key of the request that the visible text came from. */
  readonly request: string | undefined
}

export interface Request {
  readonly key: string
  readonly startedAt: number
  /** When the client or the model ended it. */
  readonly endedAt: number
  /** When the server's slot was free again. */
  readonly releasedAt: number
  /** Place in the file from which the model goes on; undefined if it found none. */
  readonly offset: number | undefined
  readonly firstTokenMs: number
  readonly isRefused: boolean
  /** Every token that the client read, without the answer's tag: where its characters stand in the file, if they do. */
  readonly tokens: readonly (readonly number[])[]
  /** Tokens of the answer's tag that the client read. */
  readonly tagTokens: number
  /** What the client read, without the answer's tag. */
  readonly text: string
  /** The client ended it before the model did. */
  readonly isStopped: boolean
  /** Tokens that the server sent after the client's end, until it noticed. */
  readonly lateTokens: number
  /** Tokens of the prompt, and those of them behind the part that it shares with one of the last prompts. */
  readonly promptTokens: number
  readonly uncachedTokens: number
}

export interface Acceptance {
  readonly at: number
  readonly characters: number
}

export interface Observation {
  readonly source: Source
  readonly tokensPerSecond: number
  /** Median time to the first token. */
  readonly firstTokenMs: number
  readonly surprises: readonly number[]
  readonly keys: readonly Key[]
  readonly views: readonly View[]
  readonly requests: readonly Request[]
  readonly acceptances: readonly Acceptance[]
  readonly endedAt: number
  /** The document when the typing was over. */
  readonly typedText: string
}
