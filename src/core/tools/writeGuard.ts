// `WriteGuard`: whether the model may change a file, and what the user is asked about before.

import { matchesGlob } from '../workspace/exclude.ts'
import type { PathResolver, Place, ResolvedFile, ResolveProblem } from '../workspace/pathResolver.ts'
import { addedRemoteSchemas, isInHomeDotFolder, isProtected } from '../workspace/protectedPaths.ts'
import { isInGuardedPlace } from './guardedPlaces.ts'

/** Why the user is asked. `target`: the real path; `hosts`: where the editor would fetch a schema from. */
export type WriteConcern =
  | { readonly is: 'outside'; readonly target: string }
  | { readonly is: 'protected'; readonly target: string }
  | { readonly is: 'link'; readonly target: string }
  | { readonly is: 'hard-link' }
  | { readonly is: 'remote-schema'; readonly hosts: readonly string[] }

export type WriteVerdict =
  | { readonly is: 'allowed'; readonly file: ResolvedFile; readonly concerns: readonly WriteConcern[] }
  | { readonly is: 'refused'; readonly problem: ResolveProblem }

export interface WriteGuardOptions {
  readonly resolver: PathResolver
  /** The user's home folder with `/`, if there is one. */
  readonly home: string | undefined
  /** The user's own globs of protected files. */
  protectedGlobs?(uri: string): readonly string[]
}

export class WriteGuard {
  readonly #options: WriteGuardOptions

  constructor(options: WriteGuardOptions) {
    this.#options = options
  }

  /** An empty text for a file that is not there. `planned`: the files that are written before this one. */
  async judge(uri: string, before: string, after: string, planned: readonly string[] = []): Promise<WriteVerdict> {
    if (uri.startsWith('untitled:')) return { is: 'allowed', file: untitled(uri), concerns: [] }
    const found = await this.#options.resolver.resolve(uri)
    if (found.is === 'refused') return found
    const isInPlace = isProtected(found.path) || (await this.#isInProtectedPlace(found, planned))
    return { is: 'allowed', file: found, concerns: this.#concernsOf(found, before, after, isInPlace) }
  }

  /** Whether the path still leads to the file that was judged. */
  async isSame(file: ResolvedFile): Promise<boolean> {
    if (file.uri.startsWith('untitled:')) return true
    const now = await this.#options.resolver.resolve(file.uri)
    return now.is === 'file' && now.path === file.path && now.exists === file.exists && now.identity === file.identity
  }

  /** Where the path leads at the moment, whatever its name. */
  async placeOf(uri: string): Promise<Place> {
    return uri.startsWith('untitled:') ? { is: 'named' } : this.#options.resolver.placeOf(uri)
  }

  #concernsOf(file: ResolvedFile, before: string, after: string, isInPlace: boolean): WriteConcern[] {
    const { path, realPath = path, isInWorkspace, linkTarget, isHardLinked } = file
    const globs = this.#options.protectedGlobs?.(file.uri) ?? []
    const isOwn = globs.some(glob => matchesGlob(glob, glob.startsWith('/') ? realPath : path))
    const hosts = addedRemoteSchemas(before, after)
    const concerns: (WriteConcern | false)[] = [
      !isInWorkspace && { is: 'outside', target: path },
      (isInPlace || isOwn) && { is: 'protected', target: path },
      linkTarget !== undefined && { is: 'link', target: linkTarget },
      isHardLinked && { is: 'hard-link' },
      hosts.length > 0 && { is: 'remote-schema', hosts },
    ]
    return concerns.filter(concern => concern !== false)
  }

  /** By where it is on the disk, because a folder of the workspace may itself be, or be in, one that is protected. */
  async #isInProtectedPlace({ path, realPath, root }: ResolvedFile, planned: readonly string[]): Promise<boolean> {
    if (realPath === undefined) return false
    const { resolver, home } = this.#options
    const homes = home === undefined ? [] : [home, await resolver.realPathOf(home)]
    if (homes.some(one => isInHomeDotFolder(realPath, one))) return true
    const others = await Promise.all(planned.map(uri => resolver.resolve(uri)))
    const paths = others.flatMap(one => (one.is === 'file' && one.realPath !== undefined ? [one.realPath] : []))
    const folder = root && realPath.slice(0, -path.length - 1)
    return isInGuardedPlace({ path: realPath, root: folder, planned: paths }, one => resolver.factsOf(one))
  }
}

const untitled = (uri: string): ResolvedFile => ({
  uri,
  path: uri,
  isInWorkspace: false,
  exists: true,
  isHardLinked: false,
  identity: undefined,
})
