// `guardedPaths`: the files of a folder that a command in the sandbox may not change or not read, as they are at the moment.
import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { guardOf, isUnguarded } from '../../core/tools/sandboxPolicy.ts'
import { hasSecretHead, mayHaveToken } from '../../core/workspace/exclude.ts'

export interface GuardedPath {
  /** Relative to the folder, with `/`. */
  readonly relative: string
  readonly path: string
  readonly guard: 'guarded' | 'hidden'
  readonly isFolder: boolean
  /** Another text for another file with the same name. */
  readonly identity: string
}

/** Of a larger folder it is not known. */
const MAX_ENTRIES = 300_000

/** Undefined where there are too many files to look at. Links are followed by nobody: what they lead to is elsewhere. */
export async function guardedPaths(root: string): Promise<readonly GuardedPath[] | undefined> {
  const found: GuardedPath[] = []
  const pending = ['']
  let count = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries: Dirent[] = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    count += entries.length
    if (count > MAX_ENTRIES) return undefined
    for (const entry of entries) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`
      const guard = guardOf(relative)
      if (guard) found.push(...(await guardedIn(root, relative, guard, entry.isDirectory())))
      else if (entry.isDirectory() && !isUnguarded(entry.name)) pending.push(relative)
    }
  }
  return found
}

/** With a file in it that has a token, such as the configuration of git with a password. */
async function guardedIn(root: string, relative: string, guard: GuardedPath['guard'], isFolder: boolean) {
  const own = await guardedPath(root, relative, guard, isFolder)
  if (guard === 'hidden') return [own]
  const file = isFolder ? `${relative}/config` : relative
  if (!(await hasToken(join(root, file), file))) return [own]
  const hidden = await guardedPath(root, file, 'hidden', false)
  return isFolder ? [own, hidden] : [hidden]
}

async function hasToken(path: string, relative: string): Promise<boolean> {
  if (!mayHaveToken(relative)) return false
  return hasSecretHead(relative, await readFile(path, 'utf8').catch(() => ''))
}

async function guardedPath(root: string, relative: string, guard: GuardedPath['guard'], isFolder: boolean) {
  const path = join(root, relative)
  const facts = await lstat(path, { bigint: true }).catch(() => undefined)
  return { relative, path, guard, isFolder, identity: facts ? `${facts.dev}:${facts.ino}` : '' }
}
