// `placeSections`: places the sections of a text with headings, or the tables of a configuration, by their heads.
import type { CodeLine } from './codeLine.ts'

const headings = /^(?:markdown|md|mdx|rst|asciidoc)$/i
const tables = /^(?:toml|ini|properties|cfg|conf|editorconfig)$/i

export function hasSections(language: string): boolean {
  return headings.test(language) || tables.test(language)
}

/** Undefined where the block has lines outside of sections, or a section that the file has not exactly once. */
export function placeSections(
  file: readonly CodeLine[],
  block: readonly CodeLine[],
  language: string,
): CodeLine[] | undefined {
  const levelOf = headings.test(language) ? headingLevel : tableLevel
  let lines = [...file]
  for (let at = block.findIndex(({ key }) => key !== ''); at < block.length; ) {
    const head = block[at]
    const level = levelOf(head)
    if (!head || level === 0) return undefined
    const end = endOfSection(block, at, level, levelOf)
    const places = lines.flatMap((line, index) => (line.key === head.key && levelOf(line) > 0 ? [index] : []))
    const [from] = places
    if (from === undefined || places.length > 1) return undefined
    const to = endOfSection(lines, from, level, levelOf)
    if (losesHeads(lines.slice(from, to), block.slice(at, end), levelOf)) return undefined
    lines = [
      ...lines.slice(0, from),
      ...withoutEnd(block.slice(at, end)),
      ...blankEnd(lines.slice(from, to)),
      ...lines.slice(to),
    ]
    at = end
  }
  return lines
}

type LevelOf = (line: CodeLine | undefined) => number

const headingLevel: LevelOf = line => /^(#{1,6})\s+\S/.exec(line?.key ?? '')?.[1]?.length ?? 0
const tableLevel: LevelOf = line => (/^\[{1,2}[^[\]]+\]{1,2}$/.test(line?.key ?? '') ? 1 : 0)

function endOfSection(lines: readonly CodeLine[], from: number, level: number, levelOf: LevelOf): number {
  const at = lines.findIndex((line, index) => index > from && levelOf(line) > 0 && levelOf(line) <= level)
  return at < 0 ? lines.length : at
}

function losesHeads(own: readonly CodeLine[], block: readonly CodeLine[], levelOf: LevelOf): boolean {
  return own.some(line => levelOf(line) > 0 && !block.some(({ key }) => key === line.key))
}

const lastText = (lines: readonly CodeLine[]) => lines.findLastIndex(({ key }) => key !== '')
const withoutEnd = (lines: readonly CodeLine[]) => lines.slice(0, lastText(lines) + 1)
const blankEnd = (lines: readonly CodeLine[]) => lines.slice(lastText(lines) + 1)
