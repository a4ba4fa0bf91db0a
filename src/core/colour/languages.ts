// `Languages`: finds the language that the label of a code block names, and its grammar.

import { readFenceLabel } from '../../protocol/fenceLabel.ts'
import { listOf, objectOf, textOf } from '../../protocol/json.ts'
import type { ExtensionPart, SourceFile } from './extensionPart.ts'
import type { InjectionTable } from './injectedScopes.ts'
import type { TokenKinds } from './tokenizer.ts'

export interface Language {
  readonly id: string
  /** As the editor names it; the id where it has no name. */
  readonly name: string
  /** The scope of its grammar; none for plain text. */
  readonly scope?: string
  readonly kinds?: TokenKinds
  /** With the brackets of the language. */
  readonly configuration?: SourceFile
}

/** Names that people and models use, and that no extension of the editor lists. */
const otherNames: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  'f#': 'fsharp',
  'objective-c': 'objective-c',
  console: 'shellscript',
  golang: 'go',
  json5: 'jsonc',
  mysql: 'sql',
  node: 'javascript',
  objc: 'objective-c',
  patch: 'diff',
  plain: 'plaintext',
  postgres: 'sql',
  postgresql: 'sql',
  pwsh: 'powershell',
  shell: 'shellscript',
  'shell-session': 'shellscript',
  sqlite: 'sql',
  terminal: 'shellscript',
  text: 'plaintext',
}

interface Draft {
  name: string | undefined
  scope?: string
  kinds?: TokenKinds
  configuration?: SourceFile
}

export class Languages {
  readonly #byId = new Map<string, Draft>()
  readonly #byName = new Map<string, string>()
  readonly #byExtension = new Map<string, string>()
  readonly #byFile = new Map<string, string>()
  readonly #files = new Map<string, SourceFile>()
  readonly #injections = new Map<string, string[]>()

  constructor(parts: readonly ExtensionPart[]) {
    for (const { contributes, file } of parts) {
      for (const raw of listOf(objectOf(contributes)?.['languages'])) this.#addLanguage(objectOf(raw) ?? {}, file)
    }
    for (const { contributes, file } of parts) {
      for (const raw of listOf(objectOf(contributes)?.['grammars'])) this.#addGrammar(objectOf(raw) ?? {}, file)
    }
  }

  /** The file of the grammar with this scope. */
  grammarFile(scope: string): SourceFile | undefined {
    return this.#files.get(scope)
  }

  get injections(): InjectionTable {
    return Object.fromEntries(this.#injections)
  }

  /** By the name of the language, or else by the path. */
  find(label: string): Language | undefined {
    const { language, path } = readFenceLabel(label)
    const id =
      this.#idOfName(language.toLowerCase()) ?? this.#idOfPath(path ?? '') ?? this.#idOfName((path ?? '').toLowerCase())
    const draft = this.#byId.get(id ?? '')
    return id && draft ? { ...draft, id, name: draft.name || id } : undefined
  }

  #idOfName(name: string): string | undefined {
    if (!name) return undefined
    if (this.#byId.has(name)) return name
    return this.#byName.get(name) ?? this.#byExtension.get(`.${name}`) ?? this.#known(otherNames[name])
  }

  #known(id: string | undefined): string | undefined {
    return id && this.#byId.has(id) ? id : undefined
  }

  /** The longest extension counts, so that `a.d.ts` may be another language than `a.ts`. */
  #idOfPath(path: string): string | undefined {
    const name =
      path
        .toLowerCase()
        .split(/[\\/]/)
        .at(-1)
        ?.replace(/:\d.*$/, '') ?? ''
    const whole = this.#byFile.get(name)
    if (whole) return whole
    for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
      const found = this.#byExtension.get(name.slice(at))
      if (found) return found
    }
    return undefined
  }

  #addLanguage(
    { id: rawId, aliases, extensions, filenames, configuration }: Readonly<Record<string, unknown>>,
    file: ExtensionPart['file'],
  ): void {
    const id = textOf(rawId)
    if (!id) return
    const draft = this.#byId.get(id) ?? { name: undefined }
    this.#byId.set(id, draft)
    const names = listOf(aliases).map(textOf).filter(Boolean)
    draft.name = names[0] ?? draft.name
    if (textOf(configuration)) draft.configuration = file(textOf(configuration))
    for (const name of names) addOnce(this.#byName, name.toLowerCase(), id)
    for (const extension of listOf(extensions)) addOnce(this.#byExtension, textOf(extension).toLowerCase(), id)
    for (const name of listOf(filenames)) addOnce(this.#byFile, textOf(name).toLowerCase(), id)
  }

  #addGrammar(
    { language, scopeName, path, injectTo, ...rest }: Readonly<Record<string, unknown>>,
    file: ExtensionPart['file'],
  ): void {
    const scope = textOf(scopeName)
    if (!scope || !textOf(path)) return
    this.#files.set(scope, file(textOf(path)))
    const draft = this.#byId.get(textOf(language))
    if (draft) Object.assign(draft, { scope, kinds: kindsOf(rest) })
    for (const target of listOf(injectTo).map(textOf)) {
      this.#injections.set(target, [...(this.#injections.get(target) ?? []), scope])
    }
  }
}

function addOnce(map: Map<string, string>, key: string, id: string): void {
  if (key && !map.has(key)) map.set(key, id)
}

function kindsOf({ tokenTypes, balancedBracketScopes, unbalancedBracketScopes }: Readonly<Record<string, unknown>>) {
  const types = Object.entries(objectOf(tokenTypes) ?? {}).flatMap(([scope, type]) =>
    type === 'other' || type === 'comment' || type === 'string' ? [[scope, type] as const] : [],
  )
  const balanced = Array.isArray(balancedBracketScopes) ? balancedBracketScopes.map(textOf) : ['*']
  const unbalanced = listOf(unbalancedBracketScopes).map(textOf)
  return { types: Object.fromEntries(types), balanced, unbalanced } satisfies TokenKinds
}
