// `useFold`: whether a folded part of an answer is unfolded: the user has asked for that, or goes to what was found in it.
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

/** The part that was found last; undefined outside of a conversation. */
export const FoundPartContext = createContext<{ readonly value: { readonly part: string } | undefined } | undefined>(
  undefined,
)

export function useFold(part: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false)
  const found = useContext(FoundPartContext)?.value
  useEffect(() => {
    if (found?.part === part) setOpen(true)
  }, [found])
  return [isOpen, setOpen]
}
