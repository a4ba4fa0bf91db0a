// Which files of the project a test loads: by its imports, and by every path of a source that it or they name.
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Follows each file once. A path in a text counts as an import, because tests start other programs by their paths. */
export class LoadedFiles {
  readonly #folder: string
  readonly #known = new Map<string, readonly string[]>()

  /** `folder`: the root of the project. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** All files that `file` loads, itself included; relative to the root, with forward slashes. */
  of(file: string): ReadonlySet<string> {
    const found = new Set([file])
    // A set also goes over what is added meanwhile.
    for (const one of found) for (const next of this.direct(one)) found.add(next)
    return found
  }

  /** The files that `file` names itself, or none where there is no such file. */
  direct(file: string): readonly string[] {
    const known = this.#known.get(file)
    if (known) return known
    const path = join(this.#folder, file)
    const named = existsSync(path) ? namedFiles(readFileSync(path, 'utf8'), file) : []
    const direct = named.filter(name => existsSync(join(this.#folder, name)))
    this.#known.set(file, direct)
    return direct
  }
}

/** Types are gone when a test runs, so what is imported for them alone is not loaded. */
function namedFiles(text: string, file: string): readonly string[] {
  const code = text.replace(/^(import|export) type [^'"]*['"][^'"]*['"]/gm, '')
  const paths = [...code.matchAll(/['"`]([\w@./-]+\.tsx?)['"`]/g)].map(([, path = '']) => path)
  return paths.flatMap(path => [posix.join(posix.dirname(file), path), posix.normalize(path)])
}
