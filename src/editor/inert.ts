// A stranger's text without power.
import { plainLine } from '../base/text.ts'

/** The editor turns `[label](command:…)` in a notification into a link that runs, and `$(name)` elsewhere into an icon. */
export function inert(text: string): string {
  return plainLine(text)
    .replace(/[[\]`<>]/g, ' ')
    .replace(/\$\(/g, '$ (')
    .replace(/\s+/g, ' ')
    .trim()
}
