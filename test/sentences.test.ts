// Where sentences are written: whole and once, as literals of `l10n.t`; the page has none of its own.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Node } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isJsxAttribute,
  isJsxElement,
  isJsxExpression,
  isJsxFragment,
  isJsxText,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isTemplateHead,
  isTemplateMiddle,
  isTemplateTail,
} from 'typescript/unstable/ast/is'
import { type Visited, walkSources } from './support/syntaxTree.ts'

/** Attributes that are read or read out. */
const spoken = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
]
/** Functions of the page that take a text for the log. */
const logs = ['Error', 'report', 'onFault']
/** What is shown in a list or beside a name, and forms in which other texts are put together. */
const noSentences = [
  ...['chat', 'inline edit', 'agent turn', 'completion', 'background work', 'this window: {work}'],
  ...[
    'another window: {work}',
    'an empty window',
    'in use',
    'none selected',
    'used last',
    'git',
    'git, this repository',
  ],
  ...['{file} +{added} −{removed}'],
  ...['{path} ({count})', '{count} %'],
  ...['text', '{window}: {work}', '{before} {next}', '{list}; {next}', '{status}. {details}'],
]
/** Files whose sentences are filled later, in the page or by the count. */
const filledLater = ['src/editor/chat/pageText.ts', 'src/editor/ui/localDuration.ts']
/** Strings that are joined and are no sentences: the digits of a code, a policy. */
const joined = ['src/editor/ui/codeText.ts', 'src/editor/chat/pageHtml.ts']

type Rule = (visited: Visited) => string | undefined

const textOf = (node: Node): string | undefined =>
  isStringLiteral(node) ||
  isNoSubstitutionTemplateLiteral(node) ||
  isTemplateHead(node) ||
  isTemplateMiddle(node) ||
  isTemplateTail(node)
    ? node.text
    : undefined
const hasLetter = (text: string | undefined) => /\p{L}/u.test(text ?? '')
/** The last name of what is called: `of` for `words.of(…)`. */
function calledName(node: Node): string {
  if (!isCallExpression(node) && !isNewExpression(node)) return ''
  const { expression } = node
  if (isPropertyAccessExpression(expression)) return expression.name.text
  return isIdentifier(expression) ? expression.text : ''
}
const isOfWords = (node: Node) => ['of', 'around'].includes(calledName(node))
const isL10n = (node: Node) =>
  isCallExpression(node) &&
  isPropertyAccessExpression(node.expression) &&
  isIdentifier(node.expression.expression) &&
  node.expression.expression.text === 'l10n'
const isComparison = (node: Node) => isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText())

/** The rules for the page: no word of its own is a literal. */
const pageRules: Readonly<Record<string, Rule>> = {
  'text between tags': ({ node }) => (isJsxText(node) && hasLetter(node.text) ? node.text.trim() : undefined),
  'a literal in what is shown or read out': ({ node, above }) => {
    const text = textOf(node)
    if (!hasLetter(text) || above.some(one => isOfWords(one) || isComparison(one))) return undefined
    const place = above.find(one => isJsxAttribute(one) || isJsxElement(one) || isJsxFragment(one))
    const isChild = above.some(one => isJsxExpression(one)) && place !== undefined && !isJsxAttribute(place)
    const isSpoken = place !== undefined && isJsxAttribute(place) && spoken.includes(place.name.getText())
    return isChild || isSpoken ? text : undefined
  },
  'a literal that is announced': ({ node, above }) => {
    const [call] = above
    return call && calledName(call) === 'announce' && hasLetter(textOf(node)) ? textOf(node) : undefined
  },
  'a literal of several words': ({ node, above }) => {
    const text = textOf(node)
    if (!/\p{L} \p{L}/u.test(text ?? '') || above.some(one => logs.includes(calledName(one)))) return undefined
    const isOfMachines = above.some(isJsxAttribute) || /^<|^p br hr/.test(text ?? '')
    return isOfMachines ? undefined : text
  },
}

/** The rules for `l10n.t` and what is around it. */
const editorRules: Readonly<Record<string, Rule>> = {
  'no literal': ({ node }) => {
    if (!isL10n(node) || !isCallExpression(node)) return undefined
    const [text] = node.arguments
    return text && textOf(text) === undefined ? node.getText() : undefined
  },
  'no whole sentence': ({ node, above }) => {
    const text = textOf(node)
    if (!isFirst(node, above[0]) || text === undefined || noSentences.includes(text)) return undefined
    const isWhole = /^[\p{Lu}\d[{]/u.test(text) && hasLetter(text.replace(/\{\w+\}/g, ''))
    return isWhole && text === text.trim() && !text.includes('  ') ? undefined : text
  },
  'a placeholder without a value, or the other way round': ({ node, file }) => {
    if (!isL10n(node) || !isCallExpression(node) || filledLater.includes(file)) return undefined
    const [text, values] = node.arguments
    const wanted = [...((text && textOf(text)) ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    if (!values) return wanted.length > 0 ? node.getText() : undefined
    const given = namesIn(values)
    if (!given) return undefined
    const isFilled = wanted.every(name => given.includes(name)) && given.every(name => wanted.includes(name))
    return isFilled ? undefined : node.getText()
  },
  'a sentence that is put together': ({ node, above }) => {
    const [parent, template] = above
    if (!isL10n(node) || !parent) return undefined
    if (isBinaryExpression(parent) && parent.operatorToken.getText() === '+') return parent.getText()
    if (!template || !isTemplateExpression(template)) return undefined
    // An icon before it, or the label of a link.
    const isMarkup = /^`(?:\$\([\w~-]+\) \$\{.*\}|\[\$\{.*\}\]\(command:[\w.]+\))`$/s.test(template.getText())
    return isMarkup ? undefined : template.getText()
  },
  'a join with a space': ({ node, file }) => {
    if (calledName(node) !== 'join' || !isCallExpression(node) || joined.includes(file)) return undefined
    const [by] = node.arguments
    return by && textOf(by)?.includes(' ') ? node.getText() : undefined
  },
}

const isFirst = (node: Node, call: Node | undefined) =>
  call !== undefined && isL10n(call) && isCallExpression(call) && call.arguments[0] === node

/** The names of an object literal, given as it is or through `sanitized`; undefined for any other expression. */
function namesIn(values: Node): string[] | undefined {
  const [inner] = isCallExpression(values) && calledName(values) === 'sanitized' ? values.arguments : [values]
  if (!inner || !isObjectLiteralExpression(inner)) return undefined
  const names = inner.properties.flatMap(one =>
    isPropertyAssignment(one) || isShorthandPropertyAssignment(one) ? one.name.getText() : [],
  )
  return names.length === inner.properties.length ? names : undefined
}

/** Each breach in one line: where, which rule, and the text. */
function breaches(files: Readonly<Record<string, string>>): string[] {
  return [...walkSources(files)].flatMap(visited => {
    const rules = visited.file.startsWith('src/webview/') ? pageRules : editorRules
    return Object.entries(rules).flatMap(([name, rule]) => {
      const text = rule(visited)
      return text === undefined ? [] : [`${visited.where}: ${name}: ${text}`]
    })
  })
}

const sources = globSync(['src/webview/**/*.{ts,tsx}', 'src/editor/**/*.ts', 'src/features/**/*.ts'])

test('every sentence is a whole one in l10n, and the page has none of its own', () => {
  assert.ok(sources.length > 80, `${sources.length} files`)
  const found = breaches(Object.fromEntries(sources.map(path => [path, readFileSync(path, 'utf8')])))
  assert.ok(found.length === 0, `\n${found.join('\n')}`)
})

test('each rule finds a planted breach, and lets the right form pass', () => {
  const planted: Readonly<
    Record<string, Readonly<Record<string, keyof typeof pageRules | keyof typeof editorRules | ''>>>
  > = {
    'src/webview/a.tsx': {
      '<p>Hello {name}</p>': 'text between tags',
      "<p aria-label={isOn ? 'On' : words.of('off')}>{name}</p>": 'a literal in what is shown or read out',
      "<p>{isOn && 'On'}</p>": 'a literal in what is shown or read out',
      "announce('Done')": 'a literal that is announced',
      'const label = `about ${count} more rows`': 'a literal of several words',
      "<p class='a b' title={words.of('model', { name: id ?? 'x' })}>+1</p>": '',
      "<p>{state.is === 'in' && words.of('signIn')} ({count})</p>": '',
      "port.report(`The page failed: ${text}`); throw new Error('Not in a context')": '',
    },
    'src/editor/a.ts': {
      'l10n.t(text)': 'no literal',
      "l10n.t('and {count} more', { count })": 'no whole sentence',
      "l10n.t('{wait}.', { wait })": 'no whole sentence',
      "l10n.t('Wait {time}', sanitized({ host }))": 'a placeholder without a value, or the other way round',
      "l10n.t('Wait {time}')": 'a placeholder without a value, or the other way round',
      '`${l10n.t("Sign in")}: ${name}`': 'a sentence that is put together',
      "l10n.t('One') + more": 'a sentence that is put together',
      "[l10n.t('One.'), l10n.t('Two.')].join(' ')": 'a join with a space',
      "`$(key) ${l10n.t('Sign In')}`": '',
      "`[${l10n.t('Copy')}](command:a.b)`": '',
      "l10n.t('{a} and {b}', { a, b: 1 })": '',
    },
  }
  for (const [file, codes] of Object.entries(planted))
    for (const [code, rule] of Object.entries(codes)) {
      const found = breaches({ [file]: code }).map(breach => breach.split(': ')[1])
      assert.deepEqual(found, rule ? [rule] : [], code)
    }
})
