// `movesIn`: which files have the contents that other files had before, because the agent or a command has moved them.
import type { ChangeState, FileChange } from './changeState.ts'

/** `taken`: the change since which the content is not at `from` any more. `put`: the one that has put it at `to`. */
export interface Move {
  readonly from: string
  readonly to: string
  readonly taken: FileChange
  readonly put: FileChange
}

/** The SHA-256 of no bytes, which are in no need of a place. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Names are those at the time of the change. A command that moves a file leaves a deletion and a new file of the same content. */
export function movesIn(changes: ChangeState): readonly Move[] {
  const takings = new Map<string, FileChange[]>()
  for (const taken of changes)
    if (taken.change === 'deleted' || taken.change === 'modified')
      for (const hash of contentsBefore(taken)) takings.set(hash, [...(takings.get(hash) ?? []), taken])
  const moves: Move[] = []
  for (const put of changes) {
    if (put.from !== undefined) moves.push({ from: put.from, to: put.name, taken: put, put })
    if (put.change !== 'created' && put.change !== 'modified') continue
    const found = new Set(contentsAfter(put).flatMap(hash => takings.get(hash) ?? []))
    for (const taken of found)
      if (taken.name !== put.name && (taken.change === 'deleted' || taken.turn === put.turn))
        moves.push({ from: taken.name, to: put.name, taken, put })
  }
  return moves
}

/** The names from which the content of a file may have come, also by way of others. */
export function sourcesOf(uri: string, moves: readonly Move[]): readonly string[] {
  const sources = new Set<string>()
  for (let last: readonly string[] = [uri]; last.length > 0; ) {
    const found = moves.filter(({ to, from }) => last.includes(to) && from !== uri && !sources.has(from))
    last = [...new Set(found.map(({ from }) => from))]
    for (const one of last) sources.add(one)
  }
  return [...sources]
}

const isContent = (hash: string | null | undefined): hash is string => typeof hash === 'string' && hash !== EMPTY

const contentsBefore = ({ first, image }: FileChange) => [...new Set([first, image?.bytes].filter(isContent))]
const contentsAfter = ({ last, whole }: FileChange) => [...new Set([last, whole].filter(isContent))]
