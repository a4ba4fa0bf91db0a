// `TargetFile`: finds the file that a code block belongs to, and asks the user where that is not clear.
import { FileType, l10n, Uri, workspace } from 'vscode'
import { codeLabel, pathsBefore } from '../../core/edit/codeLabel.ts'
import type { FileSearch } from '../../core/workspace/fileIndex.ts'
import type { PathResolver } from '../../core/workspace/pathResolver.ts'
import type { PartOf, PromptPart } from '../../protocol/conversation.ts'
import type { LastEditor } from './lastEditor.ts'
import { pickFile } from './pickFile.ts'

export interface CodePlace {
  readonly label: string
  readonly language: string
  readonly text: string
  /** The text of the answer before the block. */
  readonly before: string
  /** The question of the answer, and those before it, the newest first. */
  readonly questions: readonly (readonly PromptPart[])[]
}

/** `isNew`: the label names a file that is not there yet. `isLabelled`: the first line of the code is the label. */
export interface Target {
  readonly uri: string
  readonly isNew: boolean
  readonly isLabelled: boolean
}

export interface TargetFileOptions {
  readonly resolver: PathResolver
  readonly lastEditor: Pick<LastEditor, 'current'>
  readonly search: () => Promise<FileSearch>
  /** Whether the file has one place for the code that needs no question. */
  readonly hasPlace: (place: CodePlace, target: Target) => Promise<boolean>
}

interface Candidates {
  readonly files: readonly string[]
  /** The block belongs to the only file of these, whether or not it has a place for the code. */
  readonly isCertain: boolean
}

/** Files of earlier questions that the code may belong to, and files that a label may name. */
const MOST_FILES = 20

/** Attachments that show a file; not those that came along by themselves, such as instructions. */
const ofFiles: readonly PartOf<'attachment'>['source'][] = ['file', 'selection', 'symbol', 'problems', 'git-change']

export class TargetFile {
  readonly #options: TargetFileOptions

  constructor(options: TargetFileOptions) {
    this.#options = options
  }

  /** The file that the block's own label names, whether it exists or not. */
  async labelled({ label, text }: Pick<CodePlace, 'label' | 'text'>): Promise<Target | undefined> {
    const named = codeLabel(label, text)
    if (!named) return undefined
    const { path, isInText } = named
    const [uri, ...others] = await this.#existing(path)
    if (uri !== undefined && others.length === 0) return { uri, isNew: false, isLabelled: isInText }
    const [first] = this.#options.resolver.candidates(path)
    if (uri !== undefined || first === undefined) return undefined
    return { uri: Uri.parse(first, true).toString(), isNew: true, isLabelled: isInText }
  }

  /**
   * By the label, the line before, or the file of the question. Else the one file that has a place for the code among
   * those that are likely: those that the text before names, those of the question, or, without these, of earlier
   * questions and the one in the editor in front. Else the user's choice.
   */
  async find(place: CodePlace): Promise<Target | undefined> {
    const labelled = await this.labelled(place)
    if (labelled) return labelled
    const { files: likely, isCertain } = await this.#candidates(place)
    const [only] = likely
    if (isCertain && only !== undefined) return existing(only)
    const target = await this.#withPlace(place, likely)
    if (target) return target
    const inFront = this.#inFront
    const first = [...new Set([...likely, ...(inFront === undefined ? [] : [inFront])])]
    const chosen = await pickFile(await this.#options.search(), {
      title: l10n.t('Apply to which file?'),
      placeholder: l10n.t('The answer does not name its file. Type to search all files.'),
      first,
    })
    return chosen === undefined ? undefined : existing(chosen)
  }

  get #inFront(): string | undefined {
    return this.#options.lastEditor.current?.document.uri.toString()
  }

  /**
   * Those that exist of the path that the label or the line before names, several where only the end of it is given; else
   * the files of the question, unless the text before names another one. One alone is certain.
   */
  async #candidates({ label, text, before, questions }: CodePlace): Promise<Candidates> {
    const { leading, all } = pathsBefore(before)
    for (const path of [codeLabel(label, text)?.path, leading]) {
      const files = path === undefined ? [] : await this.#existing(path)
      if (files.length > 0) return { files, isCertain: files.length === 1 }
    }
    const attached = await filesOf(questions.slice(0, 1))
    const mentioned = (await Promise.all(all.map(path => this.#existing(path)))).flat()
    if (attached.length > 0) {
      const isAlone = mentioned.every(uri => attached.includes(uri))
      if (isAlone) return { files: attached, isCertain: attached.length === 1 }
      return { files: [...new Set([...mentioned, ...attached])], isCertain: false }
    }
    const inFront = this.#inFront
    const earlier = await filesOf(questions.slice(1))
    const files = new Set([...mentioned, ...earlier, ...(inFront === undefined ? [] : [inFront])])
    return { files: [...files], isCertain: false }
  }

  async #withPlace(place: CodePlace, uris: readonly string[]): Promise<Target | undefined> {
    const targets = uris.slice(0, MOST_FILES).map(existing)
    const fits = await Promise.all(targets.map(target => this.#options.hasPlace(place, target)))
    const [only, ...others] = targets.filter((_, at) => fits[at])
    return others.length === 0 ? only : undefined
  }

  /** The files of the workspace with this path, or with a path that ends with it. */
  async #existing(path: string): Promise<string[]> {
    const found: string[] = []
    for (const candidate of this.#options.resolver.candidates(path)) {
      const uri = Uri.parse(candidate, true)
      if ((await this.#isInside(uri)) && (await isFile(uri))) found.push(uri.toString())
    }
    if (found.length > 0) return [...new Set(found)]
    const tail = path.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/)+/, '')
    if (!/^[\w@.+/-]+$/.test(tail)) return []
    const files = await this.#search(tail)
    const inside = await Promise.all(files.map(file => this.#isInside(Uri.parse(file, true))))
    return files.filter((_, at) => inside[at])
  }

  /** The files that are in no ignored folder, such as one of packages. */
  async #search(tail: string): Promise<readonly string[]> {
    const search = await this.#options.search()
    const signal = new AbortController().signal
    let found: readonly string[] = []
    for await (const matches of search.search(tail, { of: 'file', limit: MOST_FILES }, signal))
      found = matches.filter(({ path }) => `/${path}`.endsWith(`/${tail}`)).map(({ uri }) => uri)
    return found
  }

  async #isInside(uri: Uri): Promise<boolean> {
    const real = await this.#options.resolver.resolve(uri.toString())
    return real.is === 'file' && real.isInWorkspace
  }
}

const existing = (uri: string): Target => ({ uri, isNew: false, isLabelled: false })

/** The files that are attached to the questions and exist, those of the first question first. */
async function filesOf(questions: readonly (readonly PromptPart[])[]): Promise<readonly string[]> {
  const attached = questions
    .flat()
    .flatMap(part => (part.kind === 'attachment' && part.uri && ofFiles.includes(part.source) ? [part.uri] : []))
  const files: string[] = []
  for (const uri of new Set(attached)) if (await isFile(Uri.parse(uri, true))) files.push(uri)
  return files
}

async function isFile(uri: Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return workspace.textDocuments.some(one => one.uri.toString() === uri.toString())
  try {
    const { type } = await workspace.fs.stat(uri)
    return (type & FileType.File) !== 0
  } catch {
    return false
  }
}
