// `Tokenizer`: colours the lines of code blocks; the port, and the values that pass through it.
import type { BracketPair } from './brackets.ts'
import type { InjectionTable } from './injectedScopes.ts'
import type { TokenRule } from './tokenRules.ts'

/** The kinds of tokens that a grammar's contribution names, by selectors of scopes. */
export interface TokenKinds {
  readonly types: Readonly<Record<string, 'other' | 'comment' | 'string'>>
  /** Where brackets belong together, and where they do not. */
  readonly balanced: readonly string[]
  readonly unbalanced: readonly string[]
}

export interface BracketRequest {
  readonly pairs: readonly BracketPair[]
  /** Brackets of each kind have levels of their own. */
  readonly isByKind: boolean
}

export interface TokenRequest {
  /** Names the block among all pages. */
  readonly block: string
  /** The scope of the grammar. */
  readonly scope: string
  readonly kinds?: TokenKinds
  /** Without it, brackets have the colours of their tokens. */
  readonly brackets?: BracketRequest
  /** The number of the first line of `text`; 0 begins the block anew. */
  readonly from: number
  readonly text: string
  /** The last line may still grow, so the next request begins with it again. */
  readonly isOpen: boolean
}

/**
 * An index that no other style ever has, the colour as the theme writes it, and the bits of `fontBits`. `bracket`: its
 * level from 1 on, whose colour the page knows.
 */
export type TokenStyle = readonly [index: number, foreground: string, font: number, bracket?: number]

export const fontBits = { italic: 1, bold: 2, underline: 4, strikethrough: 8 } as const

export interface ColouredLines {
  /** For each line: lengths and styles in turn. Style 0 is the default; the end of a line that has it is left out. */
  readonly lines: readonly (readonly number[])[]
  /** The styles that the lines use. */
  readonly styles: readonly TokenStyle[]
}

/** What the tokenizer needs of the editor's extensions. */
export interface GrammarSource {
  readonly injections: InjectionTable
  /** Undefined where no extension has it. */
  readGrammar(scope: string): Promise<GrammarText | undefined>
}

export interface GrammarText {
  /** Its ending decides how the text is read. */
  readonly path: string
  readonly text: string
}

export interface Tokenizer {
  /** All blocks begin anew. */
  setTheme(rules: readonly TokenRule[]): void
  /** All grammars are read again, and all blocks begin anew. */
  setGrammars(source: GrammarSource): void
  /** Undefined where the lines before `from` are not known any more; then the block has to begin anew. */
  tokenize(request: TokenRequest, signal: AbortSignal): Promise<ColouredLines | undefined>
}
