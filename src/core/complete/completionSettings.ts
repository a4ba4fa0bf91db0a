// The settings for completions: for which languages they are on, and how a workspace's values make the user's stricter.
import { languagesByDefault } from '../workspace/languagesByDefault.ts'

export interface CompletionSettings {
  /** Language to on or off; `*` is any other. */
  readonly enabled: Readonly<Record<string, boolean>>
  /** Minimum wait before an automatic request; null: the cursor's context decides. */
  readonly delayMs: number | null
  /** `subtle`: only on request. */
  readonly mode: 'eager' | 'subtle'
  /** Globs of files never completed, beside those that look secret. */
  readonly exclude: readonly string[]
}

export function isEnabledFor(language: string, { enabled }: Pick<CompletionSettings, 'enabled'>): boolean {
  for (const [table, key] of [
    [enabled, language],
    [languagesByDefault, language],
    [enabled, '*'],
  ] as const) {
    if (Object.hasOwn(table, key)) return table[key] === true
  }
  return true
}

/** On or off for all languages. A language that is off by name stays off; one that is on by name follows `*`. */
export function switchedForAll(enabled: CompletionSettings['enabled'], isOn: boolean): CompletionSettings['enabled'] {
  const kept = Object.entries(enabled).filter(([, isNamedOn]) => isOn || !isNamedOn)
  return { ...Object.fromEntries(kept), '*': isOn }
}

/** A workspace is untrusted here: its `false` overrides the user's `true`, and its globs only exclude files. */
export function tighten(user: CompletionSettings, workspace: Partial<CompletionSettings>): CompletionSettings {
  const off = Object.entries(workspace.enabled ?? {}).filter(([, isOn]) => !isOn)
  return {
    enabled: Object.fromEntries([...Object.entries(user.enabled), ...offFor(user, off)]),
    delayMs: workspace.delayMs == null ? user.delayMs : Math.max(workspace.delayMs, user.delayMs ?? 0),
    mode: workspace.mode === 'subtle' ? 'subtle' : user.mode,
    exclude: [...user.exclude, ...(workspace.exclude ?? []).filter(glob => !glob.startsWith('!'))],
  }
}

/** `*` off applies to every language, including those that the user turned on by name. */
function offFor(user: CompletionSettings, off: readonly [string, boolean][]): readonly [string, boolean][] {
  if (!off.some(([language]) => language === '*')) return off
  return [...off, ...Object.keys(user.enabled).map(language => [language, false] as [string, boolean])]
}
