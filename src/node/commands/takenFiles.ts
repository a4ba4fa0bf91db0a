// `TakenFiles`: keeps what was taken away from the workspace after a command in the sandbox, so that it can be put back.
import { chmod, cp, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TakenFile } from '../../core/tools/commandPorts.ts'

/** Beside the folders of the windows, whose folder is `folder`. */
export const takenFolder = (folder: string): string => join(folder, 'taken')

const LONGEST_KEPT_MS = 30 * 24 * 3_600_000

export class TakenFiles {
  readonly #folder: string

  /** `folder`: for all windows; it is made with the first file. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** False where it could not be moved, and is where it was. */
  async take({ path, id }: TakenFile): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await this.#forgetOld()
    return moved(path, join(this.#folder, id))
  }

  /** False where something else has come to its place, or it is not kept any more. */
  async putBack({ path, id }: TakenFile): Promise<boolean> {
    if (await exists(path)) return false
    await mkdir(dirname(path), { recursive: true }).catch(() => {})
    return moved(join(this.#folder, id), path)
  }

  async #forgetOld(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      const facts = await stat(path).catch(() => undefined)
      if (facts && Date.now() - facts.ctimeMs > LONGEST_KEPT_MS) await rm(path, { recursive: true, force: true })
    }
  }
}

/** To another disk as well. What is at the place that it leaves afterwards is somebody else's. */
async function moved(from: string, to: string): Promise<boolean> {
  if (await renamed(from, to)) return true
  // The command that has made it may have taken away the rights to move it.
  await chmod(dirname(from), 0o700).catch(() => {})
  if ((await lstat(from).catch(() => undefined))?.isDirectory()) await chmod(from, 0o700).catch(() => {})
  if (await renamed(from, to)) return true
  const beside = `${from}.${crypto.randomUUID()}`
  if (!(await renamed(from, beside))) return false
  try {
    await cp(beside, to, { recursive: true, errorOnExist: true, force: false, verbatimSymlinks: true })
  } catch {
    await rm(to, { recursive: true, force: true }).catch(() => {})
    if (!(await exists(from))) await renamed(beside, from)
    return false
  }
  await rm(beside, { recursive: true, force: true }).catch(() => {})
  return true
}

const renamed = (from: string, to: string) =>
  rename(from, to).then(
    () => true,
    () => false,
  )

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
