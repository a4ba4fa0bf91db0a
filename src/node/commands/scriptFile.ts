// `scriptFile`: a file that decides what a command runs, with its text.
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { ScriptFile } from '../../core/tools/scriptRunners.ts'

/** A longer one is known by its size and time alone. */
const MAX_BYTES = 5_000_000

/** A file without a folder in its name is looked for in the folders above as well, as its runner does. */
export async function scriptFile(folder: string, name: string): Promise<ScriptFile | undefined> {
  if (isAbsolute(name)) return fileAt(name)
  const isNamed = /[\\/]/.test(name)
  for (let at = folder; ; at = dirname(at)) {
    const file = await fileAt(join(at, name))
    if (file || isNamed || dirname(at) === at) return file
  }
}

async function fileAt(named: string): Promise<ScriptFile | undefined> {
  try {
    const path = await realpath(named)
    const facts = await stat(path)
    if (!facts.isFile()) return undefined
    return { path, text: facts.size > MAX_BYTES ? `${facts.size} ${facts.mtimeMs}` : await readFile(path, 'latin1') }
  } catch {
    return undefined
  }
}
