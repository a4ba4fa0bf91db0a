// `sentences`: whole sentences one after the other.
import { l10n } from 'vscode'

/** Leaves out what is undefined. A language without spaces between its sentences has another form. */
export function sentences(...texts: readonly (string | undefined)[]): string {
  const all = texts.filter(text => text !== undefined)
  return all.reduce((before, next) => l10n.t('{before} {next}', { before, next }))
}
