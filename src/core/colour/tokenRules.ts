// `tokenRules`: the rules by which the editor colours tokens, made of a theme's rules and the user's own.
import { listOf, objectOf } from '../../protocol/json.ts'
import type { ThemeKind } from '../../protocol/panel.ts'

/** One rule of a theme, as the tokenizer reads it; the one without scope holds the default. */
export interface TokenRule {
  readonly scope?: string | readonly string[]
  readonly settings: { readonly foreground?: string; readonly background?: string; readonly fontStyle?: string }
}

/** In place of the editor's own foreground, which the page knows; no theme has it. */
export const DEFAULT_FOREGROUND = '#01020304'

/** The same order as in the editor: later rules win. `customizations` is `editor.tokenColorCustomizations`. */
export function tokenRules(theme: readonly unknown[], customizations: unknown, of: Theme): readonly TokenRule[] {
  const all = [...theme, ...customRules(objectOf(customizations) ?? {}, of.id)].flatMap(readRule)
  const hasLogRules = all.some(({ scope }) => scope === 'token.info-token')
  return [
    { settings: { foreground: DEFAULT_FOREGROUND, background: '#000000' } },
    ...all,
    ...(hasLogRules ? [] : logRules(of.kind)),
  ]
}

interface Theme {
  /** The name by which settings name the theme. */
  readonly id: string
  readonly kind: ThemeKind
}

/** The default of a theme is the editor's foreground, so a rule without a scope has no effect. */
function readRule(raw: unknown): TokenRule[] {
  const { scope, settings } = objectOf(raw) ?? {}
  const values = objectOf(settings)
  const scopes = Array.isArray(scope) ? scope.filter(one => typeof one === 'string') : scope
  const fontStyle = values?.['fontStyle']
  if (!values || !scopes || !(Array.isArray(scopes) || typeof scopes === 'string')) return []
  const foreground = normalColor(values['foreground'])
  return [
    {
      scope: scopes,
      settings: { ...(foreground && { foreground }), ...(typeof fontStyle === 'string' && { fontStyle }) },
    },
  ]
}

/** `#RRGGBB`, with two more digits only where the colour is not opaque. */
function normalColor(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)) return undefined
  const digits = value.length < 6 ? value.slice(1).replace(/./g, '$&$&') : value.slice(1)
  return `#${digits.toUpperCase().replace(/^(.{6})FF$/, '$1')}`
}

const groups: Readonly<Record<string, readonly string[]>> = {
  comments: ['comment', 'punctuation.definition.comment'],
  strings: ['string', 'meta.embedded.assembly'],
  keywords: ['keyword - keyword.operator', 'keyword.control', 'storage', 'storage.type'],
  numbers: ['constant.numeric'],
  types: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  functions: ['entity.name.function', 'support.function'],
  variables: ['variable', 'entity.name.variable'],
}

/** The user's rules for all themes, and after them those for this theme. */
function customRules(customizations: Readonly<Record<string, unknown>>, themeId: string): unknown[] {
  return [...rulesOf(customizations), ...rulesOf(ofTheme(customizations, themeId))]
}

function rulesOf(customizations: Readonly<Record<string, unknown>>): unknown[] {
  const simple = Object.entries(groups).flatMap(([group, scopes]) => {
    const value = customizations[group]
    if (!value) return []
    const settings = typeof value === 'string' ? { foreground: value } : value
    return scopes.map(scope => ({ scope, settings }))
  })
  return [...simple, ...listOf(customizations['textMateRules'])]
}

/** The members for a theme, whose key is `[Name]`, `[One][Other]` or has `*` at an end of a name. */
function ofTheme(customizations: Readonly<Record<string, unknown>>, themeId: string): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(customizations)) {
    const members = objectOf(value)
    if (!/^\[.*\]$/.test(key) || !members) continue
    for (const [, name = ''] of key.matchAll(/\[(.+?)\]/g)) if (isNamed(themeId, name)) add(found, members)
  }
  return found
}

function add(found: Record<string, unknown>, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members)) {
    const before = found[name]
    if (Array.isArray(before) && Array.isArray(value)) found[name] = [...before, ...value]
    else if (value) found[name] = value
  }
}

function isNamed(themeId: string, name: string): boolean {
  if (name === themeId) return true
  const startsOpen = name.startsWith('*')
  const endsOpen = name.endsWith('*')
  if (startsOpen && endsOpen && themeId.includes(name.slice(1, -1))) return true
  if (endsOpen && themeId.startsWith(name.slice(0, -1))) return true
  return startsOpen && themeId.endsWith(name.slice(1))
}

const logColors: Readonly<Record<ThemeKind, readonly [info: string, warn: string, error: string, debug: string]>> = {
  vs: ['#316BCD', '#CD9731', '#CD3131', '#800080'],
  'vs-dark': ['#6796E6', '#CD9731', '#F44747', '#B267E6'],
  'hc-light': ['#316BCD', '#CD9731', '#CD3131', '#800080'],
  'hc-black': ['#6796E6', '#008000', '#FF0000', '#B267E6'],
}

/** What the editor adds to a theme that has no colours for logs. */
function logRules(kind: ThemeKind): TokenRule[] {
  const names = ['info', 'warn', 'error', 'debug']
  return logColors[kind].map((foreground, at) => ({ scope: `token.${names[at]}-token`, settings: { foreground } }))
}
