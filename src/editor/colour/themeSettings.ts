// `themeSettings` and `bracketSettings`: the settings of the editor that decide the colours of tokens.
import { type ConfigurationChangeEvent, workspace } from 'vscode'
import type { ThemeKind } from '../../protocol/panel.ts'

export interface ThemeSettings {
  /** The value of `editor.tokenColorCustomizations`. */
  readonly customizations: unknown
  /** The ids of the themes that the settings name for a kind, those that apply first. */
  readonly preferred: Readonly<Record<ThemeKind, readonly string[]>>
}

const section = {
  customizations: 'editor.tokenColorCustomizations',
  theme: 'workbench.colorTheme',
  detectsScheme: 'window.autoDetectColorScheme',
  brackets: 'editor.bracketPairColorization',
} as const

const preferredOf: Readonly<Record<ThemeKind, string>> = {
  vs: 'workbench.preferredLightColorTheme',
  'vs-dark': 'workbench.preferredDarkColorTheme',
  'hc-light': 'workbench.preferredHighContrastLightColorTheme',
  'hc-black': 'workbench.preferredHighContrastColorTheme',
}

export function themeSettings(): ThemeSettings {
  const settings = workspace.getConfiguration()
  const text = (name: string) => settings.get<string>(name) ?? ''
  const set = text(section.theme)
  // A theme of another kind than the one that is shown is left out later.
  const inOrder = (preferred: string) =>
    settings.get<boolean>(section.detectsScheme) ? [preferred, set] : [set, preferred]
  return {
    customizations: settings.get(section.customizations),
    preferred: {
      vs: inOrder(text(preferredOf.vs)),
      'vs-dark': inOrder(text(preferredOf['vs-dark'])),
      'hc-light': inOrder(text(preferredOf['hc-light'])),
      'hc-black': inOrder(text(preferredOf['hc-black'])),
    },
  }
}

/** How brackets are coloured in this language; undefined where they are not. */
export function bracketSettings(languageId: string): { readonly isByKind: boolean } | undefined {
  const settings = workspace.getConfiguration(section.brackets, { languageId })
  return settings.get<boolean>('enabled')
    ? { isByKind: settings.get<boolean>('independentColorPoolPerBracketType') === true }
    : undefined
}

export function changesThemeSettings(event: ConfigurationChangeEvent): boolean {
  return [...Object.values(section), ...Object.values(preferredOf)].some(name => event.affectsConfiguration(name))
}
