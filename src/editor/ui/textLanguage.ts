// `textLanguage`: the language that the sentences are in.
import { env, l10n } from 'vscode'

/** English where there is no translation into the editor's display language. */
export function textLanguage(): string {
  return l10n.bundle ? env.language : 'en'
}
