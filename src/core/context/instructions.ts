// `Instructions`: which files of the workspace instruct the model, given what is attached or touched; and their text.
import type { Clock } from '../../base/clock.ts'
import { percentDecoded } from '../../base/text.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'
import { matchesGlob } from '../workspace/exclude.ts'
import { withoutInvisible } from '../workspace/invisibleText.ts'
import type { ContextSource, Description, OmissionReason, Resolved } from './contextSources.ts'
import type { FileAccess, Read } from './fileAccess.ts'
import { describeFile } from './fileSources.ts'
import { frontMatter } from './frontMatter.ts'
import { proseOf, uriBelow } from './namedPaths.ts'
import { Omissions } from './omissions.ts'

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

/** A file that is there and instructs nobody. */
export interface LeftOutInstructions {
  readonly uri: string
  readonly path: string
  readonly why: OmissionReason
}

/** The instruction files of a question. */
export interface QuestionInstructions {
  /** The most general first; each content once. */
  readonly sent: readonly ReferenceOf<'instructions'>[]
  readonly leftOut: readonly LeftOutInstructions[]
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

interface Files {
  readonly found: readonly Found[]
  readonly leftOut: readonly LeftOutInstructions[]
}

export class Instructions {
  readonly #access: FileAccess
  readonly #ports: InstructionPorts
  readonly #fresh = new Map<string, { readonly until: number; readonly found: Promise<Files> }>()

  constructor(access: FileAccess, ports: InstructionPorts) {
    this.#access = access
    this.#ports = ports
  }

  /** Those that apply to a question with these files attached. */
  async for(attached: readonly string[], signal: AbortSignal): Promise<QuestionInstructions> {
    const sent: ReferenceOf<'instructions'>[] = []
    const leftOut: LeftOutInstructions[] = []
    const texts = new Set<string>()
    let bytes = 0
    for (const folder of this.#instructedFolders()) {
      const inFolder = attached.filter(uri => uri.startsWith(`${folder}/`)).map(uri => uri.slice(folder.length + 1))
      const files = await this.#files(folder, inFolder, signal)
      leftOut.push(...files.leftOut)
      for (const { uri, path, read } of files.found) {
        const text = read.read.text.trim()
        const size = bytesOf(text)
        if (texts.has(text) || !applies(path, read.read.text, inFolder)) continue
        texts.add(text)
        const isTooMuch = bytes + size > MOST_INSTRUCTION_BYTES || sent.length === MOST_FILES
        if (isTooMuch) leftOut.push({ uri, path: read.file.path, why: 'budget' })
        else {
          bytes += size
          sent.push({ source: 'instructions', uri })
        }
      }
    }
    return { sent, leftOut }
  }

  /** Those for a file that the model reads or changes, from the root to the file. */
  async touched(uri: string, signal: AbortSignal): Promise<readonly InstructionText[]> {
    const folder = this.#instructedFolders().findLast(one => uri.startsWith(`${one}/`))
    if (folder === undefined) return []
    const path = uri.slice(folder.length + 1)
    const { found } = await this.#freshFiles(folder, path, signal)
    const applying = found.filter(one => applies(one.path, one.read.read.text, [path]))
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
      describe: ({ uri }) => describeInstructions(this.#access.files.pathOf(uri)),
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

  async #freshFiles(folder: string, path: string, signal: AbortSignal): Promise<Files> {
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
  async #files(folder: string, paths: readonly string[], signal: AbortSignal): Promise<Files> {
    const scoped = await this.#ports.filesIn(`${folder}/.github/instructions`, '.instructions.md', signal)
    const nested = [...new Set(paths.flatMap(foldersAbove))].sort()
    const leftOut: LeftOutInstructions[] = []
    const firstOf = async (paths: readonly string[]) => {
      for (const path of paths) {
        const found = await this.#found(folder, path, leftOut, signal)
        if (found) return found
      }
      return undefined
    }
    const found = await Promise.all([
      firstOf(ofFolder),
      ...[OF_REPOSITORY, ...scoped.map(name => `.github/instructions/${name}`)].map(path => firstOf([path])),
      ...nested.map(path => firstOf(ofFolder.map(name => `${path}/${name}`))),
    ])
    return { found: found.filter(one => one !== undefined), leftOut }
  }

  /** Never from outside the workspace, nor anything that looks secret; the user is not asked. */
  async #found(
    folder: string,
    path: string,
    leftOut: LeftOutInstructions[],
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const uri = `${folder}/${path}`
    const taken = await this.#access.take(uri, 'mention', signal)
    const isTooLarge = taken.is === 'read' && taken.read.text.length > MOST_CHARS
    const why = taken.is === 'omitted' ? taken.why : 'too-large'
    // What is not there cannot be read either.
    if ((taken.is === 'omitted' || isTooLarge) && why !== 'unreadable')
      leftOut.push({ uri, path: this.#access.files.pathOf(uri), why })
    if (taken.is === 'omitted' || isTooLarge || taken.read.text.trim() === '') return undefined
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
    const omitted = new Omissions()
    const { text, removed } = await this.#readable(taken, omitted, signal)
    const unseen = removed > 0 && { unseen: [{ name: part.name, count: removed }] }
    return { is: 'ready', parts: [{ ...part, text, sizeChars: text.length }], omitted: omitted.all, ...unseen }
  }

  async #textOf(read: Read, signal: AbortSignal): Promise<string> {
    return (await this.#readable(read, new Omissions(), signal)).text
  }

  /** With what it imports, without front matter and without what nobody sees. `omitted`: what is not imported. */
  async #readable({ file, read }: Read, omitted: Omissions, signal: AbortSignal) {
    const own = isScoped(file.uri) ? frontMatter(read.text).body : read.text
    const isImporting = file.uri.endsWith('/CLAUDE.md')
    const imported = isImporting ? await this.#imports(file.uri, own, { chain: [file.uri], omitted }, signal) : []
    const { text, removed } = withoutInvisible([own, ...imported].join('\n\n'))
    if (removed === 0) return { text, removed }
    return { text: `${text.trimEnd()}\n\n(${removed} invisible characters were left out.)\n`, removed }
  }

  /** What a file names as `@path`, each once, with what that names in turn. */
  async #imports(uri: string, text: string, { chain, omitted }: Importing, signal: AbortSignal): Promise<string[]> {
    if (chain.length > MOST_IMPORT_LEVELS) return []
    const folder = this.#instructedFolders().findLast(one => uri.startsWith(`${one}/`))
    const texts: string[] = []
    for (const path of importedPaths(text)) {
      const imported = folder === undefined ? undefined : uriBelow(folder, uri, path)
      if (imported === undefined || chain.includes(imported)) continue
      const taken = await this.#import(imported, omitted, signal)
      if (!taken) continue
      const inner = await this.#imports(imported, taken.read.text, { chain: [...chain, imported], omitted }, signal)
      texts.push(`Imported ${taken.file.path}:\n\n${taken.read.text}`, ...inner)
    }
    return texts
  }

  /** A name of nothing that is there may be anything, such as that of a person. */
  async #import(uri: string, omitted: Omissions, signal: AbortSignal): Promise<Read | undefined> {
    const taken = await this.#access.take(uri, 'mention', signal)
    if (taken.is === 'read' && taken.read.text.length <= MOST_CHARS) return taken
    const why = taken.is === 'read' ? 'too-large' : taken.why
    if (why !== 'unreadable') omitted.add(why, this.#access.files.pathOf(uri))
    return undefined
  }
}

/** `chain`: the files that import each other, down to the one that is read. */
interface Importing {
  readonly chain: readonly string[]
  readonly omitted: Omissions
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** Each folder may have one of the same name, so its chip has the folder as well. */
function describeInstructions(path: string): Description {
  const described = describeFile(path)
  return { ...described, label: ofFolder.includes(described.label) ? path : described.label, icon: 'instructions' }
}

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
  const found = [...proseOf(text).matchAll(/(?:^|\s)@([^\s@]+)/g)].map(([, path = '']) => path.replace(/[.,;:)]+$/, ''))
  return [...new Set(found)].filter(path => path !== '' && !/^[~/\\]/.test(path))
}

/** A scoped file names the files that it is for; without that it is for none unless the user attaches it. */
function applies(path: string, text: string, attached: readonly string[]): boolean {
  if (!isScoped(path)) return true
  const globs = (frontMatter(text).values.get('applyTo') ?? []).flatMap(globsIn)
  const paths = attached.map(percentDecoded)
  return globs.some(glob => glob === '**' || glob === '**/*' || paths.some(one => matchesGlob(glob, one)))
}

/** Separated by commas, except for those in braces. */
function globsIn(list: string): string[] {
  return (list.match(/(?:\{[^}]*\}|[^,{])+/g) ?? []).map(glob => glob.trim()).filter(glob => glob !== '')
}
