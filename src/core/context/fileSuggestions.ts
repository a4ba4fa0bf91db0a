// `suggestFiles`, `suggestFolders`: the paths that a search finds, as suggestions.
import type { FileSearch, PathMatch } from '../workspace/fileIndex.ts'
import type { ContextQuery, Suggestion } from './contextSources.ts'

export async function* suggestFiles(search: FileSearch, query: ContextQuery, signal: AbortSignal) {
  for await (const matches of search.search(query.text, { of: 'file', limit: query.limit }, signal))
    yield matches.map(match => suggestionOf(match, 'file'))
}

export async function* suggestFolders(search: FileSearch, query: ContextQuery, signal: AbortSignal) {
  for await (const matches of search.search(query.text, { of: 'folder', limit: query.limit }, signal))
    yield matches.map(match => suggestionOf(match, 'folder'))
}

function suggestionOf({ uri, path, positions }: PathMatch, source: 'file' | 'folder'): Suggestion {
  const nameStart = path.lastIndexOf('/') + 1
  return {
    reference: { source, uri },
    label: path.slice(nameStart),
    detail: path.slice(0, Math.max(nameStart - 1, 0)),
    icon: source,
    labelMatches: positions.filter(at => at >= nameStart).map(at => at - nameStart),
    detailMatches: positions.filter(at => at < nameStart - 1),
  }
}
