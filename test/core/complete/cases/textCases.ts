// `textCases`: unusual text: other line ends, tabs, pairs and marks of Unicode, long lines, documents without a name.
import type { Look } from '../snapshots.ts'
import { type CleanerCase, casesIn, looks } from './cleanerCase.ts'

const long = `const a = [${'1234, '.repeat(330)}`
const longText = Array.from({ length: 400 }, (_, at) => at * 7).join(' ')
const cell: Look = { ...looks.python, id: 'vscode-notebook-cell:/work/a.ipynb#W1sZmlsZQ', path: 'a.ipynb' }
const untitled: Look = { ...looks.typescript, id: 'untitled:Untitled-1', path: 'Untitled-1' }
const nameless: Look = { ...looks.shell, id: 'file:///work/run', path: 'run' }

export const textCases: readonly CleanerCase[] = [
  ...casesIn(looks.typescript, [
    ['CRLF in the answer', 'if (a) {|', '\r\n  b()\r\n}', 'if (a) {\n  b()\n}'],
    ['CRLF around tags', 'const a = |', '<insert>\r\nvalue\r\n</insert>', 'const a = value'],
    ['CRLF in a fence', 'const a = |', '```ts\r\nvalue\r\n```\r\n', 'const a = value'],
    ['CRLF and the line below', '|\nconst b = 2', 'const a = 1\r\nconst b = 2\r\n', 'const a = 1'],
    ['CRLF between closed pairs', 'f(() => {|})', '\r\n  go()\r\n})', 'f(() => {\n  go()\n})'],
    ['a lone CR', 'if (a) {|', '\r  b()\r}', 'if (a) {\n  b()\n}'],
    ['tabs in the answer', 'if (a) {|', '\n\tb()\n}', 'if (a) {\n  b()\n}'],
    ['a tab within the line', "a = '|'", 'b\tc', "a = 'b\tc'"],
    ['a surrogate pair', "a = '|'", 'ok😀', "a = 'ok😀'"],
    ['a surrogate pair first', "a = '|'", '😀 ok', "a = '😀 ok'"],
    ['a family of pairs', "a = '|'", '👩‍👩‍👧 ok', "a = '👩‍👩‍👧 ok'"],
    ['a pair before the cursor', "f('😀', '|')", "b', c)", "f('😀', 'b', c)"],
    ['a pair behind the cursor', "f(|, '😀')", 'ab', "f(ab, '😀')"],
    ['combining marks', "a = '|'", 'cafe\u0301 x', "a = 'cafe\u0301 x'"],
    ['a name with combining marks', 'const e\u0301 = |', 'value', 'const e\u0301 = value'],
    ['Hebrew', "a = '|'", 'שלום', "a = 'שלום'"],
    ['Arabic between pairs', "f('|')", "مرحبا', b)", "f('مرحبا', b)"],
    ['Hebrew with direction marks', "a = '|'", '\u202bשלום\u202c', "a = 'שלום'"],
    ['Chinese', '// |', '计算总和', '// 计算总和'],
    ['a name in another script', 'const größe = |', 'länge * 2', 'const größe = länge * 2'],
    ['a long line', `${long}|]`, '5, 67]', `${long}5, 67]`],
    ['a long line without its bracket', `${long}|]`, '5, 67', `${long}5, 67]`],
    ['a long answer', 'const a = |', `'${longText}'`, `const a = '${longText}'`],
    ['a no-break space', "a = '|'", 'b\u00a0c', "a = 'b\u00a0c'"],
    ['a soft line separator', "a = '|'", 'b\u2028c', "a = 'b\u2028c'"],
  ]),
  ...casesIn(cell, [
    ['a notebook cell', 'import pandas as pd\ndf = |', "pd.read_csv('a.csv')", "df = pd.read_csv('a.csv')"],
    ['a notebook cell with a closed pair', "df = pd.read_csv('|')", "a.csv')", "df = pd.read_csv('a.csv')"],
    ['a notebook cell, its command', '%|', 'matplotlib inline', '%matplotlib inline'],
    ['an empty notebook cell', '|', 'df.head()', 'df.head()'],
  ]),
  ...casesIn(untitled, [
    ['an untitled file', 'const a = |', '<insert>value</insert>', 'const a = value'],
    ['an untitled file with a closed pair', "f('|')", "ab', c)", "f('ab', c)"],
    ['an untitled file with its name above', '|\n', '// Untitled-1\nconst a = 1', 'const a = 1'],
  ]),
  ...casesIn(nameless, [
    ['a file without an extension', 'echo "|"', '$HOME"', 'echo "$HOME"'],
    ['a file without an extension, a pattern', 'case $1 in\n  |\nesac', 'a) go ;;', '  a) go ;;'],
  ]),
  ...casesIn(looks.plaintext, [
    ['plain text', 'Dear |', 'all,\nthis is it.', 'Dear all,\nthis is it.'],
    ['plain text with a bracket', 'One (|', 'two) three', 'One (two) three'],
  ]),
  ...casesIn(looks.go, [
    ['tabs in the document', '\tif a {|\n\t}', '\n\t\tb()', '\tif a {\n\t\tb()'],
    [
      'cases no deeper than their select',
      '\t\t|',
      'select {\n\t\tcase <-a:\n\t\t\tb()',
      '\t\tselect {\n\t\tcase <-a:\n\t\t\tb()',
    ],
    ['a select from the edge', '\t\t|', 'select {\ncase <-a:\n\tb()', '\t\tselect {\n\t\tcase <-a:\n\t\t\tb()'],
    ['spaces for tabs between pairs', '\tf(func() {|})', '\n        b()\n    })', '\tf(func() {\n\t\tb()\n\t})'],
  ]),
  ...casesIn(looks.python, [
    ['CRLF in Python', 'def f():|', '\r\n    return ab\r\n', 'def f():\n    return ab'],
    ['a pair in a name of a key', "d = {'|'}", "😀': 12}", "d = {'😀': 12}"],
  ]),
]
