// `GitHistory`: whether what git keeps of a repository has a file with a secret name, now or at any time before.
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exclusionOf } from '../../core/workspace/exclude.ts'
import { gitProgram } from '../git/gitProgram.ts'

/** Folders of submodules below `modules`. */
const DEEPEST_MODULES = 6

interface Known {
  readonly globs: string
  /** The newest commits of the history that was read. */
  readonly tips: readonly string[]
  readonly hasSecret: boolean
}

export class GitHistory {
  readonly #known = new Map<string, Known>()

  /** The folders of objects from which a secret file could be read. `folders`: those of git, such as `.git`. */
  async secretObjects(folders: readonly string[], globs: readonly string[]): Promise<readonly string[]> {
    const all = (await Promise.all(folders.map(folder => repositoriesIn(folder, 0)))).flat()
    const found: string[] = []
    for (const folder of new Set(all)) if (await this.#hasSecret(folder, globs)) found.push(folder)
    const kept = found.flatMap(folder => [join(folder, 'objects'), join(folder, 'lfs')])
    const areThere = await Promise.all(kept.map(isThere))
    return kept.filter((_, at) => areThere[at])
  }

  /** Also where it cannot be found out. */
  async #hasSecret(folder: string, globs: readonly string[]): Promise<boolean> {
    const isSecret = (text: string) =>
      [...new Set(text.split(/[\0\n]/))].some(
        path => path !== '' && exclusionOf({ path, text: '' }, globs) !== undefined,
      )
    const known = this.#known.get(folder)
    const old = known?.globs === globs.join('\0') ? known : undefined
    if (old?.hasSecret) return true
    const tips = await textOf(folder, ['log', '--all', '--reflog', '--no-walk', '--format=%H'])
    const staged = await textOf(folder, ['ls-files', '-z'])
    if (tips === undefined || staged === undefined || isSecret(staged)) return true
    const list = tips.split('\n').filter(tip => tip !== '')
    // What has no commit yet has no history.
    const isNew = list.some(tip => !old?.tips.includes(tip))
    const names = isNew ? await textOf(folder, namesOfAll, old?.tips) : ''
    const hasSecret = names === undefined || isSecret(names)
    this.#known.set(folder, { globs: globs.join('\0'), tips: list, hasSecret })
    return hasSecret
  }
}

/** With those that only a merge has. */
const namesOfAll = ['log', '--all', '--reflog', '-m', '--name-only', '--no-renames', '--format=', '-z', '--stdin']

/** `before`: commits whose history is not read again. Undefined where git fails or takes too long. */
async function textOf(folder: string, args: readonly string[], before: readonly string[] = []) {
  const input = before.map(tip => `^${tip}\n`).join('')
  const output = await gitProgram(
    dirname(folder),
    ['-c', 'log.showSignature=false', `--git-dir=${folder}`, ...args],
    { input },
    new AbortController().signal,
  ).catch(() => undefined)
  return output?.code === 0 && !output.isCut ? output.text : undefined
}

/** With those of its submodules. */
async function repositoriesIn(folder: string, depth: number): Promise<readonly string[]> {
  const isOne = (await isThere(join(folder, 'HEAD'))) && (await isThere(join(folder, 'objects')))
  if (depth > DEEPEST_MODULES) return []
  const at = isOne ? join(folder, 'modules') : folder
  if (depth === 0 && !isOne) return []
  const entries = await readdir(at, { withFileTypes: true }).catch(() => [])
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => join(at, name))
  const below = await Promise.all(folders.map(path => repositoriesIn(path, depth + 1)))
  return [...(isOne ? [folder] : []), ...below.flat()]
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
