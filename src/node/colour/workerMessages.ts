// `ToWorker` and `FromWorker`: the messages between the extension host and the thread that tokenizes.
import type { InjectionTable } from '../../core/colour/injectedScopes.ts'
import type { ColouredLines, GrammarText, TokenRequest } from '../../core/colour/tokenizer.ts'
import type { TokenRule } from '../../core/colour/tokenRules.ts'

export interface WorkerStart {
  /** The path of the WebAssembly module of vscode-oniguruma, compressed by Brotli. */
  readonly wasm: string
  /** Styles get indexes from this one on. */
  readonly firstStyle: number
}

export type ToWorker =
  | { readonly kind: 'theme'; readonly rules: readonly TokenRule[] }
  | { readonly kind: 'grammars'; readonly injections: InjectionTable }
  | { readonly kind: 'tokenize'; readonly id: number; readonly request: TokenRequest }
  /** Answers `read`. */
  | { readonly kind: 'grammar'; readonly id: number; readonly file: GrammarText | undefined }

export type FromWorker =
  | { readonly kind: 'read'; readonly id: number; readonly scope: string }
  | {
      readonly kind: 'tokenized'
      readonly id: number
      readonly result: ColouredLines | undefined
      readonly nextStyle: number
    }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
