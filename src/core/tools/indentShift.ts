// `indentShift`: by what constant the indentation of lines differs from that of the same lines in a file.

/** The indentation that a line has in the file, from the one that it was written with; undefined where it has none. */
export type IndentShift = (indent: string) => string | undefined

/** `written` and `own`: the indentations of the same lines, without blank ones; undefined where they differ by no constant. */
export function indentShift(written: readonly string[], own: readonly string[]): IndentShift | undefined {
  const [first = '', firstOwn = ''] = [written[0], own[0]]
  return prefixShift(first, firstOwn, written, own) ?? tabShift(written, own)
}

export const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ''

/** The file has more or less in front. */
function prefixShift(
  first: string,
  firstOwn: string,
  written: readonly string[],
  own: readonly string[],
): IndentShift | undefined {
  if (firstOwn.endsWith(first)) {
    const more = firstOwn.slice(0, firstOwn.length - first.length)
    if (written.every((indent, at) => more + indent === own[at])) return indent => more + indent
  }
  if (first.endsWith(firstOwn)) {
    const less = first.slice(0, first.length - firstOwn.length)
    if (written.every((indent, at) => indent === less + own[at])) {
      return indent => (indent.startsWith(less) ? indent.slice(less.length) : undefined)
    }
  }
  return undefined
}

const isOf = (letter: string, indents: readonly string[]) =>
  indents.some(indent => indent !== '') && indents.every(indent => [...indent].every(one => one === letter))

/** One has tabs where the other has spaces. */
function tabShift(written: readonly string[], own: readonly string[]): IndentShift | undefined {
  if (isOf(' ', written) && isOf('\t', own)) {
    const scale = scaleOf(own, written)
    return scale && (indent => toTabs(indent, scale))
  }
  if (isOf('\t', written) && isOf(' ', own)) {
    const scale = scaleOf(written, own)
    return scale && (indent => toSpaces(indent, scale))
  }
  return undefined
}

/** Spaces of a line: `width` for each tab, and `more` on every line. */
interface Scale {
  readonly width: number
  readonly more: number
}

function scaleOf(tabs: readonly string[], spaces: readonly string[]): Scale | undefined {
  const [tab = '', space = ''] = [tabs[0], spaces[0]]
  const other = tabs.findIndex(({ length }) => length !== tab.length)
  const width =
    other < 0
      ? space.length / tab.length
      : (space.length - (spaces[other]?.length ?? 0)) / (tab.length - (tabs[other]?.length ?? 0))
  const more = space.length - width * tab.length
  const isWhole = Number.isInteger(width) && width >= 1 && width <= 16
  const fits = isWhole && tabs.every(({ length }, at) => width * length + more === spaces[at]?.length)
  return fits ? { width, more } : undefined
}

function toTabs(indent: string, { width, more }: Scale): string | undefined {
  if (/[^ ]/.test(indent) || indent.length < more) return undefined
  const columns = indent.length - more
  return '\t'.repeat(Math.floor(columns / width)) + ' '.repeat(columns % width)
}

function toSpaces(indent: string, { width, more }: Scale): string | undefined {
  const tabs = /^\t*/.exec(indent)?.[0].length ?? 0
  const columns = width * tabs + more
  if (columns < 0) return undefined
  return ' '.repeat(columns) + indent.slice(tabs)
}
