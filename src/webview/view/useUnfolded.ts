// `useUnfolded`: whether a long text is shown as a whole: the user has asked for that, or what is searched is in its rest.
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

/** What is searched in the conversation; undefined outside of one. */
export const SearchContext = createContext<{ readonly value: RegExp | undefined } | undefined>(undefined)

/** `isInRest`: whether the pattern matches what is folded away. */
export function useUnfolded(isInRest: (pattern: RegExp) => boolean): [isWhole: boolean, unfold: () => void] {
  const [isWhole, setWhole] = useState(false)
  const pattern = useContext(SearchContext)?.value
  const isFound = !isWhole && pattern !== undefined && isInRest(pattern)
  // It stays so when the search ends.
  useEffect(() => {
    if (isFound) setWhole(true)
  }, [isFound])
  return [isWhole || isFound, () => setWhole(true)]
}

/** A match may begin before the rest. */
export function isInRest(text: string, shownChars: number, pattern: RegExp): boolean {
  if (text.length <= shownChars) return false
  const from = Math.max(0, shownChars - LONGEST_MATCH)
  for (const match of text.slice(from).matchAll(pattern)) {
    if (from + match.index + match[0].length > shownChars) return true
  }
  return false
}

/** What is searched has fewer characters. */
const LONGEST_MATCH = 2_000
