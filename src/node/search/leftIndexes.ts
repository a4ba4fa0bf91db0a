// `takeLeftIndexes`: what windows that have crashed while a command ran have left of their indexes.
import { promises } from 'node:fs'
import { join } from 'node:path'
import { noteIn } from './indexFile.ts'

export interface LeftIndex {
  /** Its folder, for `ThreadWatch`. */
  readonly folder: string
  readonly note: string
}

/** So begins the name of a folder that a window has taken. */
const TAKEN = 'taken-'
/** After this time too much has been changed by others. */
const LONGEST_MS = 24 * 3_600_000

/** `isLeft`: whether the window that has written the note has ended. Each is taken by one window; what is old is removed. */
export async function takeLeftIndexes(
  folder: string,
  isLeft: (note: string) => Promise<boolean>,
  now: number,
): Promise<readonly LeftIndex[]> {
  const names = await promises.readdir(folder).catch(() => [])
  const taken: LeftIndex[] = []
  for (const name of names.filter(one => !one.startsWith(TAKEN))) {
    const { note, time } = noteIn(join(folder, name)) ?? {}
    if (note === undefined || time === undefined || !(await isLeft(note))) continue
    const own = join(folder, `${TAKEN}${name}`)
    const isTaken = await promises.rename(join(folder, name), own).then(
      () => true,
      () => false,
    )
    if (!isTaken) continue
    if (now - time <= LONGEST_MS) taken.push({ folder: own, note })
    else await promises.rm(own, { recursive: true, force: true }).catch(() => {})
  }
  return taken
}
