// What the user set for completions; a workspace may only make it stricter.

export interface CompletionSettings {
  /** Language to on or off; `*` is any other. */
  readonly enabled: Readonly<Record<string, boolean>>
  /** Least wait before an automatic request; null lets it follow from the place. */
  readonly delayMs: number | null
  /** `subtle`: only on request. */
  readonly mode: 'eager' | 'subtle'
  /** Globs of files never completed, beside those that look secret. */
  readonly exclude: readonly string[]
}

const usual: Readonly<Record<string, boolean>> = { '*': true, plaintext: false, markdown: false, scminput: false }

export function isEnabledFor(language: string, { enabled }: Pick<CompletionSettings, 'enabled'>): boolean {
  for (const [table, key] of [
    [enabled, language],
    [usual, language],
    [enabled, '*'],
  ] as const) {
    if (Object.hasOwn(table, key)) return table[key] === true
  }
  return true
}

/** On or off for all languages. Off are those too that were on by name; those that were off by name stay so. */
export function switchedForAll(enabled: CompletionSettings['enabled'], isOn: boolean): CompletionSettings['enabled'] {
  const kept = Object.entries(enabled).filter(([, isNamedOn]) => isOn || !isNamedOn)
  return { ...Object.fromEntries(kept), '*': isOn }
}

/** Whoever made the workspace may be a stranger: off wins over on, and its globs only keep files out. */
export function tighten(user: CompletionSettings, workspace: Partial<CompletionSettings>): CompletionSettings {
  const off = Object.entries(workspace.enabled ?? {}).filter(([, isOn]) => !isOn)
  return {
    enabled: Object.fromEntries([...Object.entries(user.enabled), ...offFor(user, off)]),
    delayMs: workspace.delayMs == null ? user.delayMs : Math.max(workspace.delayMs, user.delayMs ?? 0),
    mode: workspace.mode === 'subtle' ? 'subtle' : user.mode,
    exclude: [...user.exclude, ...(workspace.exclude ?? []).filter(glob => !glob.startsWith('!'))],
  }
}

/** `*` off means every language, those too that the user named. */
function offFor(user: CompletionSettings, off: readonly [string, boolean][]): readonly [string, boolean][] {
  if (!off.some(([language]) => language === '*')) return off
  return [...off, ...Object.keys(user.enabled).map(language => [language, false] as [string, boolean])]
}
