// `visible`: replaces invisible and misleading characters by visible marks.
import type { Words } from '../words.ts'

/** Scripts that need the zero-width joiners. */
const joining = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
]
  .map(script => String.raw`\p{Script=${script}}`)
  .join('')

const flagOf = (letters: string) =>
  [...letters].map(letter => String.raw`\u{e00${letter.charCodeAt(0).toString(16)}}`).join('')

/**
 * Invisible characters in places where they are needed: in emoji, in flags, in joining scripts, after Han characters.
 */
const needed = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=\u{1f3f4})(?:${['gbeng', 'gbsct', 'gbwls'].map(flagOf).join('|')})\u{e007f}`,
  String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}])`,
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
].join('|')

/** Control, soft hyphen, filler, zero-width, direction, variation and tag characters; not tab and line ends. */
const hidden = [
  String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5`,
  String.raw`\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`,
  String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`,
].join('')

const hasHidden = new RegExp(`[${hidden}\\r]`, 'u')
const neededOrHidden = new RegExp(`(?<needed>${needed})|[${hidden}]+`, 'gu')

/** The text with marks in place of invisible characters, and with `\n` as line end; this is shown and copied. */
export function visible(text: string, words: Words): string {
  if (!hasHidden.test(text)) return text
  return text
    .replace(/\r\n?/g, '\n')
    .replace(neededOrHidden, (found, isNeeded) => (isNeeded ? found : mark(found, words)))
}

/** A long run becomes a count, because a hidden text would otherwise fill the page with marks. */
function mark(run: string, words: Words): string {
  const points = [...run]
  if (points.length > 3) return `⟦${words.of('hiddenCharacters', { count: points.length })}⟧`
  return points.map(point => `⟦U+${hex(point)}⟧`).join('')
}

const hex = (point: string) => (point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

/** Splits text at the marks, which are the elements with an odd index. */
export function splitMarks(text: string, words: Words): string[] {
  if (!text.includes('⟦')) return [text]
  const counted = words.around('hiddenCharacters', { count: /\d+/ })
  const pattern = counted.map(part => (typeof part === 'string' ? escaped(part) : part.source)).join('')
  return text.split(new RegExp(`(⟦(?:U\\+[0-9A-F]{4,6}|${pattern})⟧)`))
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
