// `replaceInvisible`, `hasInvisible`, `countInvisible`, `visibleText`: characters that are not seen, or that control what shows them, in places that do not need them.

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

/** Control, soft hyphen, filler, zero-width, direction, variation and tag characters; not tab and line feed. */
const hidden = [
  String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5`,
  String.raw`\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`,
  String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`,
].join('')

const any = new RegExp(`[${hidden}]`, 'u')
const neededOrHidden = new RegExp(`(?<needed>${needed})|[${hidden}]+`, 'gu')

/** Most texts have none. Also for what is needed, such as in an emoji of several characters. */
export const hasInvisible = (text: string): boolean => any.test(text)

/** `mark`: what takes the place of a run of them. */
export function replaceInvisible(text: string, mark: (run: string) => string): string {
  if (!hasInvisible(text)) return text
  return text.replace(neededOrHidden, (found, isNeeded) => (isNeeded ? found : mark(found)))
}

/** How many there are in places that do not need them. */
export function countInvisible(text: string): number {
  let count = 0
  replaceInvisible(text, run => {
    count += [...run].length
    return ''
  })
  return count
}

/** With a mark in place of each, and with `\n` as line end. `hiddenText`: the phrase for a run of so many. */
export function visibleText(text: string, hiddenText: (count: number) => string): string {
  if (!hasInvisible(text)) return text
  return replaceInvisible(text.replace(/\r\n?/g, '\n'), run => {
    const points = [...run]
    // A hidden text would otherwise fill the page with marks.
    if (points.length > 3) return `⟦${hiddenText(points.length)}⟧`
    return points.map(point => `⟦U+${hex(point)}⟧`).join('')
  })
}

const hex = (point: string) => (point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
