// `listed`: names or short texts as a list in one line.
import { textLanguage } from './textLanguage.ts'

/** `unit`: `a, b, c`; `conjunction`: `a, b, and c`; `disjunction`: `a, b, or c`. */
export function listed(texts: Iterable<string>, type: 'unit' | 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat(textLanguage(), { type }).format(texts)
}
