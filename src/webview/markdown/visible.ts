// `visible`: replaces invisible and misleading characters by visible marks.
import { visibleText } from '../../base/invisible.ts'
import type { Words } from '../words.ts'

/** This is shown and copied. */
export const visible = (text: string, words: Words): string =>
  visibleText(text, count => words.of('hiddenCharacters', { count }))

/** Splits text at the marks, which are the elements with an odd index. */
export function splitMarks(text: string, words: Words): string[] {
  if (!text.includes('⟦')) return [text]
  const counted = words.around('hiddenCharacters', { count: /\d+/ })
  const pattern = counted.map(part => (typeof part === 'string' ? escaped(part) : part.source)).join('')
  return text.split(new RegExp(`(⟦(?:U\\+[0-9A-F]{4,6}|${pattern})⟧)`))
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
