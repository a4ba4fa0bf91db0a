// `l10nTexts`: every English text of `l10n.t` in `src`, with the place of its first use.
import { globSync, readFileSync } from 'node:fs'
import {
  isCallExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is'
import { type Visited, walkSources } from './syntaxTree.ts'

/** Whole files, or those of a test: text by path. In the order of the paths. */
export function l10nTexts(files = sourceFiles()): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const visited of walkSources(files)) {
    const text = textOfCall(visited)
    if (text !== undefined && !found.has(text)) found.set(text, visited.where)
  }
  return found
}

function sourceFiles(): Readonly<Record<string, string>> {
  const paths = globSync('src/**/*.{ts,tsx}').map(path => path.replaceAll('\\', '/'))
  return Object.fromEntries(paths.sort().map(path => [path, readFileSync(path, 'utf8')]))
}

function textOfCall({ node, where }: Visited): string | undefined {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined
  const { expression, name } = node.expression
  if (!isIdentifier(expression) || expression.text !== 'l10n') return undefined
  const [text] = node.arguments
  const isRead = name.text === 't' && text && (isStringLiteral(text) || isNoSubstitutionTemplateLiteral(text))
  // The editor looks a text with a comment up by another key, and nothing here needs one.
  if (!isRead) throw new Error(`${where}: only l10n.t('A text', …) can be translated, not ${node.getText()}`)
  return text.text
}
