// `ToolPaths`: from a path as the model writes it to a file of the user's, and whether it may be read.
import { never } from '../../base/fault.ts'
import { percentDecoded, sanitizeLine } from '../../base/text.ts'
import type { CallConcern } from '../../protocol/conversation.ts'
import { fileLanguage } from '../context/fileLanguage.ts'
import type { AccessPolicy, FileFacts, Refusal } from '../workspace/accessPolicy.ts'
import type { PathResolver, ResolvedFile, ResolveProblem, WorkspaceRoot } from '../workspace/pathResolver.ts'
import { similarPaths } from '../workspace/similarPaths.ts'
import type { FoundFile, TextFiles } from '../workspace/textFiles.ts'
import { readWrittenPath } from '../workspace/writtenPath.ts'

export interface ToolPathPorts {
  readonly resolver: PathResolver
  roots(): readonly WorkspaceRoot[]
  readonly files: Pick<TextFiles, 'find'>
  readonly access: Pick<AccessPolicy, 'isTrusted' | 'toolVerdictOf'>
  /** The files of the workspace, in the form in which the model names them. */
  paths(signal: AbortSignal): Promise<readonly string[]>
}

/** `path`: in the short form, with which the model is answered. `found`: undefined where there is no file. */
export interface ToolFile {
  readonly uri: string
  readonly path: string
  readonly resolved: ResolvedFile
  readonly found: FoundFile | undefined
}

/** `output`: what happened, what is true now, and what to do. */
export type Located = ({ readonly is: 'located' } & ToolFile) | Refused

export type ToolPlaces = { readonly is: 'places'; readonly uris: readonly string[] } | Refused

interface Refused {
  readonly is: 'refused'
  readonly output: string
}

export interface ReadVerdict {
  /** Why it is never read. */
  readonly refusal?: string
  /** What the user is asked about before it is read. */
  readonly concerns: readonly CallConcern[]
}

/** How many paths a refusal offers in place of the one that is not there. */
const MOST_SIMILAR = 3

export class ToolPaths {
  readonly #ports: ToolPathPorts

  constructor(ports: ToolPathPorts) {
    this.#ports = ports
  }

  /**
   * The file that the path means, which need not exist. Relative to the workspace, with several folders after the name of
   * one; an absolute path is accepted.
   */
  async locate(written: string, signal: AbortSignal): Promise<Located> {
    const { access, resolver } = this.#ports
    if (!access.isTrusted) return refused(untrusted)
    const uris = resolver.candidates(written)
    const shown = quoted(written)
    if (uris.length === 0) {
      const read = readWrittenPath(written)
      return refused(problemText(shown, read.is === 'refused' ? read.problem : 'no folder'))
    }
    const located: ToolFile[] = []
    let problem: ResolveProblem | undefined
    for (const uri of new Set(uris)) {
      const one = await this.#fileAt(uri, signal)
      if (typeof one === 'string') problem ??= one
      else located.push(one)
    }
    return this.#chosen(shown, located, problem)
  }

  /** The URIs of the files and folders that the path may mean; those of the workspace's folders without a path. */
  places(written: string | undefined): ToolPlaces {
    const { access, resolver } = this.#ports
    const roots = this.#ports.roots()
    if (!access.isTrusted) return refused(untrusted)
    if (roots.length === 0) return refused(problemText(quoted(written ?? '.'), 'no folder'))
    const path = written?.replaceAll('\\', '/').replace(/\/+$/, '')
    if (path === undefined || path === '' || path === '.') return { is: 'places', uris: roots.map(({ uri }) => uri) }
    const named = roots.length > 1 ? roots.filter(({ name }) => name === path.replace(/^\.\//, '')) : []
    const uris = [...named.map(({ uri }) => uri), ...resolver.candidates(path)]
    if (uris.length > 0) return { is: 'places', uris }
    const read = readWrittenPath(path)
    return refused(problemText(quoted(path), read.is === 'refused' ? read.problem : 'unreadable'))
  }

  /** Whether the file may be read for the model. `text`: once it is known. */
  async judge(file: ToolFile, text: string | undefined, signal: AbortSignal): Promise<ReadVerdict> {
    const { refusal, concerns } = await this.#ports.access.toolVerdictOf(factsOf(file, text), signal)
    if (refusal) return { refusal: refusalText(file, refusal), concerns: [] }
    // Its other name may be that of a secret file, or be outside.
    const isHardLinked = file.resolved.isHardLinked ? [{ is: 'hard-link' } as const] : []
    return { concerns: [...concerns.map(one => concernOf(file, one)), ...isHardLinked] }
  }

  /** The path still leads to the file that was judged. */
  async isSame({ uri, resolved }: ToolFile): Promise<boolean> {
    const now = await this.#ports.resolver.resolve(uri)
    return now.is === 'file' && now.path === resolved.path && now.identity === resolved.identity
  }

  /** For a file that is not there: so it is, what there is, and what to do. */
  async missingText(path: string, signal: AbortSignal): Promise<string> {
    const similar = similarPaths(path, await this.#ports.paths(signal), MOST_SIMILAR)
    const shown = quoted(path)
    if (similar.length === 0) {
      return `There is no file ${shown}. No path of the workspace is like it. Look for the file with list_files or search_text.`
    }
    const list = similar.map(quoted).join(', ')
    return `There is no file ${shown}. The most similar paths are ${list}. Use one of them, or look for the file with list_files.`
  }

  /** The short form of the URI of a file in the workspace; undefined outside. */
  shortPath(uri: string): string | undefined {
    const roots = this.#ports.roots()
    const root = roots
      .filter(one => uri.startsWith(`${withoutSlash(one.uri)}/`))
      .reduce<WorkspaceRoot | undefined>(
        (best, one) => (one.uri.length > (best?.uri.length ?? 0) ? one : best),
        undefined,
      )
    if (!root) return undefined
    const path = percentDecoded(uri.slice(withoutSlash(root.uri).length + 1))
    return roots.length > 1 ? `${root.name}/${path}` : path
  }

  async #fileAt(given: string, signal: AbortSignal): Promise<ToolFile | ResolveProblem> {
    const { resolver, files } = this.#ports
    let resolved = await resolver.resolve(given)
    if (resolved.is === 'refused') return resolved.problem
    // Written with the real path of a folder that was opened through a link.
    const { root, path } = resolved
    const own =
      root && this.shortPath(given) === undefined ? resolver.candidates(nameIn(root, path, this.#ports.roots())) : []
    const [uri = given] = own
    if (uri !== given) resolved = await resolver.resolve(uri)
    if (resolved.is === 'refused') return resolved.problem
    const found = await files.find(uri, signal)
    if (found && found.kind !== 'file') return 'no file'
    const name = found?.uri ?? uri
    return { uri: name, path: this.shortPath(name) ?? found?.fullPath ?? resolved.path, resolved, found }
  }

  #chosen(shown: string, files: readonly ToolFile[], problem: ResolveProblem | undefined): Located {
    const there = files.filter(({ found }) => found !== undefined)
    const [first, second] = there.length > 0 ? there : files
    if (first && !second) return { is: 'located', ...first }
    if (!first) return refused(problemText(shown, problem ?? 'unreadable'))
    // The name of a folder in front is meant as such.
    const exact = (there.length > 0 ? there : files).find(({ path }) => shown === quoted(path))
    if (exact) return { is: 'located', ...exact }
    const choices = (there.length > 0 ? there : files).map(({ path }) => quoted(path)).join(' and ')
    const none = there.length > 0 ? '' : ' None of them is there yet.'
    return refused(
      `${shown} may mean several files. The workspace has several folders, so it may be ${choices}.${none} ` +
        'Call again with one of these paths.',
    )
  }
}

/** A path as data: on one line, in quotes. */
export const quoted = (path: string) => JSON.stringify(sanitizeLine(path))

const refused = (output: string): Refused => ({ is: 'refused', output })

const withoutSlash = (uri: string) => uri.replace(/\/$/, '')

const nameIn = (root: WorkspaceRoot, path: string, roots: readonly WorkspaceRoot[]) =>
  roots.length > 1 ? `${root.name}/${path}` : path

function factsOf({ uri, path, resolved, found }: ToolFile, text: string | undefined): FileFacts {
  const { isInWorkspace, linkTarget, linkUri } = resolved
  return {
    uri,
    language: fileLanguage(path),
    path: isInWorkspace && linkTarget === undefined ? resolved.path : path,
    fullPath: found?.fullPath ?? path,
    ...(linkTarget !== undefined && { targetPath: linkTarget }),
    ...(linkUri !== undefined && { targetUri: linkUri }),
    isInWorkspace: isInWorkspace && found?.isInWorkspace !== false,
    isOpen: found?.isOpen ?? false,
    size: found?.size ?? 0,
    ...(text !== undefined && { text }),
  }
}

function concernOf({ path, resolved }: ToolFile, { reason }: Refusal): CallConcern {
  const target = resolved.linkTarget ?? (resolved.isInWorkspace ? path : resolved.path)
  switch (reason) {
    case 'outside':
      return { is: 'outside', target }
    case 'secret':
    case 'excluded':
      return { is: 'secret', target }
    default:
      return { is: 'ignored' }
  }
}

const untrusted =
  'No file is read or changed, because the user has not said that this workspace is to be trusted. ' +
  'Asking again will not help. Answer without files, or ask the user to trust the workspace.'

function refusalText({ path, found }: ToolFile, refusal: Refusal): string {
  const shown = quoted(path)
  switch (refusal.reason) {
    case 'untrusted':
      return untrusted
    case 'too large':
      return (
        `${shown} is too large to be read. It has ${count(refusal.size)} bytes; the limit is ${count(refusal.limit)}. ` +
        'Look for what you need with search_text, or with a command that prints a part of it.'
      )
    case 'binary':
      return binaryText(path, found?.size)
    default:
      return (
        `${shown} is not read. A rule of the user excludes it (${refusal.reason}), and asking again will not help. ` +
        'Go on without it.'
      )
  }
}

export function binaryText(path: string, size: number | undefined): string {
  const ending = /\.(\w{1,10})$/.exec(path)?.[1]
  const kind = ending === undefined ? 'a binary file' : `a binary file (${ending})`
  const bytes = size === undefined ? '' : ` of ${count(size)} bytes`
  return (
    `${quoted(path)} is no text. It is ${kind}${bytes}, which cannot be read or edited here. ` +
    'Use a command that understands this kind of file.'
  )
}

export const count = (value: number) => value.toLocaleString('en-US')

function problemText(shown: string, problem: ResolveProblem): string {
  switch (problem) {
    case 'empty':
      return 'The path is empty. A path is relative to the workspace, such as src/main.ts. Call again with one.'
    case 'control character':
      return `${shown} is no path. It has a control character, which no path of the workspace has. Write it without that character.`
    case 'address':
      return `${shown} is an address. Only files can be named here, by their path in the workspace. Write the path alone.`
    case 'network or device':
      return `${shown} is not read or changed. It names a device or another machine, which is never allowed. Use a file of the workspace.`
    case 'home folder':
      return `${shown} is no path here. ~ is not replaced by a folder. Write a path relative to the workspace, or the whole path.`
    case 'encoded':
      return `${shown} is no path. It has encoded characters such as %2f. Write the characters themselves.`
    case 'odd name':
      return `${shown} is not read or changed. A name in it has another meaning on some systems. Use a plain name without colons, and without a dot or space at its end.`
    case 'outside':
      return `${shown} is above the workspace. A relative path cannot leave its folder. Write a path inside, or the whole path, about which the user is asked.`
    case 'no folder':
      return `${shown} cannot be found. No folder is open, so there is no workspace. Ask the user to open a folder.`
    case 'no file':
      return `${shown} is no file. It is a folder, or something else that has no text. list_files shows what a folder holds; name one of its files.`
    case 'unreadable':
      return `${shown} cannot be reached. The system refuses its path, or a link in it leads nowhere. Use another path.`
    default:
      return never(problem)
  }
}
