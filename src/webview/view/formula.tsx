// `Formula`: a formula; until it is typeset, and where that fails, its source as text.
import { type ComponentChild, h } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { FormulaNode } from '../lazyFiles.ts'
import { Boundary } from './boundary.tsx'
import { formulas } from './formulas.ts'
import { Marked } from './marked.tsx'

interface Props {
  /** With its delimiters. */
  source: string
  onFault: (text: string) => void
}

export function Formula({ source, onFault }: Props) {
  const [count, setCount] = useState(0)
  const result = useMemo(() => formulas.get(source), [source, count])
  useEffect(
    () => (result === 'unknown' ? formulas.ask(source, () => setCount(before => before + 1)) : undefined),
    [source, result, count],
  )
  const asText = <Marked text={source} />
  if (result === 'unknown' || result === undefined) return asText
  return <Boundary subject={result} fallback={asText} onFault={onFault} children={<Drawn node={result} />} />
}

function Drawn({ node }: { node: FormulaNode }) {
  return useMemo(() => elementOf(node), [node])
}

/** The styles are set by CSSOM, because the page's policy allows no attribute `style`. */
function elementOf({ tag, attributes, style, children }: FormulaNode): ComponentChild {
  const drawn = children.map(child => (typeof child === 'string' ? child : elementOf(child)))
  return h(tag, { ...attributes, style: { ...style } }, ...drawn)
}
