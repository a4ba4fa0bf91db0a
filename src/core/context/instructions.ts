// `Instructions`: which files of the workspace instruct the model, given what is attached or touched; and their text.
import type { Clock } from '../../base/clock.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'
import { matchesGlob } from '../workspace/exclude.ts'
import { withoutInvisible } from '../workspace/invisibleText.ts'
import type { ContextSource, Resolved } from './contextSources.ts'
import type { FileAccess, Read } from './fileAccess.ts'
import { describeFile } from './fileSources.ts'
import { frontMatter } from './frontMatter.ts'

/** A folder of the workspace. */
export interface InstructedFolder {
  readonly uri: string
}

export interface InstructionPorts {
  readonly folders: () => readonly InstructedFolder[]
  /** The setting, for a folder. */
  readonly isOn: (folder: string) => boolean
  readonly isTrusted: () => boolean
  /** Files directly in a folder whose names end so, sorted; none where there is no such folder. */
  readonly filesIn: (folder: string, ending: string, signal: AbortSignal) => Promise<readonly string[]>
  readonly clock: Clock
}

/** What instructs the model about a file that it works with. */
export interface InstructionText {
  readonly uri: string
  readonly path: string
  readonly text: string
  /** It goes along with the first question, whatever the model works with. */
  readonly isGeneral: boolean
}

/** Of one folder, the first that is there. */
const ofFolder = ['AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md']
const OF_REPOSITORY = '.github/copilot-instructions.md'
const MOST_CHARS = 60_000
const MOST_FILES = 20
/** All that go along with one question, in UTF-8. */
export const MOST_INSTRUCTION_BYTES = 32 * 1024
/** For how long a file that the model works with does not have the instruction files read again. */
const FRESH_MS = 3_000
const MOST_IMPORT_LEVELS = 2

interface Found {
  readonly uri: string
  /** Relative to its folder of the workspace. */
  readonly path: string
  readonly read: Read
}

export class Instructions {
  readonly #access: FileAccess
  readonly #ports: InstructionPorts
  readonly #fresh = new Map<string, { readonly until: number; readonly found: Promise<readonly Found[]> }>()

  constructor(access: FileAccess, ports: InstructionPorts) {
    this.#access = access
    this.#ports = ports
  }

  /** Those that apply to a question with these files attached, the most general first; each content once. */
  async for(attached: readonly string[], signal: AbortSignal): Promise<readonly ReferenceOf<'instructions'>[]> {
    const found: ReferenceOf<'instructions'>[] = []
    const texts = new Set<string>()
    let bytes = 0
    for (const folder of this.#instructedFolders()) {
      const inFolder = attached.filter(uri => uri.startsWith(`${folder}/`)).map(uri => uri.slice(folder.length + 1))
      for (const { uri, path, read } of await this.#files(folder, inFolder, signal)) {
        const text = read.read.text.trim()
        const size = bytesOf(text)
        if (texts.has(text) || !applies(path, read.read.text, inFolder) || bytes + size > MOST_INSTRUCTION_BYTES)
          continue
        texts.add(text)
        bytes += size
        found.push({ source: 'instructions', uri })
      }
    }
    return found.slice(0, MOST_FILES)
  }

  /** Those for a file that the model reads or changes, from the root to the file. */
  async touched(uri: string, signal: AbortSignal): Promise<readonly InstructionText[]> {
    const folder = this.#instructedFolders().findLast(one => uri.startsWith(`${one}/`))
    if (folder === undefined) return []
    const path = uri.slice(folder.length + 1)
    const files = await this.#freshFiles(folder, path, signal)
    const applying = files.filter(one => applies(one.path, one.read.read.text, [path]))
    return Promise.all(
      applying.map(async one => {
        const isGeneral = isGeneralPath(one.path) && applies(one.path, one.read.read.text, [])
        return { uri: one.uri, path: one.read.file.path, text: await this.#textOf(one.read, signal), isGeneral }
      }),
    )
  }

  source(): ContextSource<'instructions'> {
    return {
      async *suggest() {},
      describe: ({ uri }) => ({ ...describeFile(this.#access.files.pathOf(uri)), icon: 'instructions' }),
      resolve: ({ uri }, _, signal) => this.#resolve(uri, signal),
    }
  }

  #instructedFolders(): readonly string[] {
    if (!this.#ports.isTrusted()) return []
    return this.#ports
      .folders()
      .map(({ uri }) => uri)
      .filter(uri => this.#ports.isOn(uri))
  }

  async #freshFiles(folder: string, path: string, signal: AbortSignal): Promise<readonly Found[]> {
    const now = this.#ports.clock.elapsed()
    const key = [folder, ...path.split('/').slice(0, -1)].join('/')
    for (const [one, { until }] of this.#fresh) if (until <= now) this.#fresh.delete(one)
    const known = this.#fresh.get(key)
    if (known) return known.found
    const found = this.#files(folder, [path], signal)
    this.#fresh.set(key, { until: now + FRESH_MS, found })
    found.catch(() => this.#fresh.delete(key))
    return found
  }

  /** Of the root, with globs, and of each folder that one of the paths is in. */
  async #files(folder: string, paths: readonly string[], signal: AbortSignal): Promise<readonly Found[]> {
    const scoped = await this.#ports.filesIn(`${folder}/.github/instructions`, '.instructions.md', signal)
    const nested = [...new Set(paths.flatMap(foldersAbove))].sort()
    const found = await Promise.all([
      this.#firstOf(folder, ofFolder, signal),
      ...[OF_REPOSITORY, ...scoped.map(name => `.github/instructions/${name}`)].map(path =>
        this.#found(folder, path, signal),
      ),
      ...nested.map(path =>
        this.#firstOf(
          folder,
          ofFolder.map(name => `${path}/${name}`),
          signal,
        ),
      ),
    ])
    return found.filter(one => one !== undefined)
  }

  async #firstOf(folder: string, paths: readonly string[], signal: AbortSignal): Promise<Found | undefined> {
    for (const path of paths) {
      const found = await this.#found(folder, path, signal)
      if (found) return found
    }
    return undefined
  }

  /** Never from outside the workspace, nor anything that looks secret; the user is not asked. */
  async #found(folder: string, path: string, signal: AbortSignal): Promise<Found | undefined> {
    const uri = `${folder}/${path}`
    const taken = await this.#access.take(uri, 'mention', signal)
    if (taken.is === 'omitted' || taken.read.text.trim() === '' || taken.read.text.length > MOST_CHARS) return undefined
    return { uri, path, read: taken }
  }

  async #resolve(uri: string, signal: AbortSignal): Promise<Resolved> {
    const name = this.#access.files.pathOf(uri)
    if (!this.#ports.isTrusted()) return { is: 'unavailable', why: 'untrusted', name }
    const taken = await this.#access.take(uri, 'mention', signal)
    if (taken.is === 'omitted')
      return { is: 'unavailable', why: taken.why === 'too-large' ? 'too-large' : 'missing', name }
    if (taken.read.text.length > MOST_CHARS) return { is: 'unavailable', why: 'too-large', name }
    const part = this.#access.filePart(taken, 'instructions')
    const text = await this.#textOf(taken, signal)
    return { is: 'ready', parts: [{ ...part, text, sizeChars: text.length }], omitted: [] }
  }

  /** With what it imports, without front matter and without what nobody sees. */
  async #textOf({ file, read }: Read, signal: AbortSignal): Promise<string> {
    const own = isScoped(file.uri) ? frontMatter(read.text).body : read.text
    const imported = file.uri.endsWith('/CLAUDE.md') ? await this.#imports(file.uri, own, [file.uri], signal) : []
    const { text, removed } = withoutInvisible([own, ...imported].join('\n\n'))
    return removed === 0 ? text : `${text.trimEnd()}\n\n(${removed} invisible characters were left out.)\n`
  }

  /** What a file names as `@path`, each once, with what that names in turn. */
  async #imports(uri: string, text: string, chain: readonly string[], signal: AbortSignal): Promise<string[]> {
    if (chain.length > MOST_IMPORT_LEVELS) return []
    const folder = this.#instructedFolders().findLast(one => uri.startsWith(`${one}/`))
    const texts: string[] = []
    for (const path of importedPaths(text)) {
      const imported = folder === undefined ? undefined : uriBelow(folder, uri, path)
      if (imported === undefined || chain.includes(imported)) continue
      const taken = await this.#access.take(imported, 'mention', signal)
      if (taken.is === 'omitted' || taken.read.text.length > MOST_CHARS) continue
      const inner = await this.#imports(imported, taken.read.text, [...chain, imported], signal)
      texts.push(`Imported ${taken.file.path}:\n\n${taken.read.text}`, ...inner)
    }
    return texts
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

const isScoped = (path: string) => path.endsWith('.instructions.md')

/** Of the root, or with globs. */
const isGeneralPath = (path: string) => isScoped(path) || path === OF_REPOSITORY || ofFolder.includes(path)

/** The folders that a file is in, without the root. */
function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Outside of code, where such a word may be anything. */
function importedPaths(text: string): string[] {
  const prose = text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')
  const found = [...prose.matchAll(/(?:^|\s)@([^\s@]+)/g)].map(([, path = '']) => path.replace(/[.,;:)]+$/, ''))
  return [...new Set(found)].filter(path => path !== '' && !/^[~/\\]/.test(path))
}

/** Relative to the file that names it; undefined above the folder. */
function uriBelow(folder: string, uri: string, path: string): string | undefined {
  const names = uri
    .slice(folder.length + 1)
    .split('/')
    .slice(0, -1)
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(encodeURIComponent(name))
    else if (names.pop() === undefined) return undefined
  }
  return [folder, ...names].join('/')
}

/** A scoped file names the files that it is for; without that it is for none unless the user attaches it. */
function applies(path: string, text: string, attached: readonly string[]): boolean {
  if (!isScoped(path)) return true
  const globs = (frontMatter(text).values.get('applyTo') ?? []).flatMap(globsIn)
  return globs.some(glob => glob === '**' || glob === '**/*' || attached.some(one => matchesGlob(glob, one)))
}

/** Separated by commas, except for those in braces. */
function globsIn(list: string): string[] {
  return (list.match(/(?:\{[^}]*\}|[^,{])+/g) ?? []).map(glob => glob.trim()).filter(glob => glob !== '')
}
