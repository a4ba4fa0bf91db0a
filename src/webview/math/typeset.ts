// `typeset`: sets a TeX formula with KaTeX; the page loads this file when it draws the first formula.
import katex from 'katex'
import 'katex/dist/katex.min.css'
import { type FormulaNode, offer } from '../lazyFiles.ts'
import { formulaNode } from './formulaNode.ts'

const maxChars = 4_000
/** Steps of macro expansion: a formula that defines macros can double with each of its lines. */
const maxExpansions = 1_000
/** The largest size that a formula may ask for, in ems. */
const maxEms = 20
/** They load, lead somewhere or change the page. KaTeX would draw their names without their arguments. */
const refused = /\\(?:href|url|includegraphics|html(?:Class|Id|Style|Data))(?![a-zA-Z])/

/** Throws if the formula is faulty, too long or too large. */
export function typeset(source: string, isDisplay: boolean): FormulaNode {
  if (source.length > maxChars || refused.test(source))
    throw new Error('The formula is too long, or has a refused command.')
  const made = document.createElement('span')
  // KaTeX creates elements and sets their styles by CSSOM here; no HTML is parsed.
  katex.render(source, made, {
    displayMode: isDisplay,
    output: 'htmlAndMathml',
    throwOnError: true,
    trust: false,
    strict: code => (code === 'htmlExtension' ? 'error' : 'ignore'),
    maxExpand: maxExpansions,
    maxSize: maxEms,
    macros: {},
  })
  return formulaNode(made)
}

offer('math', typeset)
