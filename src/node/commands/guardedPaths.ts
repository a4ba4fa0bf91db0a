// `guardedPaths`: the files of a folder that a command in the sandbox may not change or not read, as they are at the moment.
import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type GuardGlobs,
  guardOf,
  isGuardedByContents,
  isMade,
  mayHoldKey,
  mayRun,
  noGlobs,
} from '../../core/tools/sandboxPolicy.ts'
import { hasSecretHead, mayHaveToken } from '../../core/workspace/exclude.ts'
import { IgnoreRules } from '../search/ignoreRules.ts'
import { KeyFiles } from './keyFiles.ts'

export interface GuardedPath {
  /** Relative to the folder, with `/`. */
  readonly relative: string
  readonly path: string
  readonly guard: 'guarded' | 'hidden'
  readonly isFolder: boolean
  /** Something runs by it; of others only the content is at stake. */
  readonly mayRun: boolean
  /** Another text for another file with the same name. */
  readonly identity: string
  /** Where it leads, if it is a link. */
  readonly target?: string
}

export interface GuardOptions {
  readonly globs?: GuardGlobs
  /** Folders below that are not looked into. */
  readonly except?: readonly string[]
  /** Of a folder with more it is not known. */
  readonly mostEntries?: number
  /** Remembers what was read of the files before. */
  readonly keys?: KeyFiles
  /** Remembers what was found in the folders before, so that only those are read in which a name has changed. */
  readonly cache?: GuardCache
}

/** By path. `version`: another one after each change of a name in the folder. */
export type GuardCache = Map<string, { readonly version: string; readonly contents: Contents }>

/** At the end of a command, so that a command does not end the search by the number of its files. */
export const MOST_ENTRIES_AT_END = 3_000_000
const MOST_ENTRIES = 300_000
/** Folders that are read side by side. */
const MOST_AT_ONCE = 32

/** The system may give two changes that follow one another the same time. */
const UNSURE_MS = 2_000

interface Folder {
  readonly relative: string
  readonly isInMade: boolean
  /** Of the folders above. */
  readonly rules: IgnoreRules
}

interface Contents {
  readonly count: number
  readonly guarded: readonly GuardedPath[]
  readonly folders: readonly Folder[]
}

/** Undefined where there are too many files to look at. Links are followed by nobody: what they lead to is elsewhere. */
export async function guardedPaths(
  root: string,
  { globs = noGlobs, except = [], mostEntries = MOST_ENTRIES, keys = new KeyFiles(), cache }: GuardOptions = {},
): Promise<readonly GuardedPath[] | undefined> {
  const found: GuardedPath[] = []
  // An empty `.git` is there only while commands run.
  let pending: Folder[] = [{ relative: '', isInMade: false, rules: IgnoreRules.above(root, '.git/HEAD') }]
  let count = 0
  while (pending.length > 0) {
    const now = pending.splice(-MOST_AT_ONCE)
    const read = await Promise.all(now.map(folder => cachedContents(root, folder, globs, keys, cache)))
    for (const one of read) {
      count += one.count
      found.push(...one.guarded)
      pending = pending.concat(one.folders.filter(({ relative }) => !except.includes(join(root, relative))))
    }
    if (count > mostEntries) return undefined
  }
  return found
}

async function cachedContents(root: string, folder: Folder, globs: GuardGlobs, keys: KeyFiles, cache?: GuardCache) {
  if (!cache) return contentsOf(root, folder, globs, keys)
  const path = join(root, folder.relative)
  const facts = await lstat(path, { bigint: true }).catch(() => undefined)
  // No program can set this time.
  const version = facts ? `${facts.dev}:${facts.ino}:${facts.ctimeNs}` : ''
  const known = cache.get(path)
  if (known?.version === version) return known.contents
  const contents = await contentsOf(root, folder, globs, keys)
  // Whether a file has a token depends on more than the names.
  const isSettled = facts !== undefined && Date.now() - Number(facts.ctimeMs) > UNSURE_MS
  if (
    isSettled &&
    !contents.guarded.some(({ relative }) => mayHaveToken(relative) || mayHaveToken(`${relative}/config`))
  )
    cache.set(path, { version, contents })
  else cache.delete(path)
  return contents
}

async function contentsOf(root: string, folder: Folder, globs: GuardGlobs, keys: KeyFiles): Promise<Contents> {
  const { relative: parent, isInMade } = folder
  const entries: Dirent[] = await readdir(join(root, parent), { withFileTypes: true }).catch(() => [])
  const names = new Set(entries.map(({ name }) => name))
  if (parent !== '' && isGuardedByContents(names)) {
    const whole = await guardedPath(root, parent, 'guarded', { isFolder: true, mayRun: true })
    return { count: entries.length, guarded: [whole], folders: [] }
  }
  const rules = isInMade ? folder.rules : folder.rules.within(parent, join(root, parent), names)
  const guarded: GuardedPath[] = []
  const folders: Folder[] = []
  const files: string[] = []
  for (const entry of entries) {
    const relative = parent === '' ? entry.name : `${parent}/${entry.name}`
    const guard = guardOf(relative, globs, { isInMade, isFolder: entry.isDirectory() })
    if (guard) guarded.push(...(await guardedIn(root, relative, guard, entry, !isInMade && mayRun(relative, globs))))
    else if (isInMade && entry.isFile() && (await hasToken(join(root, relative), relative)))
      guarded.push(await guardedPath(root, relative, 'hidden', { isFolder: false, mayRun: false }))
    else if (entry.isDirectory()) {
      // What git keeps is not made of something else, whatever its name is.
      const isOfBuild = isInMade || (isMade(entry.name) && rules.ignores(relative, true))
      folders.push({ relative, isInMade: isOfBuild, rules })
    } else if (entry.isFile() && !isInMade && mayHoldKey(entry.name)) files.push(relative)
  }
  const areKeys = await Promise.all(files.map(file => keys.has(join(root, file))))
  for (const [at, file] of files.entries()) {
    if (areKeys[at]) guarded.push(await guardedPath(root, file, 'hidden', { isFolder: false, mayRun: false }))
  }
  return { count: entries.length, guarded, folders }
}

/** With a file in it that has a token, such as the configuration of git with a password. */
async function guardedIn(
  root: string,
  relative: string,
  guard: GuardedPath['guard'],
  entry: Dirent,
  isRun: boolean,
): Promise<readonly GuardedPath[]> {
  const isFolder = entry.isDirectory()
  const kind = { isFolder, mayRun: isRun || guard === 'guarded' }
  const own = await guardedPath(root, relative, guard, kind)
  if (entry.isSymbolicLink()) {
    const target = await readlink(join(root, relative)).catch(() => '')
    return [{ ...own, target }]
  }
  if (guard === 'hidden') return [own]
  const file = isFolder ? `${relative}/config` : relative
  if (!(await hasToken(join(root, file), file))) return [own]
  const hidden = await guardedPath(root, file, 'hidden', { ...kind, isFolder: false })
  return isFolder ? [own, hidden] : [hidden]
}

async function hasToken(path: string, relative: string): Promise<boolean> {
  if (!mayHaveToken(relative)) return false
  return hasSecretHead(relative, await readFile(path, 'utf8').catch(() => ''))
}

async function guardedPath(
  root: string,
  relative: string,
  guard: GuardedPath['guard'],
  kind: Pick<GuardedPath, 'isFolder' | 'mayRun'>,
): Promise<GuardedPath> {
  const path = join(root, relative)
  return { relative, path, guard, ...kind, identity: await identityOf(path) }
}

/** Of what is at the path now; empty for nothing. */
export async function identityOf(path: string): Promise<string> {
  const facts = await lstat(path, { bigint: true }).catch(() => undefined)
  return facts ? `${facts.dev}:${facts.ino}` : ''
}
