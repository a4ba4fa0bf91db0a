// `MadeFolders`: empty folders that exist in the workspace only while commands run in the sandbox, and are removed after a crash too.
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listOf } from '../../protocol/json.ts'

const FILE = 'made.json'

export class MadeFolders {
  readonly #folder: string
  /** By path, how many commands need it. */
  readonly #made = new Map<string, number>()

  /** `folder`: of this window, for the record of what it has made. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Adds those to `made` that were not there before. */
  async make(paths: readonly string[], made: string[]): Promise<void> {
    await this.#record(paths)
    for (const path of paths) {
      const isOurs = this.#made.has(path) || (await succeeded(mkdir(path)))
      if (!isOurs) continue
      this.#made.set(path, (this.#made.get(path) ?? 0) + 1)
      made.push(path)
    }
    await this.#record()
  }

  async remove(made: readonly string[]): Promise<void> {
    for (const path of made) {
      const left = (this.#made.get(path) ?? 1) - 1
      if (left > 0) this.#made.set(path, left)
      else {
        this.#made.delete(path)
        // One with something in it is the user's.
        await succeeded(rmdir(path))
      }
    }
  }

  /** `wanted`: which may be there, and are then taken off the record again. */
  async #record(wanted: readonly string[] = []): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const paths = [...new Set([...this.#made.keys(), ...wanted])]
    await writeFile(join(this.#folder, FILE), JSON.stringify(paths), { mode: 0o600 })
  }
}

/** Removes what a window that crashed has left. `folder`: of that window. */
export async function removeLeftFolders(folder: string): Promise<void> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => '[]')
  for (const path of listOf(JSON.parse(text))) if (typeof path === 'string') await succeeded(rmdir(path))
}

const succeeded = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )
