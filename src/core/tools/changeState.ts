// `reduceChanges`: the changes of a conversation after one more record of their journal.
import type { ChangeIntent, ChangeRecord } from '../../protocol/changeRecord.ts'

/**
 * One change of one file. `first` and `last` are its contents when it was made; `before` and `after` those that are left
 * of it to review, equal when nothing is. `uri`: the file's present name.
 */
export interface FileChange {
  readonly seq: number
  readonly turn: string
  readonly change: ChangeIntent['change']
  readonly uri: string
  readonly from?: string
  readonly first: string | null
  readonly last: string | null
  readonly before: string | null
  readonly after: string | null
  readonly keptHunks: number
  readonly undoneHunks: number
  /** Between the record before the write and the one after it. */
  readonly isPending: boolean
}

/** In the order in which they were made. */
export type ChangeState = readonly FileChange[]

export function isOpen({ before, after, isPending, change, undoneHunks, keptHunks }: FileChange): boolean {
  if (isPending) return false
  return change === 'renamed' ? keptHunks + undoneHunks === 0 : before !== after
}

export function reduceChanges(state: ChangeState, record: ChangeRecord): ChangeState {
  switch (record.kind) {
    case 'intent':
      return [...state, begun(record)]
    case 'outcome':
      return record.isDone ? withDone(state, record.seq) : state.filter(({ seq }) => seq !== record.seq)
    case 'review': {
      const { seq, before, after, keptHunks, undoneHunks } = record
      const reviewed = state.map(one => (one.seq === seq ? { ...one, before, after, keptHunks, undoneHunks } : one))
      return withNameBefore(reviewed, seq)
    }
  }
}

function begun({ seq, turn, change, uri, from, before, after }: ChangeIntent): FileChange {
  const contents = { first: before, last: after, before, after }
  const review = { keptHunks: 0, undoneHunks: 0, isPending: true }
  return { seq, turn, change, uri, ...(from !== undefined && { from }), ...contents, ...review }
}

/** Earlier changes of a file that was renamed go with it. */
function withDone(state: ChangeState, seq: number): ChangeState {
  const done = state.find(one => one.seq === seq)
  const named = done?.change === 'renamed' ? renamed(state, done.from, done.uri, seq) : state
  return named.map(one => (one.seq === seq ? { ...one, isPending: false } : one))
}

function withNameBefore(state: ChangeState, seq: number): ChangeState {
  const undone = state.find(one => one.seq === seq)
  if (undone?.change !== 'renamed' || undone.undoneHunks === 0 || undone.from === undefined) return state
  return renamed(state, undone.uri, undone.from, seq)
}

function renamed(state: ChangeState, from: string | undefined, to: string, except: number): ChangeState {
  return state.map(one => (one.uri === from && one.seq !== except ? { ...one, uri: to } : one))
}
