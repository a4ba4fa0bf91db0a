// `Themes`: finds the colour theme that the editor shows, and reads its token rules.
import { listOf, objectOf, textOf } from '../../protocol/json.ts'
import type { ThemeKind } from '../../protocol/panel.ts'
import type { ExtensionPart, SourceFile } from './extensionPart.ts'
import { readJsonc } from './jsonc.ts'
import { readPlist } from './plist.ts'

export interface ThemeEntry {
  readonly id: string
  readonly kind: ThemeKind
  readonly file: SourceFile
}

/** The settings that decide which theme the editor shows. */
export interface ThemeChoice {
  /** The kind that is shown now. */
  readonly kind: ThemeKind
  /** The id of the theme, where the page knows it. */
  readonly shownId: string
  /** Ids of the themes that the settings name, those that apply first. */
  readonly preferred: readonly string[]
}

const defaultsExtension = 'vscode.theme-defaults'
const kinds: readonly string[] = ['vs', 'vs-dark', 'hc-black', 'hc-light'] satisfies ThemeKind[]
const defaultIds: Readonly<Record<ThemeKind, string>> = {
  vs: 'Light Modern',
  'vs-dark': 'Dark Modern',
  'hc-black': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
}

export class Themes {
  readonly #entries: readonly ThemeEntry[]
  readonly #defaults: readonly ThemeEntry[]

  constructor(parts: readonly ExtensionPart[]) {
    this.#entries = parts.flatMap(entriesOf)
    this.#defaults = parts.filter(({ id }) => id === defaultsExtension).flatMap(entriesOf)
  }

  /**
   * The theme that is shown, and after it the defaults of its kind for where its file cannot be read. A theme of
   * another kind is never among them, because its colours would be unreadable on this background.
   */
  candidates({ kind, shownId, preferred }: ThemeChoice): readonly ThemeEntry[] {
    const ids = shownId ? [shownId] : preferred
    const found = ids.flatMap(id => this.#entries.filter(entry => isSame(entry.id, id))).filter(ofKind(kind))
    const defaults = this.#defaults.filter(ofKind(kind))
    const byName = defaults.filter(({ id }) => isSame(id, defaultIds[kind]))
    return [...found.slice(0, 1), ...byName, ...defaults]
  }
}

const ofKind = (kind: ThemeKind) => (entry: ThemeEntry) => entry.kind === kind

/** Editors of different versions have the same theme with and without this word. */
const isSame = (a: string, b: string) => a.replace(/^Default /, '') === b.replace(/^Default /, '')

function entriesOf({ contributes, file }: ExtensionPart): ThemeEntry[] {
  return listOf(objectOf(contributes)?.['themes']).flatMap(raw => {
    const { id, label, path, uiTheme } = objectOf(raw) ?? {}
    const name = textOf(id) || textOf(label)
    const place = textOf(path)
    if (!name || !place) return []
    return [{ id: name, kind: kindOf(uiTheme), file: file(place) }]
  })
}

/** As in the editor, a theme without a kind that is known is a dark one. */
function kindOf(uiTheme: unknown): ThemeKind {
  // as: one of the kinds
  return kinds.includes(textOf(uiTheme)) ? (uiTheme as ThemeKind) : 'vs-dark'
}

const maxIncludes = 20

/** The rules of a theme file after those of the files that it includes. Throws if one of them cannot be read. */
export async function readThemeRules(file: SourceFile, depth = 0): Promise<readonly unknown[]> {
  if (depth > maxIncludes) throw new Error('A colour theme includes itself.')
  const text = await file.read()
  if (!/\.json$/i.test(file.path)) return listOf(objectOf(readPlist(text))?.['settings'])
  const { include, settings, tokenColors } = objectOf(readJsonc(text)) ?? {}
  const included = typeof include === 'string' ? await readThemeRules(file.beside(include), depth + 1) : []
  if (Array.isArray(settings)) return [...included, ...settings]
  if (typeof tokenColors !== 'string') return [...included, ...listOf(tokenColors)]
  return [...included, ...(await readThemeRules(file.beside(tokenColors), depth + 1))]
}
