// `gitFiles`, `ignoredByGit`: what git lists below a folder, and which of some paths it ignores.
import type { Git, GitOutput } from './git.ts'

export interface GitFiles {
  /** Paths relative to the folder, with slashes. */
  readonly files: readonly string[]
  /** Those of `files` that are in no index; so are all of a repository that is no submodule. */
  readonly untracked: readonly string[]
  /** Ignored paths; a folder ends with a slash. */
  readonly ignored: readonly string[]
}

/** The exit code for a folder that is in no repository. */
const NO_REPOSITORY = 128
/** Submodules and repositories inside of others. */
const MOST_NESTED = 50

const tracked = ['ls-files', '-z', '--stage', '--', '.']
const untracked = ['ls-files', '-z', '--others', '--exclude-standard', '--', '.']
const deleted = ['ls-files', '-z', '--deleted', '--', '.']
const ignored = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory', '--', '.']

/** Undefined where there is no git or no repository. Rejects where git fails. */
export async function gitFiles(git: Git, folder: string, signal: AbortSignal): Promise<GitFiles | undefined> {
  const files: string[] = []
  const untracked: string[] = []
  const left: string[] = []
  const pending: Nested[] = [{ prefix: '', isTracked: true }]
  for (const [at, { prefix, isTracked }] of pending.entries()) {
    if (at > MOST_NESTED) break
    const found = await filesOfOne(git, prefix ? `${folder}/${prefix}` : folder, signal)
    if (!found && at === 0) return undefined
    if (!found) continue
    const within = (path: string) => `${prefix}${path}`
    const others = found.untracked.map(within)
    const own = found.tracked.map(within)
    files.push(...own, ...others)
    untracked.push(...(isTracked ? others : [...own, ...others]))
    left.push(...found.ignored.map(within))
    pending.push(
      ...found.submodules.map(path => ({ prefix: within(path), isTracked })),
      ...found.repositories.map(path => ({ prefix: within(path), isTracked: false })),
    )
  }
  return { files, untracked, ignored: left }
}

/** A repository inside of another, by its path with a slash at the end. */
interface Nested {
  readonly prefix: string
  readonly isTracked: boolean
}

async function filesOfOne(git: Git, folder: string, signal: AbortSignal) {
  const outputs = await Promise.all([tracked, untracked, deleted, ignored].map(args => git(folder, args, {}, signal)))
  const texts = outputs.map(textOf)
  const [staged, others, gone, leftOut] = texts.map(text => text?.split('\0').filter(one => one !== ''))
  if (!staged || !others) return undefined
  const isGone = new Set(gone)
  const entries = staged.map(entryOf)
  const isFile = ({ path, mode }: StagedEntry) => mode !== SUBMODULE && !isGone.has(path)
  return {
    // A file in a merge has several entries.
    tracked: [...new Set(entries.filter(isFile).map(({ path }) => path))],
    untracked: others.filter(path => !path.endsWith('/')),
    ignored: leftOut ?? [],
    submodules: entries.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => `${path}/`),
    repositories: others.filter(path => path.endsWith('/')),
  }
}

function textOf(output: GitOutput | undefined): string | undefined {
  if (!output || output.code === NO_REPOSITORY) return undefined
  if (output.code !== 0) throw new Error(`git ended with code ${output.code}`)
  return output.text
}

interface StagedEntry {
  readonly mode: string
  readonly path: string
}

const SUBMODULE = '160000'

/** `100644 <hash> 0\t<path>`. */
function entryOf(line: string): StagedEntry {
  return { mode: line.slice(0, 6), path: line.slice(line.indexOf('\t') + 1) }
}

/** Those of the paths, relative to the folder, that git ignores. Tracked files are not. Rejects where git fails. */
export async function ignoredByGit(
  git: Git,
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const output = await checkIgnore(git, folder, paths, signal)
  if (!output) return new Set()
  if (output.code <= 1) return namesIn(output)
  const inside = await git(folder, ['rev-parse', '--is-inside-work-tree'], {}, signal)
  if (inside?.code !== 0) return new Set()
  return ignoredFolderByFolder(git, folder, paths, signal)
}

/** git refuses to answer for a path in a submodule from outside of it, and then answers for no other either. */
async function ignoredFolderByFolder(git: Git, folder: string, paths: readonly string[], signal: AbortSignal) {
  const all = new Set<string>()
  for (const [inner, members] of Map.groupBy(paths, path => path.slice(0, path.lastIndexOf('/') + 1))) {
    const names = members.map(path => path.slice(inner.length))
    const output = await checkIgnore(git, `${folder}/${inner}`, names, signal)
    const ignored = output && output.code <= 1 ? namesIn(output) : new Set(names)
    for (const name of ignored) all.add(`${inner}${name}`)
  }
  return all
}

/**
 * Exit code 0: some are ignored; 1: none. For each path git goes through the whole index to find out whether it is
 * tracked, so only those are looked for there that the rules ignore.
 */
async function checkIgnore(git: Git, folder: string, paths: readonly string[], signal: AbortSignal) {
  const check = (some: Iterable<string>, ...more: readonly string[]) =>
    git(folder, ['check-ignore', '-z', '--stdin', ...more], { input: `${[...some].join('\0')}\0` }, signal)
  const byRules = await check(paths, '--no-index')
  return byRules?.code === 0 ? check(namesIn(byRules)) : byRules
}

const namesIn = ({ text }: GitOutput) => new Set(text.split('\0').filter(path => path !== ''))
