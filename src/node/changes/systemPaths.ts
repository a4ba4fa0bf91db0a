// `systemPaths`: what paths on the disk lead to, for `PathResolver`; and the user's home.
import type { BigIntStats } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import process from 'node:process'
import type { DiskPaths, EntryFacts } from '../../core/workspace/pathResolver.ts'

const withSlashes = (path: string) => (process.platform === 'win32' ? path.replaceAll('\\', '/') : path)

export const systemPaths: DiskPaths = {
  ignoresCase: process.platform === 'win32' || process.platform === 'darwin',

  async realPath(path) {
    return withSlashes(await realpath(path))
  },

  async facts(path) {
    try {
      return factsOf(await lstat(path, { bigint: true }))
    } catch (fault) {
      if (fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR')) {
        return undefined
      }
      throw fault
    }
  },
}

/** With `/` between its names. */
export function homeFolder(): string {
  return withSlashes(homedir())
}

function factsOf(stats: BigIntStats): EntryFacts {
  return {
    kind: kindOf(stats),
    linkCount: Number(stats.nlink),
    identity: stats.ino === 0n ? undefined : `${stats.dev}:${stats.ino}`,
  }
}

function kindOf(stats: BigIntStats): EntryFacts['kind'] {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}
