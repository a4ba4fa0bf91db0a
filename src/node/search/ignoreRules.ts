// `IgnoreRules`: what the `.gitignore` files from the top of a repository down to one of its folders ignore.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import ignore, { type Ignore } from 'ignore'

/** The rules of one file. `lead`: comes before a path, or is cut from it, to make it relative to the folder of the file. */
interface Level {
  readonly lead: { readonly add: string } | { readonly cut: number }
  readonly rules: Ignore
}

const ignorecase = process.platform === 'win32' || process.platform === 'darwin'

/** Immutable. Paths are relative to the root of the walk, with `/`. */
export class IgnoreRules {
  readonly #levels: readonly Level[]

  private constructor(levels: readonly Level[]) {
    this.#levels = levels
  }

  /** Those that apply to a folder from above of it, in the repository that it is in. `own`: what makes it one itself. */
  static above(root: string, own = '.git'): IgnoreRules {
    const levels: Level[] = []
    if (existsSync(join(root, own))) return new IgnoreRules(levels)
    let lead = ''
    for (let at = root, parent = dirname(root); parent !== at; at = parent, parent = dirname(parent)) {
      lead = `${at.slice(parent.length).replace(/^[\\/]/, '')}/${lead}`
      const rules = rulesIn(join(parent, '.gitignore'))
      if (rules) levels.unshift({ lead: { add: lead }, rules })
      if (!existsSync(join(parent, '.git'))) continue
      const excluded = rulesIn(join(parent, '.git/info/exclude'))
      if (excluded) levels.unshift({ lead: { add: lead }, rules: excluded })
      // A folder that is opened although it is ignored itself is searched all the same.
      return new IgnoreRules(
        levels.some(level => level.rules.ignores('add' in level.lead ? level.lead.add : lead)) ? [] : levels,
      )
    }
    // Rules of folders that are in no repository are somebody else's.
    return new IgnoreRules([])
  }

  /** With those of a folder. `names`: what is in it. A repository of its own ignores by its own rules alone. */
  within(folder: string, path: string, names: ReadonlySet<string>): IgnoreRules {
    const isRepository = names.has('.git')
    const files = [...(isRepository ? ['.git/info/exclude'] : []), ...(names.has('.gitignore') ? ['.gitignore'] : [])]
    const lead = { cut: folder === '' ? 0 : folder.length + 1 }
    const own = files.flatMap(file => {
      const rules = rulesIn(join(path, file))
      return rules ? [{ lead, rules }] : []
    })
    if (own.length === 0 && !isRepository) return this
    return new IgnoreRules([...(isRepository && folder !== '' ? [] : this.#levels), ...own])
  }

  ignores(path: string, isFolder: boolean): boolean {
    const end = isFolder ? '/' : ''
    for (let at = this.#levels.length - 1; at >= 0; at--) {
      const level = this.#levels[at]
      if (!level) continue
      const { lead, rules } = level
      const { ignored, unignored } = rules.test(('add' in lead ? lead.add + path : path.slice(lead.cut)) + end)
      if (ignored || unignored) return ignored
    }
    return false
  }
}

/** Undefined where there is no such file, or nothing in it. */
function rulesIn(path: string): Ignore | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    return /^[^#\s]/m.test(text) ? ignore({ ignorecase }).add(text.replace(/^\ufeff/, '')) : undefined
  } catch {
    return undefined
  }
}
