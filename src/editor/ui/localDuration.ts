// `localDuration`: a duration in the editor's display language.
import { l10n } from 'vscode'
import { durationOf } from '../../base/text.ts'

/** In one unit, rounded up, such as `7 s` or `28 minutes`. */
export function localDuration(ms: number): string {
  const { count, unit } = durationOf(ms)
  switch (unit) {
    case 'second':
      return l10n.t('{count} s', { count })
    case 'minute':
      return l10n.t('{count} minutes', { count })
    case 'hour':
      return l10n.t('{count} hours', { count })
    case 'day':
      return l10n.t('{count} days', { count })
  }
}
