// What is a formula in Markdown, and what is money, a variable, code or an unfinished text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { continueBlocks, noBlocks } from '../../../src/webview/markdown/markdown.ts'
import { formulaOf } from '../../../src/webview/markdown/mathRules.ts'
import { englishWords as words } from '../../support/englishPage.ts'

const htmlOf = (text: string) =>
  continueBlocks(noBlocks, text, words)
    .blocks.map(block => (block.kind === 'html' ? block.html : ''))
    .join('')
const formulas = (text: string) =>
  [...htmlOf(text).matchAll(/class="k-(?:math|display)">([^<]*)</g)].map(([, source]) => source)

describe('a formula', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'so $x$ and $a_b$ with $c_d$.': ['$x$', '$a_b$', '$c_d$'],
    $x$: ['$x$'],
    'It costs $5 per unit, so $n$ units': ['$n$'],
    'Pay $20 (or 20$) for $n$ units': ['$n$'],
    '$5$ and $3x$ and $2 + 3$': ['$5$', '$3x$', '$2 + 3$'],
    '$10 - x$ and $1 / n$ and $2 x_1$ and $3 \\cdot x$': ['$10 - x$', '$1 / n$', '$2 x_1$', '$3 \\cdot x$'],
    '($x$), “$y$”, $z$-axis, $n$.': ['$x$', '$y$', '$z$', '$n$'],
    '$f(x) = x$ costs $5': ['$f(x) = x$'],
    'in *emphasis $a*b$*': ['$a*b$'],
    'with \\(a_1\\) and \\[b\\] inside': ['\\(a_1\\)', '\\[b\\]'],
    'with $$x$$ inside': ['$$x$$'],
    '$\\$5$': ['$\\$5$'],
    $$x$$: ['$$x$$'],
    '$$\na\n= b\n$$': ['$$\na\n= b\n$$'],
    'before\n$$\na\n$$\nafter': ['$$\na\n$$'],
    '\\[\na\n\\]': ['\\[\na\n\\]'],
    '- item\n\n  $$\n  a\n  $$': ['$$\na\n$$'],
    '> $$\n> a\n> $$': ['$$\na\n$$'],
    '```math\na < b\n```': ['$$\na &lt; b\n$$'],
    '| a |\n|---|\n| $x$ |': ['$x$'],
  }
  for (const [text, expected] of Object.entries(cases)) {
    test(JSON.stringify(text), () => assert.deepEqual(formulas(text), expected))
  }
})

describe('no formula', () => {
  const texts = [
    'from $5 to $6',
    '$5/$10',
    'It costs $5 per unit.',
    'Pay $20 (or 20$) now',
    'It costs $5 and, for some, 6$ more',
    '$5/month or 60$ a year',
    'between $5 and $6, or 7$',
    'from $5 a day\nto 6$ a day',
    '$5 per GB ($x)',
    '$1,000 to 2,000$',
    'US$5 or 6$',
    '$HOME/$PATH',
    '$HOME and $PATH',
    '$ x $',
    '$x $',
    '$x$1',
    '\\$x\\$',
    '`$x$`',
    '$a `x$`',
    '```sh\necho $x$\n```',
    '    $x$',
    '$$',
    '$$$$',
    '\\(\\)',
    'half $x',
    '$$\na',
    '$$\na\n\nb\n$$',
    '```math\na',
    '```math\n```',
    '```mathematica\na\n```',
  ]
  for (const text of texts) test(JSON.stringify(text), () => assert.deepEqual(formulas(text), []))

  test('an unfinished one is shown as it came', () => {
    assert.equal(htmlOf('$$\na\n- b'), '<p>$$\na\n- b</p>\n')
  })
})

test('the TeX is what stands between the delimiters', () => {
  assert.deepEqual(formulaOf('$x$'), { tex: 'x', isDisplay: false })
  assert.deepEqual(formulaOf('\\(x\\)'), { tex: 'x', isDisplay: false })
  assert.deepEqual(formulaOf('$$\nx\n$$'), { tex: 'x', isDisplay: true })
  assert.deepEqual(formulaOf('\\[ x \\]'), { tex: 'x', isDisplay: true })
})
