// `reduceChanges`: the changes of a conversation after one more record of their journal.
import type { ChangeIntent, ChangeRecord, ChangeReview } from '../../protocol/changeRecord.ts'

/**
 * One change of one file. `first` and `last` are its contents when it was made; `before` and `after` those that are left
 * of it to review, equal when nothing is. `uri`: the file's present name.
 */
export interface FileChange {
  readonly seq: number
  readonly turn: string
  /** In milliseconds since 1970. */
  readonly time: number
  readonly change: ChangeIntent['change']
  readonly uri: string
  /** The file's name at that time, after the change. */
  readonly name: string
  /** The changes of its name since then, by `seq`. */
  readonly renames?: readonly number[]
  readonly from?: string
  readonly first: string | null
  readonly last: string | null
  readonly before: string | null
  readonly after: string | null
  /** The bytes of the file before, where they are not just `first` as UTF-8; and its mode. */
  readonly image?: NonNullable<ChangeIntent['image']>
  /** The hash of its bytes after it, for a change that is none of its text; null where there was no file. */
  readonly whole?: string | null
  /** Its mode after the change, where the change may have made it another one. */
  readonly mode?: number
  /** Somebody else may have made it, so nobody is asked to review it and it is not restored by default. */
  readonly isLate?: true
  readonly keptHunks: number
  readonly undoneHunks: number
  /** As in its record. */
  readonly linkTargets?: readonly string[]
  readonly newFolders?: number
  readonly undoes?: readonly ChangeReview[]
  /** Between the record before the write and the one after it; and from then on, where it was not written. */
  readonly isPending: boolean
  /** It was not written, as far as it is known. */
  readonly isNotDone?: boolean
}

/** In the order in which they were made. */
export type ChangeState = readonly FileChange[]

export function isOpen(file: FileChange): boolean {
  const { before, after, isPending, change, whole, undoneHunks, keptHunks } = file
  if (isPending || file.undoes || file.isLate) return false
  return change === 'renamed' || whole !== undefined ? keptHunks + undoneHunks === 0 : before !== after
}

export function reduceChanges(state: ChangeState, record: ChangeRecord): ChangeState {
  switch (record.kind) {
    case 'intent':
      // Of two windows the one whose record comes second gives its change another number.
      return state.some(({ seq }) => seq === record.seq) ? state : [...state, begun(record)]
    case 'outcome':
      return record.isDone ? withDone(state, record.seq) : withoutDone(state, record.seq)
    case 'review':
      return withReview(state, record)
  }
}

function withReview(state: ChangeState, { seq, before, after, keptHunks, undoneHunks }: ChangeReview): ChangeState {
  const reviewed = state.map(one => (one.seq === seq ? { ...one, before, after, keptHunks, undoneHunks } : one))
  return withNameOf(reviewed, state, seq)
}

function begun({ seq, turn, time, change, uri, from, before, after, image, whole, ...more }: ChangeIntent): FileChange {
  const contents = { first: before, last: after, before, after }
  const review = { keptHunks: 0, undoneHunks: 0, isPending: true }
  return {
    ...{ seq, turn, time, change, uri, name: uri },
    ...(from !== undefined && { from }),
    ...contents,
    ...(image && { image }),
    ...(whole && { whole: whole.bytes }),
    ...review,
    ...kept(more),
  }
}

function kept({ mode, linkTargets, newFolders, undoes, isLate }: Partial<ChangeIntent>): Partial<FileChange> {
  return {
    ...(mode !== undefined && { mode }),
    ...(linkTargets && { linkTargets }),
    ...(newFolders !== undefined && { newFolders }),
    ...(undoes && { undoes }),
    ...(isLate && { isLate }),
  }
}

/** Earlier changes of a file that was renamed go with it. */
function withDone(state: ChangeState, seq: number): ChangeState {
  const done = state.find(one => one.seq === seq)
  if (!done?.isPending) return state
  const undone = (done.undoes ?? []).reduce(withReview, state)
  // The names that an undone rename has changed are changed back with its review.
  const named = done.change === 'renamed' && !done.undoes ? renamed(undone, done.from, done) : undone
  return named.map(one => (one.seq === seq ? { ...one, isPending: false, isNotDone: false } : one))
}

/** Another window may have looked in the middle of the change, so it is not forgotten. */
function withoutDone(state: ChangeState, seq: number): ChangeState {
  return state.map(one => (one.seq === seq && one.isPending ? { ...one, isNotDone: true } : one))
}

/** Of a new name that was taken back, or that counts again. */
function withNameOf(state: ChangeState, before: ChangeState, seq: number): ChangeState {
  const now = state.find(one => one.seq === seq)
  if (now?.change !== 'renamed' || now.from === undefined) return state
  const wasUndone = before.some(one => one.seq === seq && one.undoneHunks > 0)
  if (now.undoneHunks > 0) return renamedBack(state, now, now.from)
  return wasUndone ? renamed(state, now.from, now) : state
}

function renamed(state: ChangeState, from: string | undefined, { seq, uri }: FileChange): ChangeState {
  return state.map(one =>
    one.uri === from && one.seq !== seq ? { ...one, uri, renames: [...(one.renames ?? []), seq] } : one,
  )
}

/** Not those of another file that had the name before. */
function renamedBack(state: ChangeState, { seq, uri }: FileChange, to: string): ChangeState {
  const isOfFile = (one: FileChange) => one.uri === uri && (one.seq > seq || one.renames?.includes(seq) === true)
  return state.map(one =>
    isOfFile(one) ? { ...one, uri: to, renames: (one.renames ?? []).filter(rename => rename !== seq) } : one,
  )
}
