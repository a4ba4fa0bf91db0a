// `matching`: suggestions whose labels, or other words for them, fit what was typed.
import { FuzzyQuery, searchedPath } from '../workspace/fuzzyPath.ts'
import type { ContextQuery, Suggestion } from './contextSources.ts'

export interface Unmatched extends Omit<Suggestion, 'labelMatches' | 'detailMatches' | 'isNamed'> {
  /** Other words by which people look for it, in lower case; only for what is no file, symbol or commit. */
  readonly words?: readonly string[]
}

/** Fewer letters are the beginning of too many other names. */
const LEAST_LETTERS = 2

/** Those whose label or word matches, the best first; all in their order where nothing was typed. */
export function matching(
  all: readonly Unmatched[],
  { text, limit }: Pick<ContextQuery, 'text' | 'limit'>,
): Suggestion[] {
  const query = new FuzzyQuery(text)
  if (query.isEmpty) return all.slice(0, limit).map(one => suggestionOf(one, [], false))
  return all
    .map(one => ({ one, searched: searchedPath(one.label), isNamed: isNamed(one, text) }))
    .map(found => ({ ...found, score: query.scoreOf(found.searched) }))
    .filter(({ score, isNamed }) => score > 0 || isNamed)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ one, searched, score, isNamed }) =>
      suggestionOf(one, score > 0 ? query.positionsIn(searched) : [], isNamed),
    )
}

/** Whether what was typed is the beginning of a word. */
export function beginsWord(text: string, words: readonly string[]): boolean {
  const typed = text.trim().toLowerCase()
  return typed.length >= LEAST_LETTERS && words.some(word => word.startsWith(typed))
}

const isNamed = ({ label, words }: Unmatched, text: string) =>
  words !== undefined && beginsWord(text, [label.toLowerCase(), ...words])

function suggestionOf({ words: _, ...one }: Unmatched, labelMatches: readonly number[], isNamed: boolean): Suggestion {
  return { ...one, labelMatches, detailMatches: [], ...(isNamed && { isNamed: true }) }
}
