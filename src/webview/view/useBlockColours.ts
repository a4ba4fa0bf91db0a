// `useBlockColours`: the colours of a code block, which are requested while it is in the viewport or near it.
import type { RefObject } from 'preact'
import { useContext, useEffect, useMemo } from 'preact/hooks'
import type { BlockColours } from '../state/blockColours.ts'
import { ColoursContext } from './coloursContext.ts'

export function useBlockColours(
  label: string,
  text: string,
  body: RefObject<Element | null>,
): BlockColours | undefined {
  const colours = useContext(ColoursContext)
  const opened = useMemo(() => (label ? colours?.page.open() : undefined), [colours, label !== ''])
  const block = opened?.block
  block?.follow(label, text)
  useEffect(() => {
    const element = body.current
    if (!colours || !opened || !element) return
    const watch = colours.near.watch(element, isNear => opened.block.setNear(isNear))
    return () => {
      watch.dispose()
      opened.dispose()
    }
  }, [opened])
  useEffect(() => block?.request(), [block, label, text])
  return block
}
