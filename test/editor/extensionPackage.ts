// The packaged extension, made again only when something that goes into it has changed.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { spawnGroup, whenGone } from '../support/processGroup.ts'

const root = resolve(import.meta.dirname, '../..')
const ingredients = [
  'src',
  'media',
  'esbuild.ts',
  'package.json',
  'package-lock.json',
  'package.nls.de.json',
  'package.nls.json',
  'l10n',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  '.vscodeignore',
]

export const vsixPath = join(root, 'dist/kourier.vsix')

/** The path of a package no older than what it is made from. */
export async function freshVsix(): Promise<string> {
  if (!isFresh(root)) await buildVsix()
  return vsixPath
}

export async function buildVsix(): Promise<void> {
  const { KOURIER_BASE_URL: _, ...env } = process.env // tests set the address themselves
  const child = spawnGroup('npm', ['run', '--silent', 'package'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  if ((await whenGone(child)) !== 0) throw new Error(`The extension could not be packaged.\n${output.trim()}`)
}

/** Whether the package in `dist` is made from what is there now, and for no service in particular. */
export function isFresh(folder: string): boolean {
  const builtAt = newestIn(join(folder, 'dist/kourier.vsix'))
  return isForNoService(folder) && ingredients.every(name => newestIn(join(folder, name)) < builtAt)
}

/** Packaging ends with a note of the address that the package knows; without the note it did not end. */
function isForNoService(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'dist/baseUrl'), 'utf8') === ''
  } catch {
    return false
  }
}

/** A folder's own time shows that files were taken away. */
function newestIn(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(found.mtimeMs, ...readdirSync(path).map(name => newestIn(join(path, name))))
}
