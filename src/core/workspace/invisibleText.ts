// `markInvisible`, `withoutInvisible`, `hasInvisible`: characters that are not seen, or that control what shows them, marked or taken out.

/** What takes the place of characters that are not seen; `hidden`: text that is there for a model only. */
export interface InvisibleMarks {
  hidden(found: string): string
  invisible(found: string): string
  control(found: string): string
}

/**
 * A byte order mark, characters without width, marks of direction. Beside them, what only repeats ASCII without being seen
 * (tags), and variation selectors, of which several can hold a message.
 */
const invisible =
  '\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb'
const control = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f'
const INVISIBLE = new RegExp(`[${invisible}]`, 'gu')
const CONTROL = new RegExp(`[${control}]`, 'gu')
const HIDDEN = /[\u{e0000}-\u{e0fff}]+|[\ufe00-\ufe0f]{2,}/gu
/** Most texts have none of them. */
const ANY = new RegExp(`[${control}${invisible}\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}]`, 'u')

const ZERO_WIDTH_JOINERS = '\u200c\u200d'

/** Also for what `markInvisible` leaves as it is, such as an emoji of several characters. */
export const hasInvisible = (text: string): boolean => ANY.test(text)

/** Tabs and line feeds stay. */
export function markInvisible(text: string, marks: InvisibleMarks): string {
  if (!hasInvisible(text)) return text
  return text
    .replace(HIDDEN, found => marks.hidden(found))
    .replace(INVISIBLE, (found: string, at: number, whole: string) =>
      ZERO_WIDTH_JOINERS.includes(found) && joins(whole, at) ? found : marks.invisible(found),
    )
    .replace(CONTROL, found => marks.control(found))
}

/** Between emoji, and in scripts that need it, a joiner is part of what is seen. */
function joins(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at)
  return (
    /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(before) ||
    /(?!\p{Script=Latin})\p{L}\p{M}*$/u.test(before)
  )
}

/** `removed`: how many characters. */
export function withoutInvisible(text: string): { readonly text: string; readonly removed: number } {
  let removed = 0
  const remove = (found: string) => {
    removed += [...found].length
    return ''
  }
  return { text: markInvisible(text, { hidden: remove, invisible: remove, control: remove }), removed }
}
