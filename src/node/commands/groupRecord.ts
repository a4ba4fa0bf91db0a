// `GroupRecord`: which process groups a window has started, on disk, so that a later window can end those of a dead one.
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { TakenFile } from '../../core/tools/commandPorts.ts'
import { listOf, objectOf } from '../../protocol/json.ts'
import { writeWhole } from '../files/writeWhole.ts'
import { takeLeft } from './guardNote.ts'
import { removeLeftFolders } from './madeFolders.ts'
import { endGroup, groupMembers, signalGroup } from './processGroup.ts'
import { identityOf, isSameProcess, ownIdentity, type ProcessIdentity, startOf } from './processIdentity.ts'
import { TakenFiles, takenFolder } from './takenFiles.ts'

const FILE = 'groups.json'

/** The record of this window, in the window's own folder. */
export class GroupRecord {
  readonly #file: string
  readonly #clock: Clock
  readonly #groups = new Map<number, string | undefined>()
  readonly #reading = new Set<Promise<void>>()
  #writing: Promise<void> | undefined
  #isStale = false
  #isClosed = false

  constructor(folder: string, clock: Clock) {
    this.#file = join(folder, FILE)
    this.#clock = clock
  }

  async add(id: number): Promise<void> {
    this.#groups.set(id, undefined)
    const reading = startOf(id).then(start => {
      if (this.#groups.has(id)) this.#groups.set(id, start)
    })
    this.#reading.add(reading)
    await reading
    this.#reading.delete(reading)
    await this.#write()
  }

  async remove(id: number): Promise<void> {
    if (this.#groups.delete(id)) await this.#write()
  }

  /** What was added is on disk. */
  async whenWritten(): Promise<void> {
    await Promise.all(this.#reading)
    await this.#write()
  }

  /** Nothing is written any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#reading, this.#writing])
  }

  /** One write at a time, and a later one for all that has changed meanwhile. */
  #write(): Promise<void> {
    this.#isStale = true
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false
      const groups = [...this.#groups].map(([id, start]) => ({ id, start }))
      const owner = await ownIdentity()
      // Where it cannot be written, the commands end with this window all the same.
      await writeWhole(this.#clock, this.#file, JSON.stringify({ owner, groups })).catch(() => {})
    }
  }
}

/**
 * Ends what dead windows have left running, removes their folders, and takes away what commands in the sandbox have made.
 * `folder`: the folder of all windows.
 */
export async function endLeftGroups(folder: string, clock: Clock): Promise<readonly TakenFile[]> {
  const windows = await readdir(folder).catch(() => [])
  const taken = new TakenFiles(takenFolder(folder))
  return (await Promise.all(windows.map(window => endThose(join(folder, window), taken, clock)))).flat()
}

async function endThose(folder: string, taken: TakenFiles, clock: Clock): Promise<readonly TakenFile[]> {
  const record = objectOf(await read(join(folder, FILE)))
  const owner = identityOf(record?.['owner'])
  if (!owner || (await isSameProcess(owner))) return []
  const groups = listOf(record?.['groups'])
    .map(identityOf)
    .filter(group => group !== undefined)
  await Promise.all(groups.map(group => endIfOurs(group, clock)))
  const left = await takeLeft(folder, taken).catch(() => [])
  await removeLeftFolders(folder).catch(() => {})
  await rm(folder, { recursive: true, force: true }).catch(() => {})
  return left
}

async function read(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function endIfOurs(group: ProcessIdentity, clock: Clock): Promise<void> {
  if (!signalGroup(group.id, 0)) return
  if ((await isSameProcess(group)) || (await hasOurs(group.id))) await endGroup(group.id, clock)
}

/** The first process of the group has ended, and others of it run: they have the variable of our commands. */
async function hasOurs(group: number): Promise<boolean> {
  const members = (await groupMembers(group)) ?? []
  if (members.some(({ id }) => id === group)) return false
  const environments = await Promise.all(
    members.map(({ id }) => readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')),
  )
  return environments.some(text => text.split('\0').includes('KOURIER_AGENT=1'))
}
