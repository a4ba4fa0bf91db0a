// `GrammarEngine`: tokenizes lines with TextMate grammars, as the editor does.
import oniguruma from 'vscode-oniguruma'
import textmate, {
  type IGrammar,
  type IOnigLib,
  type ITokenizeLineResult2,
  type Registry,
  type StateStack,
} from 'vscode-textmate'
import { type BracketPair, Brackets, type FoundBracket, type OpenBrackets } from '../../core/colour/brackets.ts'
import { injectedScopes } from '../../core/colour/injectedScopes.ts'
import { LineStates } from '../../core/colour/lineStates.ts'
import type { ColouredLines, GrammarSource, TokenKinds, TokenRequest } from '../../core/colour/tokenizer.ts'
import type { TokenRule } from '../../core/colour/tokenRules.ts'
import { mayHaveBrackets, StyleTable } from './styleTable.ts'

/** The editor's own limits. */
const maxLineChars = 20_000
const maxLineMs = 500
/** The first lines of a language take long because its expressions are compiled then; what is compiled stays. */
const maxAttempts = 3
const maxBlocks = 200

/** What is known before a line. */
interface LineStart {
  readonly rules: StateStack
  readonly open: OpenBrackets
}

export class GrammarEngine {
  readonly #onigLib: Promise<IOnigLib>
  readonly #states = new LineStates<LineStart>(maxBlocks)
  readonly #styles: StyleTable
  #rules: readonly TokenRule[] = []
  #registry: Registry | undefined

  /** `wasm`: the WebAssembly module of vscode-oniguruma. */
  constructor(wasm: Uint8Array, firstStyle = 1) {
    this.#styles = new StyleTable(firstStyle)
    this.#onigLib = oniguruma.loadWASM(wasm).then(() => oniguruma)
    // A failure is reported by the first request.
    this.#onigLib.catch(() => {})
  }

  /** Greater than the indexes of all styles so far. */
  get nextStyle(): number {
    return this.#styles.next
  }

  setGrammars(source: GrammarSource): void {
    this.#registry?.dispose()
    this.#registry = new textmate.Registry({
      onigLib: this.#onigLib,
      getInjections: scope => injectedScopes(source.injections, scope),
      loadGrammar: async scope => {
        const file = await source.readGrammar(scope)
        return file && textmate.parseRawGrammar(file.text, file.path)
      },
    })
    this.#applyTheme()
  }

  setTheme(rules: readonly TokenRule[]): void {
    this.#rules = rules
    this.#applyTheme()
  }

  /** States have colours of the theme in them, so all blocks begin anew. */
  #applyTheme(): void {
    this.#states.clear()
    if (!this.#registry) return
    // as: the package's type lacks `readonly`
    this.#registry.setTheme({ settings: [...this.#rules] as Parameters<Registry['setTheme']>[0]['settings'] })
    this.#styles.setColors(this.#registry.getColorMap())
  }

  async tokenize(request: TokenRequest): Promise<ColouredLines | undefined> {
    const registry = this.#registry
    const grammar = await registry?.loadGrammarWithConfiguration(
      request.scope,
      languageId,
      grammarOptions(request.kinds),
    )
    if (!grammar) throw new Error(`There is no grammar for ${request.scope}.`)
    // Other grammars may have come meanwhile.
    return registry === this.#registry ? this.#tokenizeWith(grammar, request) : this.tokenize(request)
  }

  #tokenizeWith(grammar: IGrammar, request: TokenRequest): ColouredLines | undefined {
    const { block, scope, from, text, isOpen } = request
    let state = from === 0 ? { rules: textmate.INITIAL, open: [] } : this.#states.at(block, scope, from)
    if (!state) return undefined
    const brackets = request.brackets && new Brackets(request.brackets.pairs, request.brackets.isByKind)
    const texts = text.split('\n')
    const closed = isOpen ? texts.length - 1 : texts.length
    const lines = texts.map((line, at) => {
      if (line.length >= maxLineChars || !state) return []
      const result = tokenized(grammar, line, state.rules)
      const open = [...state.open]
      const found = brackets ? bracketsIn(line, result.tokens, brackets, open) : []
      if (at < closed && !result.stoppedEarly) state = { rules: result.ruleStack, open }
      return this.#styles.spans(result.tokens, line.length, found)
    })
    this.#states.set(block, { scope, line: from + closed, state })
    return { lines, styles: this.#styles.used(lines) }
  }
}

/** The number of the block's language; code of another language in it has the same brackets. */
const languageId = 1
/** The numbers of the token types, which vscode-textmate has only as a type. */
const typeNumbers = { other: 0, comment: 1, string: 2 } as const

/** Without kinds, as the editor has them for a contribution that names none. */
function grammarOptions({ types, balanced, unbalanced }: TokenKinds = { types: {}, balanced: ['*'], unbalanced: [] }) {
  return {
    tokenTypes: Object.fromEntries(Object.entries(types).map(([scope, type]) => [scope, typeNumbers[type]])),
    balancedBracketSelectors: [...balanced],
    unbalancedBracketSelectors: [...unbalanced],
  }
}

function bracketsIn(line: string, tokens: Uint32Array, brackets: Brackets, open: BracketPair[]): FoundBracket[] {
  const found: FoundBracket[] = []
  for (let at = 0; at < tokens.length; at += 2) {
    if (!mayHaveBrackets(tokens[at + 1] ?? 0)) continue
    const start = tokens[at] ?? 0
    found.push(...brackets.find(line.slice(start, tokens[at + 2] ?? line.length), start, open))
  }
  return found
}

function tokenized(grammar: IGrammar, line: string, state: StateStack): ITokenizeLineResult2 {
  let result = grammar.tokenizeLine2(line, state, maxLineMs)
  for (let attempt = 1; result.stoppedEarly && attempt < maxAttempts; attempt++)
    result = grammar.tokenizeLine2(line, state, maxLineMs)
  return result
}
