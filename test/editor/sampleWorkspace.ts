// A fresh copy of the sample workspace in a temporary folder, so that nobody works in the repository's own.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAtEnd } from '../support/processGroup.ts'

export interface Workspace {
  readonly folder: string
  remove(): void
}

/** With git its files are one first commit; where there is no git, the files alone have to do. */
export function copySampleWorkspace(options: { readonly git?: boolean } = {}): Workspace {
  const parent = mkdtempSync(join(tmpdir(), 'kourier-workspace-'))
  const folder = join(parent, 'parcel-desk')
  cpSync(join(import.meta.dirname, 'sampleWorkspace'), folder, { recursive: true })
  if (options.git) commitAll(folder)
  return { folder, remove: removeAtEnd(parent) }
}

/** The name and the address stay out of the repository's settings, where the extension may look for the user's. */
function commitAll(folder: string): void {
  const author = ['-c', 'user.name=Parcel Desk', '-c', 'user.email=desk@example.com', '-c', 'commit.gpgsign=false']
  const steps = [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '--message=Open the parcel desk'],
  ]
  for (const step of steps) spawnSync('git', step, { cwd: folder, stdio: 'ignore' })
}
