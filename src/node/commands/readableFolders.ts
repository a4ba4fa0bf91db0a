// `readableFolders`: what beside the system and the workspace a command in the sandbox may read, because programs need it.
import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import process from 'node:process'
import { systemFolders, toolHomePaths } from '../../core/tools/sandboxPolicy.ts'

export interface ReadableOptions {
  readonly home: string
  /** As in the variable `PATH`. */
  readonly searchPath: string
  /** The program that is started. */
  readonly program: string
  /** Others that are to be read. */
  readonly repositories: readonly string[]
}

/** Variables of the environment that name the folder of a tool. */
const toolVariables = ['JAVA_HOME', 'GOROOT', 'ANDROID_HOME', 'NVM_DIR', 'PYENV_ROOT', 'RUSTUP_HOME', 'VOLTA_HOME']
/** Links in one folder of programs; one with more is that of a package manager of Node, whose links lead to scripts. */
const MOST_LINKS = 400

/** All paths are without links, and there is none in another. `roots`: the folders of the workspace. */
export async function readableFolders(roots: readonly string[], options: ReadableOptions): Promise<readonly string[]> {
  const { home, repositories } = options
  const named = [
    ...toolHomePaths.map(path => join(home, path)),
    ...toolVariables.flatMap(name => process.env[name] ?? []),
    ...(await programFolders(options)),
    ...(await Promise.all(roots.map(packagesAbove))).flat(),
    ...(await Promise.all(roots.map(gitFolderOf))).flat(),
    ...repositories,
  ]
  const real = await Promise.all(named.map(path => realpath(path).catch(() => '')))
  const isWanted = (path: string) => mayBeRead(path, home) && !roots.some(root => isIn(path, root))
  const all = [...new Set(real)].filter(isWanted)
  return all.filter(path => !all.some(other => other !== path && isIn(path, other)))
}

/** The repositories that a folder of the workspace is a part of without being the whole. */
export async function repositoriesAbove(roots: readonly string[], home: string): Promise<readonly string[]> {
  const found = await Promise.all(roots.map(repositoryAbove))
  return [...new Set(found.filter(path => path !== undefined && mayBeRead(path, home)))].filter(
    path => path !== undefined,
  )
}

/** Not all of the home folder or more; what is of the system is read in any case. */
const mayBeRead = (path: string, home: string) =>
  path !== '' && path !== '/' && !isIn(home, path) && !systemFolders.some(one => isIn(path, one))

const isIn = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`)

/** Where programs are found, with the libraries that lie beside them. */
async function programFolders({ searchPath, program }: ReadableOptions): Promise<readonly string[]> {
  const named = [...searchPath.split(delimiter).filter(path => isAbsolute(path)), dirname(program)]
  const folders = [...new Set(await Promise.all(named.map(path => realpath(path).catch(() => ''))))]
  const outer = folders.filter(path => path !== '' && !systemFolders.some(one => isIn(path, one)))
  const linked = (await Promise.all(outer.map(linkedFolders))).flat()
  return [...outer, ...linked].flatMap(withLibraries)
}

const withLibraries = (folder: string) => [folder, ...['lib', 'libexec'].map(name => join(folder, '..', name))]

/** The folders of programs to which links in this one lead. */
async function linkedFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const links = entries.filter(entry => entry.isSymbolicLink()).slice(0, MOST_LINKS)
  const targets = await Promise.all(links.map(({ name }) => realpath(join(folder, name)).catch(() => '')))
  return [...new Set(targets.filter(path => path !== '').map(dirname))].filter(path => basename(path) === 'bin')
}

/** The nearest folder above with a repository in it; undefined where the folder has its own, or is in none. */
async function repositoryAbove(root: string): Promise<string | undefined> {
  for (let at = root; at !== dirname(at); at = dirname(at))
    if (await hasRepository(at)) return at === root ? undefined : at
  return undefined
}

/** The packages that Node finds in the folders above; in the folder itself they may be a link. */
async function packagesAbove(root: string): Promise<readonly string[]> {
  const named: string[] = []
  for (let at = root; at !== dirname(at); at = dirname(at)) named.push(join(at, 'node_modules'))
  const real = await Promise.all(named.map(path => realpath(path).catch(() => '')))
  // A link of the workspace may name any folder.
  return real.filter(path => basename(path) === 'node_modules')
}

/** Of a worktree or a submodule, the folder of git that it belongs to. */
async function gitFolderOf(root: string): Promise<readonly string[]> {
  const text = await readFile(join(root, '.git'), 'utf8').catch(() => '')
  const [, named] = /^gitdir: (.+)$/m.exec(text) ?? []
  if (named === undefined) return []
  const folder = await realpath(resolve(root, named.trim())).catch(() => '')
  const above = dirname(root)
  const isSubmodule = /^(.*)[\\/]\.git[\\/]modules[\\/]/.exec(folder)?.[1]
  if (isSubmodule !== undefined && isIn(above, isSubmodule)) return [folder]
  // Only one that knows of this worktree itself, because the file in the workspace may name any folder.
  const back = await readFile(join(folder, 'gitdir'), 'utf8').catch(() => '')
  if ((await realpath(dirname(back.trim())).catch(() => '')) !== root) return []
  const common = await readFile(join(folder, 'commondir'), 'utf8').catch(() => '.')
  return [resolve(folder, common.trim())]
}

/** An empty `.git` is none, such as one that is there so that none comes into being. */
async function hasRepository(folder: string): Promise<boolean> {
  const found = await lstat(join(folder, '.git')).catch(() => undefined)
  if (!found?.isDirectory()) return found?.isFile() === true
  return (await lstat(join(folder, '.git/HEAD')).catch(() => undefined)) !== undefined
}
