// `Checkpoints`: files as they were before a message of the user: what a restore would do, and the restore itself.
import { contentHash } from '../../base/contentHash.ts'
import { diffLines, lineCount } from '../workspace/lineHunks.ts'
import type { ChangeFiles, FileImage } from './changePorts.ts'
import { ChangeStack, layerOf } from './changeStack.ts'
import { type FileChange, isOpen } from './changeState.ts'
import { type Changes, isGroup, isSameMode, RESTORE_GROUP, UNDO_GROUP } from './changes.ts'
import { movesIn, sourcesOf } from './movedContents.ts'

export interface CheckpointPorts {
  readonly changes: Changes
  readonly files: Pick<ChangeFiles, 'read' | 'image' | 'textIn'>
  newId(): string
}

/**
 * What is done with one file. `exact`: nobody else has changed it, so it becomes what it was. `merged`: what the agent
 * wrote is taken out, and what others wrote stays. `conflict`: the two cannot be separated, a command in the background
 * or somebody else has changed it, or the file is not there or not readable any more: it is left alone unless the user wants `target`. `lost`: what it was is not known any more.
 */
export interface RestoredFile {
  readonly uri: string
  readonly how: 'exact' | 'merged' | 'conflict' | 'lost'
  /** Null for no file. */
  readonly present: string | null
  /** What it becomes; of a conflict, what it becomes where the user wants it. */
  readonly target: string | null
  readonly addedLines: number
  readonly removedLines: number
  /** Of a conflict: it was changed while a command ran in the background, by the command or by somebody else. */
  readonly isLate?: boolean
  /** Of a conflict: the content of this other file, which is left too, may be nowhere else. */
  readonly holds?: string
}

/** `restored`: URIs. `left`: conflicts and what could not be written. `group`: of the changes that the restore has made. */
export interface RestoreOutcome {
  readonly group: string
  readonly restored: readonly string[]
  readonly left: readonly string[]
}

/** What a restore, or the user's *Undo*, has written. `time`: in milliseconds since 1970. */
export interface WrittenGroup {
  readonly group: string
  readonly is: 'restore' | 'undo'
  readonly time: number
  readonly uris: readonly string[]
}

/**
 * `image`: what the file was when it had `target`. `whole`: it is replaced by that, because not only its text changes.
 * `sources`: the files whose content it may have, which are written first.
 */
interface Planned extends RestoredFile {
  readonly image: FileImage | undefined
  readonly sources?: readonly string[]
  readonly whole?: { readonly present: FileImage | null }
}

/** Nothing is written before `restore`, and only files that the agent has changed since the restore point. */
export class Checkpoints {
  readonly #ports: CheckpointPorts

  constructor(ports: CheckpointPorts) {
    this.#ports = ports
  }

  /**
   * What a restore would do. `turns`: those after the restore point, which is the message that began the first of them; or
   * the group of a restore alone, to undo it. Files that are as they were are left out.
   */
  async preview(conversation: string, turns: readonly string[]): Promise<readonly RestoredFile[]> {
    return (await this.#planned(conversation, turns)).map(({ image: _, whole: __, sources: ___, ...file }) => file)
  }

  /** `overwrite`: the conflicts that the user wants restored all the same. A file that changes meanwhile is left alone. */
  async restore(
    conversation: string,
    turns: readonly string[],
    overwrite: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<RestoreOutcome> {
    const { changes, newId } = this.#ports
    const group = `${RESTORE_GROUP}${newId()}`
    const [restored, left]: [string[], string[]] = [[], []]
    const before = await changes.history(conversation)
    const planned = await this.#planned(conversation, turns)
    const isWanted = ({ uri, how }: Planned) => how !== 'lost' && (how !== 'conflict' || overwrite.has(uri))
    const begun = new Set<Planned>()
    const restoreOne = async (file: Planned): Promise<void> => {
      if (begun.has(file)) return
      begun.add(file)
      const sources = planned.filter(one => file.sources?.includes(one.uri) && isWanted(one))
      for (const source of sources) await restoreOne(source)
      const isSafe = sources.every(({ uri }) => !left.includes(uri))
      const isDone = isWanted(file) && isSafe && (await this.#write(conversation, group, file, signal))
      ;(isDone ? restored : left).push(file.uri)
    }
    // Names that must become free come first.
    const rank = ({ target, sources = [] }: Planned) => Number(target !== null) + Number(sources.length > 0)
    for (const file of planned.toSorted((a, b) => rank(a) - rank(b))) await restoreOne(file)
    const history = await changes.history(conversation)
    const isRestored = ({ name, from }: FileChange) =>
      restored.includes(name) || (from !== undefined && restored.includes(from))
    const since = [...changesSince(history, turns), ...history.filter(({ turn }) => turn === group)]
    const seqs = since.filter(isRestored).map(({ seq }) => seq)
    await changes.close(conversation, seqs)
    await this.#reviewAgain(conversation, changesSince(before, turns), before, left)
    return { group, restored, left }
  }

  /** The restores and undos that would change a file if they were taken back, of the last ones; the newest first. */
  async groups(conversation: string): Promise<readonly WrittenGroup[]> {
    const byGroup = Map.groupBy(await this.#ports.changes.history(conversation), ({ turn }) => turn)
    const last = [...byGroup].filter(([turn]) => isGroup(turn)).slice(-MOST_GROUPS)
    const groups: WrittenGroup[] = []
    for (const [group, changes] of last.reverse()) {
      const uris = (await this.preview(conversation, [group])).map(({ uri }) => uri)
      const is = group.startsWith(UNDO_GROUP) ? 'undo' : 'restore'
      if (uris.length > 0) groups.push({ group, is, time: changes[0]?.time ?? 0, uris })
    }
    return groups
  }

  /** Puts the files back to what they were before the restore or undo, and what was left to review then is left again. */
  undo(
    conversation: string,
    group: string,
    overwrite: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<RestoreOutcome> {
    return this.restore(conversation, [group], overwrite, signal)
  }

  /** What an undo or a restore among these changes has closed is left to review again, as before the first of them. */
  async #reviewAgain(
    conversation: string,
    since: readonly FileChange[],
    before: readonly FileChange[],
    left: readonly string[],
  ): Promise<void> {
    const { changes } = this.#ports
    const [first] = since
    const groups = since.filter(({ turn }) => isGroup(turn))
    if (!first || groups.length === 0) return
    const isThere = ({ uri, name }: FileChange) => !left.includes(uri) && !left.includes(name)
    const isAgain = (then: FileChange) => {
      const now = before.find(({ seq }) => seq === then.seq)
      if (now === undefined || !isThere(then)) return false
      return isOpen(then) ? hasClosed(groups, then, now) : isOpen(now) && hasOpened(groups, then, now)
    }
    const then = await changes.stateBefore(conversation, first.turn)
    await changes.reopen(conversation, then.filter(isAgain))
  }

  async #write(conversation: string, turn: string, file: Planned, signal: AbortSignal): Promise<boolean> {
    const { uri, present, target, image, whole } = file
    if (whole) return this.#ports.changes.replace({ conversation, turn, uri }, whole.present, image ?? null)
    const seen = present === null ? null : await contentHash(present)
    const request = { conversation, turn, uri, seen, text: target, approved: 'restored', image } as const
    const { is } = await this.#ports.changes.apply(request, signal)
    return is === 'changed' || is === 'unchanged'
  }

  async #planned(conversation: string, turns: readonly string[]): Promise<readonly Planned[]> {
    const history = await this.#ports.changes.history(conversation)
    const since = changesSince(history, turns)
    const uris = new Set(since.flatMap(({ name, from }) => (from === undefined ? [name] : [from, name])))
    const files: Planned[] = []
    for (const uri of uris) {
      const planned = await this.#plannedAt(uri, since)
      if (planned) files.push(planned)
    }
    return withSources(files, since)
  }

  /** Undefined where the file is as it was. What somebody else may have changed comes last, and is a conflict. */
  async #plannedAt(uri: string, since: readonly FileChange[]): Promise<Planned | undefined> {
    const all = since.flatMap(change => stepsAt(uri, change))
    const own = await this.#plannedOf(
      uri,
      all.filter(({ change }) => !change.isLate),
    )
    if (own || !all.some(({ change }) => change.isLate)) return own
    const planned = await this.#plannedOf(uri, all)
    if (!planned || planned.how === 'lost') return planned
    return { ...planned, how: 'conflict', isLate: true }
  }

  async #plannedOf(uri: string, steps: readonly Step[]): Promise<Planned | undefined> {
    const { changes } = this.#ports
    const [first, last] = [steps[0], steps.at(-1)]
    if (!first || !last) return undefined
    if (steps.some(({ change }) => change.whole !== undefined)) return this.#plannedWhole(uri, steps)
    const target = await changes.contentOf(first.before)
    const read = await this.#ports.files.read(uri)
    if (read.is === 'no text' || read.is === 'read-only')
      return planned(uri, 'conflict', null, target ?? null, undefined)
    const present = read.is === 'text' ? read.text : null
    if (target === undefined) return planned(uri, 'lost', present, present, undefined)
    if (present === target) return undefined
    const image = first.before === null ? undefined : await changes.imageBefore(first.change)
    const isOwn = present === (await changes.contentOf(last.after)) && areJoined(steps)
    if (isOwn) return planned(uri, 'exact', present, target, image)
    const merged = await this.#withoutAgent(steps, present)
    if (merged === undefined) return planned(uri, 'conflict', present, target, image)
    const isEmpty = merged === '' && target === null
    return merged === present && !isEmpty ? undefined : planned(uri, 'merged', present, isEmpty ? null : merged, image)
  }

  /** Of a file of which not only the text was changed, such as its line ends or its mode; nothing is merged. */
  async #plannedWhole(uri: string, steps: readonly Step[]): Promise<Planned | undefined> {
    const { changes, files } = this.#ports
    const [first, last] = [steps[0], steps.at(-1)]
    if (!first || !last) return undefined
    const image = bytesBefore(first) === null ? undefined : await changes.imageBefore(first.change)
    const present = (await files.image(uri)) ?? null
    const text = async (found: FileImage | null) => (found ? ((await files.textIn(uri, found.bytes)) ?? '') : null)
    const [now, target] = await Promise.all([text(present), text(image ?? null)])
    const of = (how: RestoredFile['how']) => ({ ...planned(uri, how, now, target, image), whole: { present } })
    if (!image && bytesBefore(first) !== null) return of('lost')
    if (!present && (await files.read(uri)).is !== 'missing') return of('conflict')
    if (await areSame(present, image ?? null)) return undefined
    const isOwn = (await this.#isAfter(uri, last, present)) && (await this.#areJoinedBytes(uri, steps))
    return of(isOwn ? 'exact' : 'conflict')
  }

  /** The step left the file so. */
  async #isAfter(uri: string, { change, after }: Step, present: FileImage | null): Promise<boolean> {
    if (change.whole !== undefined)
      return isSameMode(present?.mode, change.mode) && (await hashOf(present)) === change.whole
    const text = present && (await this.#ports.files.textIn(uri, present.bytes))
    return (text === null || text === undefined ? null : await contentHash(text)) === after
  }

  /** Nobody else has changed the bytes of the file between two changes of the agent. */
  async #areJoinedBytes(uri: string, steps: readonly Step[]): Promise<boolean> {
    for (const [at, step] of steps.entries()) {
      const before = steps[at - 1]
      if (!before) continue
      const image = bytesBefore(step) === null ? null : await this.#ports.changes.imageBefore(step.change)
      if (image !== undefined && !(await this.#isAfter(uri, before, image))) return false
    }
    return true
  }

  /** The present text without what the agent wrote; undefined where the two cannot be separated. */
  async #withoutAgent(steps: readonly Step[], present: string | null): Promise<string | undefined> {
    if (present === null || steps.some(({ change }) => change.change === 'deleted' || change.change === 'renamed'))
      return undefined
    const layers = []
    for (const { change, before, after } of steps) {
      const [from, to] = [await this.#ports.changes.contentOf(before), await this.#ports.changes.contentOf(after)]
      if (from === undefined || to === undefined) return undefined
      layers.push(layerOf(change.seq, change.turn, from ?? '', to ?? ''))
    }
    const { stack, left } = new ChangeStack(layers, present).withoutUndone().undoAll()
    return left.length > 0 ? undefined : stack.present
  }
}

/** Of those that are offered to be taken back. */
const MOST_GROUPS = 10

/** The group has closed the change, or undone a part of it, and nobody has reviewed more of it since. */
function hasClosed(group: readonly FileChange[], before: FileChange, now: FileChange): boolean {
  const review = group.flatMap(({ undoes = [] }) => undoes).findLast(({ seq }) => seq === before.seq)
  if (review) return now.after === review.after && now.undoneHunks === review.undoneHunks
  const names = group.flatMap(({ name, from }) => [name, from])
  const isIn = [before.uri, before.name, before.from].some(name => name !== undefined && names.includes(name))
  return isIn && !isOpen(now) && now.keptHunks === before.keptHunks && now.undoneHunks > before.undoneHunks
}

/** The group has put back what an undo before it had taken out. */
function hasOpened(group: readonly FileChange[], before: FileChange, now: FileChange): boolean {
  const names = group.flatMap(({ name, from }) => [name, from])
  return names.includes(before.name) && now.keptHunks === before.keptHunks && now.undoneHunks < before.undoneHunks
}

/** From the first change of the turns on, because a restore between them is a change too; of a group only its own. */
function changesSince(history: readonly FileChange[], turns: readonly string[]): readonly FileChange[] {
  const own = history.filter(({ turn }) => turns.includes(turn))
  if (own.every(({ turn }) => isGroup(turn))) return own
  const first = own[0]?.seq ?? Number.POSITIVE_INFINITY
  return history.filter(({ seq }) => seq >= first)
}

/**
 * Both ends of a move together: the file with the content of one that is left is left too, because its content would go
 * nowhere.
 */
function withSources(files: readonly Planned[], since: readonly FileChange[]): readonly Planned[] {
  const moves = movesIn(since)
  return files.map(file => {
    const names = sourcesOf(file.uri, moves).filter(uri => !uri.startsWith(`${file.uri}/`))
    const sources = files.filter(({ uri, target, how }) => names.includes(uri) && (target !== null || how === 'lost'))
    if (sources.length === 0) return file
    const holds = sources.find(({ how }) => how === 'conflict' || how === 'lost')?.uri
    const ordered = { ...file, sources: sources.map(({ uri }) => uri) }
    return holds === undefined || file.how === 'lost' ? ordered : { ...ordered, how: 'conflict', holds }
  })
}

/** What a change made of the file with one name. */
interface Step {
  readonly change: FileChange
  readonly before: string | null
  readonly after: string | null
}

function stepsAt(uri: string, change: FileChange): Step[] {
  const { name, from, first, last } = change
  if (from === uri) return [{ change, before: first, after: null }]
  if (name !== uri) return []
  return [{ change, before: from === undefined ? first : null, after: last }]
}

/** The hash of the bytes before the step; null where there was no file. */
function bytesBefore({ change, before }: Step): string | null {
  return change.whole === undefined ? before : (change.image?.bytes ?? null)
}

const hashOf = async (image: FileImage | null) => image && (await contentHash(image.bytes))

async function areSame(one: FileImage | null, other: FileImage | null): Promise<boolean> {
  return isSameMode(one?.mode, other?.mode) && (await hashOf(one)) === (await hashOf(other))
}

/** Nobody else has changed the file between two changes of the agent. */
const areJoined = (steps: readonly Step[]) =>
  steps.every(({ before }, at) => at === 0 || before === steps[at - 1]?.after)

function planned(
  uri: string,
  how: RestoredFile['how'],
  present: string | null,
  target: string | null,
  image: FileImage | undefined,
): Planned {
  let [addedLines, removedLines] = [0, 0]
  for (const { before, after } of diffLines(present ?? '', target ?? '')) {
    addedLines += lineCount((target ?? '').slice(after.start, after.end))
    removedLines += lineCount((present ?? '').slice(before.start, before.end))
  }
  return { uri, how, present, target, addedLines, removedLines, image }
}
