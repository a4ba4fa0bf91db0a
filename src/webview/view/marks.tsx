// `Marks`: a text with the words of a search highlighted.

export function Marks({ text, search }: { readonly text: string; readonly search: string }) {
  const words = search.split(/\s+/).filter(word => word !== '')
  if (words.length === 0) return text
  const pattern = new RegExp(`(${words.map(escaped).join('|')})`, 'giu')
  return text
    .normalize('NFC')
    .split(pattern)
    .map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))
}

/** The longest alternative is not looked for first: any of them marks a match. */
const escaped = (word: string) => word.normalize('NFC').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
