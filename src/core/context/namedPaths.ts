// `proseOf`, `uriBelow`: the text in which a file can name others, and what a path in it leads to.
import { percentEncoded } from '../../base/text.ts'

/** Without code, in which what looks like the name of a file may be anything. */
export const proseOf = (text: string): string =>
  text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')

/** Relative to the file that names it; undefined above the folder. */
export function uriBelow(folder: string, uri: string, path: string): string | undefined {
  const names = uri
    .slice(folder.length + 1)
    .split('/')
    .slice(0, -1)
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(percentEncoded(name))
    else if (names.pop() === undefined) return undefined
  }
  return [folder, ...names].join('/')
}
