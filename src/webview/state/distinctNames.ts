// `distinctNames`: files by their names, with as much of their folder as distinguishes those of the same name.
import { percentDecoded, sanitizeLine } from '../../base/text.ts'

export interface DistinctName {
  readonly name: string
  /** The whole path. */
  readonly path: string
  /** The last folders of the path; undefined where no other file has the name. */
  readonly folder: string | undefined
}

export function distinctNames(uris: readonly string[]): ReadonlyMap<string, DistinctName> {
  const files = uris.map(uri => {
    const path = pathOf(uri)
    const folders = path.split('/').slice(0, -1)
    return { uri, path, name: path.slice(path.lastIndexOf('/') + 1), folders }
  })
  const sameNamed = Map.groupBy(files, ({ name }) => name)
  const named = files.map(({ uri, path, name, folders }) => {
    const others = (sameNamed.get(name) ?? []).filter(one => one.uri !== uri)
    const folder = others.length > 0 ? ownEnd(folders, others) : undefined
    return [uri, { name, path, folder }] as const
  })
  return new Map(named)
}

/** As few of the last folders as none of the others has. */
function ownEnd(folders: readonly string[], others: readonly { readonly folders: readonly string[] }[]): string {
  const endOf = (all: readonly string[], count: number) => all.slice(-count).join('/')
  for (let count = 1; count < folders.length; count++) {
    const end = endOf(folders, count)
    if (others.every(other => endOf(other.folders, count) !== end)) return end
  }
  return folders.join('/')
}

function pathOf(uri: string): string {
  const path = uri.replace(/^[\w+.-]+:(?:\/\/[^/]*)?/, '').replace(/[?#].*$/, '')
  return sanitizeLine(percentDecoded(path))
}
