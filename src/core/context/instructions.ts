// `Instructions`: which files of the workspace instruct the model, given what else is attached; and their text.

import type { ReferenceOf } from '../../protocol/contextReference.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { matchesGlob } from '../workspace/exclude.ts'
import type { ContextSource, Resolved } from './contextSources.ts'
import type { FileAccess } from './fileAccess.ts'
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
}

/** In the root, and `AGENTS.md` in each folder down to an attached file. */
const inRoot = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md']
const MOST_CHARS = 60_000
const MOST_FILES = 20

export class Instructions {
  readonly #access: FileAccess
  readonly #ports: InstructionPorts

  constructor(access: FileAccess, ports: InstructionPorts) {
    this.#access = access
    this.#ports = ports
  }

  /** Those that apply to a question with these files attached, the most general first; each content once. */
  async for(attached: readonly string[], signal: AbortSignal): Promise<readonly ReferenceOf<'instructions'>[]> {
    if (!this.#ports.isTrusted()) return []
    const found: ReferenceOf<'instructions'>[] = []
    const texts = new Set<string>()
    for (const { uri: folder } of this.#ports.folders().filter(({ uri }) => this.#ports.isOn(uri))) {
      const inFolder = attached.filter(uri => uri.startsWith(`${folder}/`)).map(uri => uri.slice(folder.length + 1))
      for (const path of await this.#candidates(folder, inFolder, signal)) {
        const uri = `${folder}/${path}`
        const text = await this.#textOf(uri, signal)
        if (text === undefined || texts.has(text.trim()) || !applies(path, text, inFolder)) continue
        texts.add(text.trim())
        found.push({ source: 'instructions', uri })
      }
    }
    return found.slice(0, MOST_FILES)
  }

  source(): ContextSource<'instructions'> {
    return {
      async *suggest() {},
      describe: ({ uri }) => ({ ...describeFile(this.#access.files.pathOf(uri)), icon: 'instructions' }),
      resolve: ({ uri }, _, signal) => this.#resolve(uri, signal),
    }
  }

  async #candidates(folder: string, attached: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const scoped = await this.#ports.filesIn(`${folder}/.github/instructions`, '.instructions.md', signal)
    const nested = [...new Set(attached.flatMap(foldersAbove))].sort().map(path => `${path}/AGENTS.md`)
    return [...inRoot, ...scoped.map(name => `.github/instructions/${name}`), ...nested]
  }

  /** Never from outside the workspace, nor anything that looks secret; the user is not asked. */
  async #textOf(uri: string, signal: AbortSignal): Promise<string | undefined> {
    const taken = await this.#access.take(uri, 'mention', signal)
    return taken.is === 'read' && taken.read.text.trim() !== '' ? taken.read.text : undefined
  }

  async #resolve(uri: string, signal: AbortSignal): Promise<Resolved> {
    const name = this.#access.files.pathOf(uri)
    if (!this.#ports.isTrusted()) return { is: 'unavailable', why: 'untrusted', name }
    const taken = await this.#access.take(uri, 'mention', signal)
    if (taken.is === 'omitted')
      return { is: 'unavailable', why: taken.why === 'too-large' ? 'too-large' : 'missing', name }
    if (taken.read.text.length > MOST_CHARS) return { is: 'unavailable', why: 'too-large', name }
    const part: PartOf<'attachment'> = this.#access.filePart(taken, 'instructions')
    const text = isScoped(uri) ? frontMatter(taken.read.text).body : taken.read.text
    return { is: 'ready', parts: [{ ...part, text, sizeChars: text.length }], omitted: [] }
  }
}

const isScoped = (path: string) => path.endsWith('.instructions.md')

/** The folders that a file is in, without the root. */
function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
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
