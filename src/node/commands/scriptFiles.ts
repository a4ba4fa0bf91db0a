// `scriptFiles`: the files that decide what a command runs, with their texts.
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { ScriptFile } from '../../core/tools/scriptRunners.ts'

/** A longer one is known by its size and time alone. */
const MAX_BYTES = 5_000_000
/** Of those of one pattern, which may be data. */
const MAX_BYTES_OF_MANY = 300_000
const MOST_FILES = 200

/**
 * Those of a name, or of a pattern with `*` and `?`. A file without a folder in its name is looked for in the folders
 * above as well, as its runner does.
 */
export async function scriptFiles(folder: string, name: string): Promise<readonly ScriptFile[]> {
  const file = await scriptFile(folder, name)
  if (file || !/[*?[]/.test(name)) return file ? [file] : []
  const paths = await matching(
    isAbsolute(name) ? '/' : folder,
    name.split('/').filter(part => part !== ''),
  )
  return (await Promise.all(paths.slice(0, MOST_FILES).map(path => fileAt(path, MAX_BYTES_OF_MANY)))).filter(
    one => one !== undefined,
  )
}

async function scriptFile(folder: string, name: string): Promise<ScriptFile | undefined> {
  if (isAbsolute(name)) return fileAt(name)
  const isNamed = /[\\/]/.test(name)
  for (let at = folder; ; at = dirname(at)) {
    const file = await fileAt(join(at, name))
    if (file || isNamed || dirname(at) === at) return file
  }
}

async function fileAt(named: string, maxBytes = MAX_BYTES): Promise<ScriptFile | undefined> {
  try {
    const path = await realpath(named)
    const facts = await stat(path)
    if (!facts.isFile()) return undefined
    return { path, text: facts.size > maxBytes ? `${facts.size} ${facts.mtimeMs}` : await readFile(path, 'latin1') }
  } catch {
    return undefined
  }
}

/** Sorted. What a bracket matches is left open: any character. */
async function matching(folder: string, [part, ...rest]: readonly string[]): Promise<readonly string[]> {
  if (part === undefined) return [folder]
  if (!/[*?[]/.test(part)) return matching(join(folder, part), rest)
  const pattern = new RegExp(
    `^${part
      .split(/(\*+|\?|\[[^\]]*\])/)
      .map(sourceOf)
      .join('')}$`,
    's',
  )
  const names = await readdir(folder).catch(() => [])
  const found = names.filter(name => pattern.test(name)).sort()
  const below = await Promise.all(found.slice(0, MOST_FILES).map(name => matching(join(folder, name), rest)))
  // Two stars are any number of folders in some shells; here none or one.
  const here = part === '**' && rest.length > 0 ? await matching(folder, rest) : []
  return [...here, ...below.flat()]
}

function sourceOf(part: string): string {
  if (/^\*+$/.test(part)) return '.*'
  return part === '?' || /^\[.*\]$/s.test(part) ? '.' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
