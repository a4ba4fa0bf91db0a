// `localDuration`: a duration in the editor's display language; `durationForms` has its form in each unit.
import { l10n } from 'vscode'
import { type Duration, durationOf } from '../../base/text.ts'

/** In one unit, rounded up, such as `7 s` or `28 minutes`. */
export function localDuration(ms: number): string {
  const { count, unit } = durationOf(ms)
  return durationForms()[unit].replace('{count}', String(count))
}

export function durationForms(): Readonly<Record<Duration['unit'], string>> {
  return {
    second: l10n.t('{count} s'),
    minute: l10n.t('{count} minutes'),
    hour: l10n.t('{count} hours'),
    day: l10n.t('{count} days'),
  }
}
