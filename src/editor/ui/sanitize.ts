// A stranger's text without power.
import { sanitizeLine } from '../../base/text.ts'

/** The editor turns `[label](command:…)` in a notification into a link that runs, and `$(name)` elsewhere into an icon. */
export function sanitize(text: string): string {
  return sanitizeLine(text)
    .replace(/[[\]`<>]/g, ' ')
    .replace(/\$\(/g, '$ (')
    .replace(/\s+/g, ' ')
    .trim()
}
