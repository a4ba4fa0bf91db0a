// `matching`: suggestions whose labels fit what was typed.
import { FuzzyQuery, searchedPath } from '../workspace/fuzzyPath.ts'
import type { ContextQuery, Suggestion } from './contextSources.ts'

export type Unmatched = Omit<Suggestion, 'labelMatches' | 'detailMatches'>

/** Those whose label matches, the best first; all in their order where nothing was typed. */
export function matching(
  all: readonly Unmatched[],
  { text, limit }: Pick<ContextQuery, 'text' | 'limit'>,
): Suggestion[] {
  const query = new FuzzyQuery(text)
  if (query.isEmpty) return all.slice(0, limit).map(one => ({ ...one, labelMatches: [], detailMatches: [] }))
  return all
    .map(one => ({ one, searched: searchedPath(one.label) }))
    .map(({ one, searched }) => ({ one, searched, score: query.scoreOf(searched) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ one, searched }) => ({ ...one, labelMatches: query.positionsIn(searched), detailMatches: [] }))
}
