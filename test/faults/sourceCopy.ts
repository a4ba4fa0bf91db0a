// A copy of the project's files, uncommitted changes included, in which faults are planted one after the other.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { removeAtEnd } from '../support/processGroup.ts'
import { applyPatch } from './applyPatch.ts'
import type { PlantedFault } from './plantedFault.ts'

/** Linked, because no fault is planted in a package. */
const packageFolders = ['node_modules', 'test/editor/node_modules']

export class SourceCopy {
  readonly folder: string
  readonly #root: string

  /** `root`: the folder of the project. The copy is removed when this process ends. */
  constructor(root: string) {
    this.#root = root
    // Node names a file by its real path, and the temporary folder may be a link.
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'kourier-faults-')))
    removeAtEnd(this.folder)
    for (const file of projectFiles(root)) this.#copy(file)
    for (const packages of packageFolders) this.#link(packages)
  }

  /** Throws with the words of git where the patch does not apply. */
  plant({ name, patch }: PlantedFault): void {
    const refusal = applyPatch(this.folder, patch)
    if (refusal) throw new Error(`${name} does not apply:\n${refusal}`)
  }

  /** Takes the fault out again. */
  restore({ sources }: PlantedFault): void {
    for (const source of sources) this.#copy(source)
  }

  #copy(file: string): void {
    const copy = join(this.folder, file)
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(join(this.#root, file), copy)
  }

  #link(packages: string): void {
    const installed = join(this.#root, packages)
    if (existsSync(installed)) symlinkSync(installed, join(this.folder, packages), 'junction')
  }
}

/** What git keeps or would keep; a file that was deleted without a commit is left out. */
function projectFiles(root: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  return [...new Set(listed.toString().split('\0'))].filter(file => file !== '' && existsSync(join(root, file)))
}
