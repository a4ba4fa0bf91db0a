// `CodeColours`: answers the pages' requests for the colours of code blocks.
import { extensions, workspace } from 'vscode'
import { AbortedError, isAbort } from '../../base/abort.ts'
import { type Disposable, DisposableStore, onEnd } from '../../base/disposable.ts'
import { Emitter } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import { type BracketPair, bracketPairs } from '../../core/colour/brackets.ts'
import type { SourceFile } from '../../core/colour/extensionPart.ts'
import { readJsonc } from '../../core/colour/jsonc.ts'
import { type Language, Languages } from '../../core/colour/languages.ts'
import { readThemeRules, type ThemeEntry, Themes } from '../../core/colour/themes.ts'
import type { BracketRequest, Tokenizer } from '../../core/colour/tokenizer.ts'
import { type TokenRule, tokenRules } from '../../core/colour/tokenRules.ts'
import type { Log } from '../../core/log/log.ts'
import type { BlockColours, FromPage, ToPage } from '../../protocol/panel.ts'
import { extensionParts } from './extensionParts.ts'
import { bracketSettings, changesThemeSettings, type ThemeSettings, themeSettings } from './themeSettings.ts'

type Request = Extract<FromPage, { kind: 'colour' }>
type ShownTheme = Request['theme']

/** One page's access to the colours. */
export interface AttachedPage extends Disposable {
  receive(message: Request): void
}

interface Contributions {
  readonly languages: Languages
  readonly themes: Themes
  /** Of the languages that have been asked for, by id. */
  readonly pairs: Map<string, Promise<readonly BracketPair[]>>
}

export class CodeColours implements Disposable {
  readonly #tokenizer: Tokenizer
  readonly #log: Log
  readonly #disposables = new DisposableStore()
  readonly #onChange = new Emitter<void>()
  #contributions: Contributions | undefined
  #settings: ThemeSettings | undefined
  /** The theme that the tokenizer has, or will have when `applied` is resolved. */
  #theme: { readonly key: string; readonly applied: Promise<void> } | undefined
  #pageCount = 0

  constructor(tokenizer: Tokenizer, log: Log) {
    this.#tokenizer = tokenizer
    this.#log = log
    this.#disposables.add(
      workspace.onDidChangeConfiguration(event => {
        if (changesThemeSettings(event)) this.#reset()
      }),
    )
    this.#disposables.add(
      extensions.onDidChange(() => {
        this.#contributions = undefined
        this.#reset()
      }),
    )
  }

  /** `send` receives the answers, and a message whenever colours have changed. */
  attach(send: (message: ToPage) => void): AttachedPage {
    const page = ++this.#pageCount
    const abort = new AbortController()
    const disposables = new DisposableStore()
    disposables.add(this.#onChange.event(() => send({ kind: 'theme' })))
    disposables.add(onEnd(() => abort.abort(new AbortedError())))
    return {
      receive: message => void this.#answer(page, message, send, abort.signal),
      dispose: () => disposables.dispose(),
    }
  }

  #reset(): void {
    this.#settings = undefined
    this.#theme = undefined
    this.#onChange.fire()
  }

  async #answer(page: number, message: Request, send: (message: ToPage) => void, signal: AbortSignal): Promise<void> {
    const { block, request, label } = message
    const language = this.#contributed.languages.find(label)
    try {
      const colours = language?.scope ? await this.#colour(page, message, language, language.scope, signal) : plain
      send({ kind: 'colours', block, request, ...(language && { name: language.name }), colours })
    } catch (fault) {
      if (isAbort(fault)) return
      this.#log.warn('A code block has no colours', { reason: faultText(fault) })
      send({ kind: 'colours', block, request, ...(language && { name: language.name }), colours: plain })
    }
  }

  async #colour(
    page: number,
    message: Request,
    language: Language,
    scope: string,
    signal: AbortSignal,
  ): Promise<BlockColours> {
    const { block, theme, from, text, isOpen } = message
    await this.#applyTheme(theme)
    const brackets = await this.#bracketsOf(language)
    const { kinds } = language
    const request = {
      ...{ block: `${page}/${block}`, scope, from, text, isOpen },
      ...(kinds && { kinds }),
      ...(brackets && { brackets }),
    }
    const result = await this.#tokenizer.tokenize(request, signal)
    if (!result) return { is: 'forgotten' }
    return {
      is: 'coloured',
      from,
      lines: result.lines.map(line => [...line]),
      styles: result.styles.map(style => [...style]),
    }
  }

  async #bracketsOf({ id, configuration }: Language): Promise<BracketRequest | undefined> {
    const settings = configuration && bracketSettings(id)
    if (!settings) return undefined
    const { pairs } = this.#contributed
    const known = pairs.get(id) ?? this.#readPairs(configuration)
    pairs.set(id, known)
    return { ...settings, pairs: await known }
  }

  /** Where it cannot be read, brackets have the colours of their tokens. */
  async #readPairs(file: SourceFile): Promise<readonly BracketPair[]> {
    try {
      return bracketPairs(readJsonc(await file.read()))
    } catch (fault) {
      this.#log.warn('The configuration of a language cannot be read', { path: file.path, reason: faultText(fault) })
      return []
    }
  }

  get #contributed(): Contributions {
    if (this.#contributions) return this.#contributions
    const parts = extensionParts()
    const languages = new Languages(parts)
    this.#contributions = { languages, themes: new Themes(parts), pairs: new Map() }
    this.#tokenizer.setGrammars({
      injections: languages.injections,
      readGrammar: async scope => {
        const file = languages.grammarFile(scope)
        return file && { path: file.path, text: await file.read() }
      },
    })
    return this.#contributions
  }

  #applyTheme(theme: ShownTheme): Promise<void> {
    const key = `${theme.kind} ${theme.id}`
    if (this.#theme?.key !== key) this.#theme = { key, applied: this.#loadTheme(key, theme) }
    return this.#theme.applied
  }

  async #loadTheme(key: string, { id, kind }: ShownTheme): Promise<void> {
    this.#settings ??= themeSettings()
    const { preferred, customizations } = this.#settings
    const candidates = this.#contributed.themes.candidates({ kind, shownId: id, preferred: preferred[kind] })
    const rules =
      (await this.#firstReadable(candidates, customizations)) ?? tokenRules([], customizations, { id, kind })
    // Where no theme can be read, only the user's own rules have colours.
    // Another theme may have been requested meanwhile.
    if (this.#theme === undefined || this.#theme.key === key) this.#tokenizer.setTheme(rules)
  }

  async #firstReadable(
    candidates: readonly ThemeEntry[],
    customizations: unknown,
  ): Promise<readonly TokenRule[] | undefined> {
    for (const entry of candidates) {
      try {
        return tokenRules(await readThemeRules(entry.file), customizations, entry)
      } catch (fault) {
        this.#log.warn('A colour theme cannot be read', { path: entry.file.path, reason: faultText(fault) })
      }
    }
    return undefined
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}

const plain: BlockColours = { is: 'plain' }
