// `repaired`: a program in place of a model that sees only the text of a refusal, and builds its next call from it.
import type { Edit } from '../../../../src/core/tools/matchEdits.ts'
import type { EditCase } from './cases.ts'

/** `old`: the lines that it means; `fresh`: what it wants in their place; `first`: the line that it knows them at, from 0. */
export interface Attempt {
  readonly old: readonly string[]
  readonly fresh: readonly string[]
  readonly first: number
}

export function firstAttempt({ text, count, fresh, first }: EditCase): Attempt {
  return { old: text.split('\n').slice(first, first + count), fresh, first }
}

/** Undefined where the refusal does not have enough. */
export function repaired(refusal: string, { old, fresh, first }: Attempt): Attempt | undefined {
  const shown = new Map([...refusal.matchAll(/^(\d+)\t(.*)$/gm)].map(([, number, line = '']) => [Number(number), line]))
  const closest = Number(/closest place is at line (\d+)/.exec(refusal)?.[1])
  if (closest) {
    const lines = old.map((_, at) => shown.get(closest + at))
    if (lines.some(line => line === undefined)) return undefined
    return { old: lines.map(line => line ?? ''), fresh, first: closest - 1 }
  }
  const places = /(?:begins at the lines|are now|part of one)/.test(refusal)
  if (!places || !shown.has(first + 1)) return undefined
  let [from, to] = [first + 1, first + 1]
  while (shown.has(from - 1)) from--
  while (shown.has(to + 1)) to++
  const lines = Array.from({ length: to - from + 1 }, (_, at) => shown.get(from + at) ?? '')
  const [before, after] = [lines.slice(0, first + 1 - from), lines.slice(first + 1 - from + old.length)]
  return { old: lines, fresh: [...before, ...fresh, ...after], first: from - 1 }
}

export const editOf = ({ old, fresh }: Attempt): Edit => ({ old: old.join('\n'), new: fresh.join('\n'), all: false })
