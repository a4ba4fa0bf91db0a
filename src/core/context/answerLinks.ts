// `AnswerLinks`: finds the files and symbols of the workspace that an answer names.
import { type FileReference, fileReference, isAbsolute } from '../../base/fileReference.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import type { FileSearch } from '../workspace/fileIndex.ts'
import type { FoundFile, TextFiles } from '../workspace/textFiles.ts'
import { factsOf } from './fileAccess.ts'
import type { Symbols } from './symbolSource.ts'

/** Where a link leads. Line and column from 0. */
export interface LinkTarget {
  readonly uri: string
  /** As it is shown. */
  readonly path: string
  readonly line: number
  readonly column: number
}

export interface LinkFolder {
  readonly name: string
  /** With forward slashes. */
  readonly fullPath: string
  uriOf(path: string): string
  /** Undefined for what is not below the folder. */
  pathOf(uri: string): string | undefined
  /** The path exists, and no link on the way leads out of the folder; asked before anything else touches the file. */
  hasInside(path: string, signal: AbortSignal): Promise<boolean>
}

export interface AnswerLinksPorts {
  readonly files: Pick<TextFiles, 'find' | 'pathOf'>
  readonly access: Pick<AccessPolicy, 'refusalsOf'>
  readonly search: FileSearch
  readonly symbols: Pick<Symbols, 'ofWorkspace'>
  readonly isTrusted: () => boolean
  readonly folders: () => readonly LinkFolder[]
}

/** More would fill the list that the user picks from. */
const maxTargets = 20

export class AnswerLinks {
  readonly #ports: AnswerLinksPorts

  constructor(ports: AnswerLinksPorts) {
    this.#ports = ports
  }

  /** By its path in the workspace, else by the end of its path. None in a workspace that is not trusted. */
  async files(text: string, signal: AbortSignal): Promise<readonly LinkTarget[]> {
    const reference = fileReference(text)
    if (!reference || !this.#ports.isTrusted()) return []
    const uris = await this.#urisOf(reference, signal)
    const found = uris.length > 0 || isAbsolute(reference) ? uris : await this.#search(reference, signal)
    return this.#allowed(found, reference, signal)
  }

  /** Those of exactly this name, in files of the workspace. */
  async symbols(text: string, signal: AbortSignal): Promise<readonly LinkTarget[]> {
    const { symbols, isTrusted } = this.#ports
    if (!isTrusted()) return []
    const name = text.replace(/\(\)$/, '')
    const found = (await symbols.ofWorkspace(name, signal)).filter(one => one.name.replace(/\(.*\)$/, '') === name)
    const uris = [...new Set(found.map(({ uri }) => uri))].slice(0, maxTargets)
    const files = await this.#allowed(await this.#inside(uris, signal), {}, signal)
    return found
      .flatMap(({ uri, range }) => {
        const file = files.find(one => one.uri === uri)
        return file ? [{ ...file, line: range.startLine, column: range.startCharacter }] : []
      })
      .slice(0, maxTargets)
  }

  async #urisOf(reference: FileReference, signal: AbortSignal): Promise<readonly string[]> {
    const folders = this.#ports.folders()
    const places = folders.flatMap(folder =>
      pathsIn(folder, reference, folders.length > 1).map(path => ({ folder, path })),
    )
    const checked = await Promise.all(
      places.map(async ({ folder, path }) => ((await folder.hasInside(path, signal)) ? [folder.uriOf(path)] : [])),
    )
    return [...new Set(checked.flat())]
  }

  /** An answer often names a file without its folders, or without the first of them. */
  async #search({ path }: FileReference, signal: AbortSignal): Promise<readonly string[]> {
    const options = { of: 'file', limit: maxTargets } as const
    let found: readonly string[] = []
    for await (const matches of this.#ports.search.search(path, options, signal)) {
      found = matches.filter(one => `/${one.path}`.endsWith(`/${path}`)).map(({ uri }) => uri)
    }
    return this.#inside(found, signal)
  }

  async #inside(uris: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const folders = this.#ports.folders()
    const checked = await Promise.all(
      uris.map(async uri => {
        const folder = folders.find(one => one.pathOf(uri) !== undefined)
        return folder?.hasInside(folder.pathOf(uri) ?? '', signal)
      }),
    )
    return uris.filter((_, at) => checked[at])
  }

  async #allowed(
    uris: readonly string[],
    { line = 1, column = 1 }: Partial<FileReference>,
    signal: AbortSignal,
  ): Promise<readonly LinkTarget[]> {
    const { files, access } = this.#ports
    const found = await Promise.all(uris.map(uri => files.find(uri, signal)))
    const inside = found.filter((file): file is FoundFile => file?.kind === 'file' && file.isInWorkspace)
    // Opened for the user and not read for the model, so its size does not matter.
    const facts = inside.map(file => ({ ...factsOf(file), size: 0 }))
    const refusals = await access.refusalsOf(facts, 'tool', signal)
    return inside
      .filter((_, at) => refusals[at] === undefined)
      .map(({ uri, path }) => ({ uri, path, line: line - 1, column: column - 1 }))
  }
}

/** The paths in the folder that the reference may mean; a folder's own name may come first where there are several. */
function pathsIn(folder: LinkFolder, reference: FileReference, isOneOfSeveral: boolean): readonly string[] {
  const { path } = reference
  if (isAbsolute(reference)) return relativeTo(folder.fullPath, path)
  const named = isOneOfSeveral && path.startsWith(`${folder.name}/`) ? [path.slice(folder.name.length + 1)] : []
  return [...named, path]
}

/** Letter case matters only after a drive, where it never does. */
function relativeTo(root: string, path: string): readonly string[] {
  const isDrive = /^\/?[A-Za-z]:/.test(root)
  const plain = (text: string) => (isDrive ? text.replace(/^\//, '').toLowerCase() : text)
  const start = `${plain(root)}/`.replace(/\/\/$/, '/')
  return plain(path).startsWith(start) ? [path.slice(path.length - (plain(path).length - start.length))] : []
}
