// `applyPatch`: applies a patch with git to a folder that need not be a repository.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

/** Returns the words of git where the patch does not apply; nothing is changed then. */
export function applyPatch(folder: string, patch: string): string | undefined {
  return gitApply(folder, [patch])
}

/** As `applyPatch`, but changes nothing. */
export function checkPatch(folder: string, patch: string): string | undefined {
  return gitApply(folder, ['--check', patch])
}

function gitApply(folder: string, args: readonly string[]): string | undefined {
  // The folder may lie in a repository, to whose root git would apply the patch instead.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) }
  const { status, stderr, error } = spawnSync('git', ['apply', '-p1', ...args], { cwd: folder, env, encoding: 'utf8' })
  if (error) throw error
  return status === 0 ? undefined : stderr.trim() || `git ended with status ${status}`
}
