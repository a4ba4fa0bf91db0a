// `WordsContext` and `useWords`: the page's sentences, for every component below.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Words } from '../words.ts'

export const WordsContext = createContext<Words | undefined>(undefined)

export function useWords(): Words {
  const words = useContext(WordsContext)
  if (!words) throw new Error('A component is rendered outside of WordsContext.')
  return words
}
