// `findLines`: where some lines are in a text, with tolerance for white space and for nothing else.
import type { CodeLine } from './codeLine.ts'

type IsSame = (line: CodeLine, wanted: CodeLine) => boolean

const steps: readonly IsSame[] = [
  (line, wanted) => line.raw === wanted.raw,
  (line, wanted) => line.raw.trimEnd() === wanted.raw.trimEnd(),
  (line, wanted) => line.key === wanted.key,
]

/** The only place from line `from` on; undefined where there is none, or at the first step that finds any, several. */
export function findLines(lines: readonly CodeLine[], wanted: readonly CodeLine[], from: number): number | undefined {
  for (const isSame of steps) {
    const found = placesOf(lines, wanted, from, isSame)
    if (found.length > 0) return found.length === 1 ? found[0] : undefined
  }
  return undefined
}

function placesOf(lines: readonly CodeLine[], wanted: readonly CodeLine[], from: number, isSame: IsSame): number[] {
  const found: number[] = []
  for (let at = from; at + wanted.length <= lines.length; at++) {
    const fits = wanted.every((one, index) => {
      const line = lines[at + index]
      return line !== undefined && isSame(line, one)
    })
    if (fits) found.push(at)
  }
  return found
}
