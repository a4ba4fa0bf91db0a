// `indented`: lines of a block with the indentation that the file has at their place.
import { type CodeLine, codeLine, indentUnit } from './codeLine.ts'

export interface Indentation {
  /** One level in the file and in the block. */
  readonly file: string
  readonly block: string
}

export function indentationOf(file: readonly CodeLine[], block: readonly CodeLine[]): Indentation {
  const own = indentUnit(block)
  const isIndented = block.some(({ indent, key }) => indent > 0 && key !== '')
  const fileUnit = file.some(({ indent, key }) => indent > 0 && key !== '') ? indentUnit(file) : own
  return { file: fileUnit, block: isIndented ? own : fileUnit }
}

const width = (unit: string) => (unit === '\t' ? 4 : unit.length)

/** `like`: a line of the file that should have the indentation of `anchor`, a line of the block. */
export function indented(
  lines: readonly CodeLine[],
  units: Indentation,
  like: CodeLine | undefined,
  anchor: CodeLine | undefined,
): CodeLine[] {
  const shift = like && anchor ? levelsOf(like, units.file) - levelsOf(anchor, units.block) : 0
  if (shift === 0 && units.file === units.block) return [...lines]
  return lines.map(line => (line.key === '' ? line : moved(line, units, shift)))
}

const levelsOf = ({ indent }: CodeLine, unit: string) => Math.floor(indent / width(unit))

/** What is less than a level, such as that of a comment's stars, is kept in spaces. */
function moved(line: CodeLine, { file, block }: Indentation, shift: number): CodeLine {
  const level = Math.max(0, levelsOf(line, block) + shift)
  const rest = line.indent - levelsOf(line, block) * width(block)
  return codeLine(file.repeat(level) + ' '.repeat(rest) + line.raw.trimStart())
}
