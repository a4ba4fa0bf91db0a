// Folders with files, and git repositories of them, that are removed at the end of the test file.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'

type Files = Readonly<Record<string, string>>

export function folderWith(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kourier-git-')))
  after(() => rmSync(folder, { recursive: true, force: true }))
  writeFiles(folder, files)
  return folder
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']

export function runGit(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'pipe', encoding: 'utf8' })
}

/** Nothing is added to it yet. */
export function repositoryWith(files: Files): string {
  const folder = folderWith(files)
  runGit(folder, 'init', '--quiet', '--initial-branch=main')
  return folder
}

export function commitAll(folder: string, subject: string): void {
  runGit(folder, 'add', '--all')
  runGit(folder, 'commit', '--quiet', `--message=${subject}`)
}
