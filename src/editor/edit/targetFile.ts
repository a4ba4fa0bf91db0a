// `TargetFile`: finds the file that a code block belongs to, and asks the user where that is not clear.
import { l10n, type QuickPickItem, Uri, window, workspace } from 'vscode'
import { codeLabel, pathsBefore } from '../../core/edit/codeLabel.ts'
import type { PathResolver } from '../../core/workspace/pathResolver.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import { fileLabel } from './fileLabel.ts'
import type { LastEditor } from './lastEditor.ts'

export interface CodePlace {
  readonly label: string
  readonly text: string
  /** The text of the answer before the block. */
  readonly before: string
  readonly prompt: readonly PromptPart[]
}

/** `isNew`: the label names a file that is not there yet. `isLabelled`: the first line of the code is the label. */
export interface Target {
  readonly uri: string
  readonly isNew: boolean
  readonly isLabelled: boolean
}

export interface TargetFileOptions {
  readonly resolver: PathResolver
  readonly lastEditor: LastEditor
}

const MOST_FILES = 500

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

  /** By the label, the text before, the files of the question, or the editor in front; else the user's choice. */
  async find(place: CodePlace): Promise<Target | undefined> {
    const labelled = await this.labelled(place)
    if (labelled) return labelled
    const known = await this.#known(place)
    const [only, ...others] = known
    if (only !== undefined && others.length === 0) return { uri: only, isNew: false, isLabelled: false }
    const inFront = this.#options.lastEditor.current?.document.uri.toString()
    if (known.length === 0 && inFront !== undefined) return { uri: inFront, isNew: false, isLabelled: false }
    const chosen = await this.#ask([...known, ...(inFront === undefined ? [] : [inFront])])
    return chosen === undefined ? undefined : { uri: chosen, isNew: false, isLabelled: false }
  }

  /** The first source that names files that exist. */
  async #known({ label, text, before, prompt }: CodePlace): Promise<readonly string[]> {
    const named = codeLabel(label, text)
    const byLabel = named ? await this.#existing(named.path) : []
    if (byLabel.length > 0) return byLabel
    for (const path of pathsBefore(before)) {
      const [uri] = await this.#existing(path)
      if (uri !== undefined) return [uri]
    }
    const attached = prompt.flatMap(part => (part.kind === 'attachment' && part.uri ? [part.uri] : []))
    const files: string[] = []
    for (const uri of new Set(attached)) if (await isFile(Uri.parse(uri, true))) files.push(uri)
    return files
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
    const files = await workspace.findFiles(`**/${tail}`, undefined, 20)
    const inside = await Promise.all(files.map(file => this.#isInside(file)))
    return files.filter((_, at) => inside[at]).map(file => file.toString())
  }

  async #isInside(uri: Uri): Promise<boolean> {
    const real = await this.#options.resolver.resolve(uri.toString())
    return real.is === 'file' && real.isInWorkspace
  }

  async #ask(first: readonly string[]): Promise<string | undefined> {
    const files = await workspace.findFiles('**/*', undefined, MOST_FILES)
    const uris = [...new Set([...first, ...files.map(file => file.toString())])]
    const items: (QuickPickItem & { readonly uri: string })[] = uris.map(uri => ({ label: fileLabel(uri), uri }))
    const chosen = await window.showQuickPick(items, {
      title: l10n.t('Apply to which file?'),
      placeHolder: l10n.t('The answer does not name its file.'),
    })
    return chosen?.uri
  }
}

async function isFile(uri: Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return workspace.textDocuments.some(one => one.uri.toString() === uri.toString())
  try {
    await workspace.fs.stat(uri)
    return true
  } catch {
    return false
  }
}
