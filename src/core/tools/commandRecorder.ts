// `CommandRecorder`: records what commands change in the files of the workspace, by how the files were before.
import { type LinkedAbort, linkedAbort, until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter } from '../../base/event.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { TreeRoot } from '../workspace/treeSearch.ts'
import type { TreeChange, TreeWatch, WatchedTurn } from '../workspace/treeWatch.ts'
import type { Changes, MadeChange } from './changes.ts'
import type { CommandChange, CommandChanges, CommandWatch, Restorable, WatchedCommand } from './commandWatch.ts'

export interface CommandRecorderOptions {
  readonly watch: TreeWatch
  readonly changes: Pick<Changes, 'recordMade' | 'withoutOthers'>
  readonly clock: Clock
  /** The folders of the workspace that are on the disk. */
  roots(): readonly TreeRoot[]
}

/** A question about a command does not wait longer to be complete. */
const LONGEST_LOOK_MS = 2_000
/** A command does not wait longer for contents to be kept; the rest of them are kept while it runs. */
const LONGEST_KEEP_MS = 1_500
/** Of one command; what it changes beyond is named and cannot be undone. */
const MOST_RECORDED = 2_000

/** While a command goes on in the background, so that its changes are known soon and what is kept of the files stays. */
const LOOK_EVERY_MS = 5 * 60_000

interface Running extends WatchedTurn {
  readonly changed: CommandChange[]
  readonly notRestorable: Set<string>
  /** The files could be looked at. */
  isKnown: boolean
  isLate: boolean
}

export class CommandRecorder implements CommandWatch {
  readonly #options: CommandRecorderOptions
  /** One look at a time, because each changes what the next is compared with. */
  readonly #work = new Queue()
  /** The commands that run, the last one last. */
  readonly #running: Running[] = []
  readonly #idle = new Emitter<void>()
  #keeping: LinkedAbort | undefined
  #cancelNextLook: (() => void) | undefined

  constructor(options: CommandRecorderOptions) {
    this.#options = options
  }

  async restorable(signal: AbortSignal): Promise<Restorable | 'nothing' | undefined> {
    const limit = linkedAbort(signal)
    const cancel = this.#options.clock.later(LONGEST_LOOK_MS, () => limit.stop())
    try {
      await this.#look(undefined, limit.signal)
      return this.#options.watch.kept
    } catch (fault) {
      if (signal.aborted) throw fault
      return limit.signal.aborted ? undefined : 'nothing'
    } finally {
      cancel()
      limit.unlink()
    }
  }

  async begin(conversation: string, turn: string, signal: AbortSignal): Promise<WatchedCommand> {
    const since = this.#options.clock.now()
    const found = { changed: [], notRestorable: new Set<string>() }
    const running: Running = { since, conversation, turn, ...found, isKnown: true, isLate: false }
    try {
      await this.#look(undefined, signal)
      await this.#keepFor(LONGEST_KEEP_MS, signal)
    } catch (fault) {
      if (signal.aborted) throw fault
      running.isKnown = false
    }
    this.#running.push(running)
    await this.#work.add(() => this.#leave())
    this.#keepOn()
    const late = () => {
      running.isLate = true
      this.#lookLater()
    }
    const restorable = this.#options.watch.kept ?? { files: 0, of: 0 }
    return { restorable, changes: () => this.#changesOf(running), late, end: () => this.#end(running) }
  }

  /** The file was changed by the agent itself or by the user, whose change is not the command's. */
  exclude(uri: string): void {
    if (this.#running.length === 0) return
    void this.#work.add(() => this.#options.watch.forget(uri)).catch(() => {})
  }

  /**
   * Records what a command has changed whose window crashed; `watch` knows how the files were. It may also be the work of
   * somebody else since. Rejects where the files cannot be looked at.
   */
  async recordLeft(command: WatchedTurn): Promise<void> {
    const { watch, roots } = this.#options
    const found = await watch.look(roots(), new AbortController().signal)
    const owner = { ...command, changed: [], notRestorable: new Set<string>(), isKnown: true, isLate: true }
    await this.#record(owner, found)
  }

  /** Resolves when the changes of all commands are recorded. */
  whenIdle(signal: AbortSignal): Promise<void> {
    return until<void>(signal, done => {
      if (this.#running.length === 0) done()
      const listening = this.#idle.event(() => done())
      return () => listening.dispose()
    })
  }

  /** What is found belongs to this command, or to the last one that runs; to nobody where none does. */
  #look(by: Running | undefined, signal: AbortSignal): Promise<void> {
    return this.#work.add(async () => {
      this.#keeping?.stop()
      const { watch, roots } = this.#options
      const found = await watch.look(roots(), signal)
      const owner = by ?? this.#owner
      if (owner && found.length > 0) await this.#record(owner, found)
      if (this.#running.length > 0) await this.#leave()
    })
  }

  get #owner(): Running | undefined {
    return this.#running.findLast(({ isLate }) => !isLate) ?? this.#running.at(-1)
  }

  /** Where it cannot be left, what a crash leaves is not known. */
  async #leave(): Promise<void> {
    const owner = this.#owner
    const command = owner && { conversation: owner.conversation, turn: owner.turn, since: owner.since }
    await this.#options.watch.leave(command).catch(() => {})
  }

  async #changesOf(running: Running): Promise<CommandChanges> {
    if (this.#running.includes(running)) {
      await this.#lookAtEnd(running)
      this.#keepOn()
    }
    const notRestorable = [...running.notRestorable]
    running.notRestorable.clear()
    return { changed: running.changed.splice(0), notRestorable, isKnown: running.isKnown }
  }

  async #end(running: Running): Promise<void> {
    if (!this.#running.includes(running)) return
    await this.#lookAtEnd(running)
    this.#running.splice(this.#running.indexOf(running), 1)
    await this.#work.add(() => this.#leave())
    if (this.#running.length > 0) return this.#keepOn()
    this.#cancelNextLook?.()
    this.#idle.fire()
  }

  #lookLater(): void {
    this.#cancelNextLook?.()
    this.#cancelNextLook = this.#options.clock.later(LOOK_EVERY_MS, async () => {
      await this.#look(undefined, new AbortController().signal).catch(() => {})
      if (this.#running.length === 0) return
      this.#keepOn()
      this.#lookLater()
    })
  }

  async #lookAtEnd(running: Running): Promise<void> {
    await this.#look(running, new AbortController().signal).catch(() => {
      running.isKnown = false
    })
  }

  async #record(owner: Running, all: readonly TreeChange[]): Promise<void> {
    const { changes } = this.#options
    const found = await changes.withoutOthers(owner.conversation, owner.since, all).catch(() => all)
    const isKnown = ({ change, before }: TreeChange) => change === 'created' || before !== undefined
    const first = found.filter(isKnown).slice(0, MOST_RECORDED)
    const known = first.filter(isNoOnlyCopy(first, found))
    for (const one of found) if (!known.includes(one)) owner.notRestorable.add(one.path)
    const made = known.map(
      ({ uri, before, change }): MadeChange => ({ uri, before: before ?? null, isGone: change === 'deleted' }),
    )
    const recorded = await changes.recordMade(owner, made, owner.isLate).catch(() => undefined)
    for (const [at, { path, change }] of known.entries()) {
      const one = recorded?.[at]
      if (one) owner.changed.push({ path, ...one, ...(owner.isLate && { isLate: true }) })
      // It is as before, or too large to be recorded.
      else if (!recorded || change === 'created') owner.notRestorable.add(path)
    }
  }

  async #keepFor(ms: number, signal: AbortSignal): Promise<void> {
    const limit = linkedAbort(signal)
    const cancel = this.#options.clock.later(ms, () => limit.stop())
    try {
      await this.#options.watch.keep(limit.signal)
    } catch (fault) {
      if (signal.aborted || !limit.signal.aborted) throw fault
    } finally {
      cancel()
      limit.unlink()
    }
  }

  /** In the background, until the next look. */
  #keepOn(): void {
    this.#keeping?.stop()
    this.#keeping = linkedAbort()
    this.#options.watch.keep(this.#keeping.signal).catch(() => {})
  }
}

/**
 * Not a file that was moved from where it cannot be put back, such as one without text: it is the only one with its
 * content. `first`: those of `found` that can be undone.
 */
function isNoOnlyCopy(first: readonly TreeChange[], found: readonly TreeChange[]): (change: TreeChange) => boolean {
  const takenIn = (all: readonly TreeChange[]) => all.flatMap(({ taken }) => taken ?? [])
  const isFirst = new Set(first)
  const back = new Set(takenIn(first).map(inodeOf))
  const lost = new Set(takenIn(found.filter(one => !isFirst.has(one))))
  return ({ put, isOlder }) => put === undefined || (isOlder ? back.has(inodeOf(put)) : !lost.has(put))
}

/** It may have been changed where it is now. */
const inodeOf = (identity: string) => identity.slice(0, identity.indexOf(':'))
