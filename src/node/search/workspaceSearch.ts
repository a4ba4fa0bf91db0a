// `WorkspaceSearch`: lists and searches the folders of the workspace, on the disk and elsewhere.
import type {
  FoundText,
  Listed,
  ListQuery,
  NoTree,
  TextQuery,
  TreePlace,
  TreeSearch,
} from '../../core/workspace/treeSearch.ts'

export class WorkspaceSearch implements TreeSearch {
  readonly #disk: TreeSearch
  readonly #virtual: TreeSearch

  constructor(disk: TreeSearch, virtual: TreeSearch) {
    this.#disk = disk
    this.#virtual = virtual
  }

  async list(query: ListQuery, signal: AbortSignal): Promise<Listed | NoTree> {
    const parts = await Promise.all(this.#parts(query).map(([by, part]) => by.list(part, signal)))
    const [first, second] = parts.filter(isThere)
    if (!first || !second) return first ?? parts[0] ?? none
    const entries = [...first.entries, ...second.entries]
    const more = first.more + second.more + Math.max(0, entries.length - query.most)
    return { entries: entries.slice(0, query.most), more, isCut: first.isCut || second.isCut }
  }

  async search(query: TextQuery, signal: AbortSignal): Promise<FoundText | NoTree> {
    const parts = await Promise.all(this.#parts(query).map(([by, part]) => by.search(part, signal)))
    const [first, second] = parts.filter(isThere)
    if (!first || !second) return first ?? parts[0] ?? none
    return {
      files: [...first.files, ...second.files],
      searched: first.searched + second.searched,
      secret: first.secret + second.secret,
      tooLarge: first.tooLarge + second.tooLarge,
      minified: first.minified + second.minified,
      tooSlow: [...first.tooSlow, ...second.tooSlow],
      isCut: first.isCut === 'no' ? second.isCut : first.isCut,
    }
  }

  #parts<Q extends { readonly places: readonly TreePlace[] }>(query: Q): readonly (readonly [TreeSearch, Q])[] {
    const isOnDisk = ({ root }: TreePlace) => root.path !== undefined
    const onDisk = query.places.filter(isOnDisk)
    const others = query.places.filter(place => !isOnDisk(place))
    const parts: (readonly [TreeSearch, Q])[] = []
    if (onDisk.length > 0) parts.push([this.#disk, { ...query, places: onDisk }])
    if (others.length > 0) parts.push([this.#virtual, { ...query, places: others }])
    return parts
  }
}

const none: NoTree = { is: 'missing' }

const isThere = <T extends object>(part: T | NoTree): part is T => !('is' in part)
