// `similarPaths`: the paths that are most like one that does not exist.
import { LetterPairs } from './letterPairs.ts'

/** The name counts as much as all the folders. */
const NAME_WEIGHT = 0.5

/** The most similar first; none of which hardly a letter is the same. */
export function similarPaths(wanted: string, paths: Iterable<string>, count: number): string[] {
  const folded = wanted.toLowerCase()
  const whole = new LetterPairs(folded)
  const name = new LetterPairs(nameOf(folded))
  const best: { readonly path: string; readonly score: number }[] = []
  for (const path of paths) {
    const other = path.toLowerCase()
    const score = NAME_WEIGHT * name.likeness(nameOf(other)) + (1 - NAME_WEIGHT) * whole.likeness(other)
    if (score < 0.25 || (best.length === count && score <= (best.at(-1)?.score ?? 0))) continue
    const at = best.findIndex(one => one.score < score)
    best.splice(at < 0 ? best.length : at, 0, { path, score })
    if (best.length > count) best.pop()
  }
  return best.map(({ path }) => path)
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
