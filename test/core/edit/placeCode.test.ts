// Where blocks of answers go in files of several languages, and which blocks have no certain place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { placeCode, SURE } from '../../../src/core/edit/placeCode.ts'

const ts = `import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const LIMIT = 10

/** Adds two numbers. */
export function add(a: number, b: number): number {
  return a + b
}

export function subtract(a: number, b: number): number {
  return a - b
}

export class Store {
  readonly items: string[] = []

  constructor(private readonly path: string) {}

  add(item: string): void {
    if (this.items.length >= LIMIT) {
      throw new Error('full')
    }
    this.items.push(item)
  }

  async load(): Promise<void> {
    const text = await readFile(join(this.path, 'items'), 'utf8')
    for (const line of text.split('\\n')) {
      this.add(line)
    }
  }

  clear(): void {
    this.items.length = 0
  }
}
`

const py = `import os
from typing import List

LIMIT = 10


def add(a, b):
    return a + b


@cached
def total(items: List[int]) -> int:
    result = 0
    for item in items:
        result = add(result, item)
    return result


class Store:
    """Keeps items."""

    def __init__(self, path):
        self.path = path
        self.items = []

    def add(self, item):
        if len(self.items) >= LIMIT:
            raise ValueError('full')
        self.items.append(item)

    def clear(self):
        self.items = []


if __name__ == '__main__':
    print(total([1, 2]))
`

const go = `package main

import "fmt"

type Store struct {
\titems []string
}

func (s *Store) Add(item string) {
\ts.items = append(s.items, item)
}

func main() {
\tfmt.Println("hi")
}
`

const css = `.button {
  color: red;
  padding: 4px;
}

.button:hover {
  color: blue;
}
`

const html = `<!doctype html>
<html>
  <head>
    <title>Old</title>
  </head>
  <body>
    <main id="app"></main>
  </body>
</html>
`

const md = `# Title

Intro.

## Install

Run npm.

## Usage

Call it.
`

const toml = `[package]
name = "a"
version = "0.1.0"

[dependencies]
serde = "1"
`

const rust = `use std::fmt;

pub struct Point {
    x: i32,
}

impl Point {
    pub fn new(x: i32) -> Self {
        Point { x }
    }

    pub fn len(&self) -> i32 {
        self.x
    }
}
`

const java = `package a;

public class Shop {
    private int count;

    public int getCount() {
        return count;
    }

    @Override
    public String toString() {
        return "Shop";
    }
}
`

interface Case {
  readonly file: string
  readonly block: string
  readonly language?: string
  /** The text after; undefined where no place is certain. */
  readonly after: string | undefined
  /** It is only a suggestion. */
  readonly isUnsure?: boolean
}

const replaced = (text: string, ...pairs: readonly (readonly [string, string])[]) =>
  pairs.reduce((now, [from, to]) => {
    assert.ok(now.includes(from), `the case names what is not there: ${from}`)
    return now.replace(from, () => to)
  }, text)

const cases: Readonly<Record<string, Case>> = {
  'an empty file gets the block': { file: '', block: 'const a = 1', after: 'const a = 1\n' },
  'a file of blank lines gets the block': { file: '\n\n', block: 'a: 1\n', after: 'a: 1\n' },
  'a whole file': {
    file: ts,
    block: replaced(ts, ['a + b', 'b + a'], ["'full'", "'no room'"]),
    after: replaced(ts, ['a + b', 'b + a'], ["'full'", "'no room'"]),
  },
  'a whole file with another function': {
    file: go,
    block: `${go}\nfunc extra() {\n}\n`,
    after: `${go}\nfunc extra() {\n}\n`,
  },
  'a whole configuration': {
    file: toml,
    block: replaced(toml, ['0.1.0', '0.2.0']),
    after: replaced(toml, ['0.1.0', '0.2.0']),
  },
  'a whole page': { file: html, block: replaced(html, ['Old', 'New']), after: replaced(html, ['Old', 'New']) },
  'a whole file keeps lines whose end differs in white space': {
    file: 'const a = 1  \nconst b = 2\n',
    block: 'const a = 1\nconst b = 3',
    after: 'const a = 1  \nconst b = 3\n',
  },
  'a diff': {
    file: ts,
    block:
      '@@ -7,3 +7,3 @@\n export function add(a: number, b: number): number {\n-  return a + b\n+  return b + a\n }',
    language: 'diff',
    after: replaced(ts, ['return a + b', 'return b + a']),
  },
  'a diff with file heads and wrong numbers': {
    file: py,
    block:
      '--- a/x.py\n+++ b/x.py\n@@ -100,2 +100,3 @@\n def add(a, b):\n-    return a + b\n+    # both\n+    return b + a\n',
    language: 'diff',
    after: replaced(py, ['    return a + b', '    # both\n    return b + a']),
  },
  'a diff of two hunks': {
    file: ts,
    block:
      '@@\n-const LIMIT = 10\n+const LIMIT = 20\n@@\n   clear(): void {\n-    this.items.length = 0\n+    this.items.splice(0)\n   }',
    language: 'diff',
    after: replaced(ts, ['LIMIT = 10', 'LIMIT = 20'], ['this.items.length = 0', 'this.items.splice(0)']),
  },
  'a diff whose context has lost its indentation': {
    file: ts,
    block: '@@\n clear(): void {\n-  this.items.length = 0\n+  this.items.splice(0)\n }',
    language: 'diff',
    after: replaced(ts, ['this.items.length = 0', 'this.items.splice(0)']),
  },
  'a diff without hunk heads': {
    file: css,
    block: ' .button {\n-  color: red;\n+  color: green;\n   padding: 4px;',
    language: 'diff',
    after: replaced(css, ['color: red', 'color: green']),
  },
  'a diff that fits in two places': {
    file: 'a\nx\nb\na\nx\nb\n',
    block: '@@\n a\n-x\n+y\n b',
    language: 'diff',
    after: undefined,
  },
  'a diff whose removed lines are not there': { file: css, block: '@@\n-color: pink;\n+color: red;', after: undefined },
  'a diff of which one hunk fits': {
    file: ts,
    block: '@@\n-const LIMIT = 10\n+const LIMIT = 20\n@@\n-nowhere\n+somewhere',
    after: undefined,
  },
  'a function': {
    file: ts,
    block: 'export function subtract(a: number, b: number): number {\n  const result = a - b\n  return result\n}',
    after: replaced(ts, ['  return a - b', '  const result = a - b\n  return result']),
  },
  'a function with other parameters': {
    file: ts,
    block:
      'export function subtract(first: number, ...rest: number[]): number {\n  return rest.reduce((a, b) => a - b, first)\n}',
    after: replaced(
      ts,
      ['subtract(a: number, b: number)', 'subtract(first: number, ...rest: number[])'],
      ['return a - b', 'return rest.reduce((a, b) => a - b, first)'],
    ),
  },
  'a function with its comment': {
    file: ts,
    block: '/** The sum. */\nexport function add(a: number, b: number): number {\n  return a + b\n}',
    after: replaced(ts, ['/** Adds two numbers. */', '/** The sum. */']),
  },
  'a function without its comment': {
    file: ts,
    block: 'export function add(a: number, b: number): number {\n  return b + a\n}',
    after: replaced(ts, ['return a + b', 'return b + a']),
  },
  'two functions that do not follow each other': {
    file: ts,
    block:
      'export function add(a: number, b: number): number {\n  return b + a\n}\n\nclear(): void {\n  this.items.splice(0)\n}',
    after: replaced(ts, ['return a + b', 'return b + a'], ['this.items.length = 0', 'this.items.splice(0)']),
  },
  'a method of a class, without indentation': {
    file: ts,
    block:
      'async load(): Promise<void> {\n  const lines = await this.lines()\n  lines.forEach(line => this.add(line))\n}',
    after: replaced(ts, [
      "    const text = await readFile(join(this.path, 'items'), 'utf8')\n    for (const line of text.split('\\n')) {\n      this.add(line)\n    }\n",
      '    const lines = await this.lines()\n    lines.forEach(line => this.add(line))\n',
    ]),
  },
  'a method with four spaces in a file with two': {
    file: ts,
    block:
      '    clear(): void {\n        if (this.items.length > 0) {\n            this.items.length = 0\n        }\n    }',
    after: replaced(ts, [
      '    this.items.length = 0\n',
      '    if (this.items.length > 0) {\n      this.items.length = 0\n    }\n',
    ]),
  },
  'a name that a function and a method have goes by the head': {
    file: ts,
    block: '  add(item: string): void {\n    this.items.push(item)\n  }',
    after: replaced(ts, ["    if (this.items.length >= LIMIT) {\n      throw new Error('full')\n    }\n", '']),
  },
  'a whole class with the same members': {
    file: 'class A {\n  one() {\n    return 1\n  }\n}\n\nclass B {\n  two() {\n    return 2\n  }\n}\n',
    block: 'class B {\n  two() {\n    return 22\n  }\n\n  three() {\n    return 3\n  }\n}',
    after:
      'class A {\n  one() {\n    return 1\n  }\n}\n\nclass B {\n  two() {\n    return 22\n  }\n\n  three() {\n    return 3\n  }\n}\n',
  },
  'a class with fewer members and no mark for the others': {
    file: ts,
    block: 'export class Store {\n  clear(): void {\n    this.items.splice(0)\n  }\n}',
    after: undefined,
  },
  'left-out code around a function': {
    file: ts,
    block:
      '// ... existing code ...\nexport function subtract(a: number, b: number): number {\n  return b - a\n}\n// ... existing code ...',
    after: replaced(ts, ['return a - b', 'return b - a']),
  },
  'left-out members of a class': {
    file: ts,
    block: 'export class Store {\n  // ... existing code ...\n\n  clear(): void {\n    this.items.splice(0)\n  }\n}',
    after: replaced(ts, ['this.items.length = 0', 'this.items.splice(0)']),
  },
  'a new member after left-out ones': {
    file: ts,
    block:
      'export class Store {\n  // ... rest of the class\n\n  clear(): void {\n    this.items.length = 0\n  }\n\n  get size(): number {\n    return this.items.length\n  }\n}',
    after: replaced(ts, [
      '    this.items.length = 0\n  }\n',
      '    this.items.length = 0\n  }\n\n  get size(): number {\n    return this.items.length\n  }\n',
    ]),
  },
  'left-out lines in a function': {
    file: ts,
    block:
      'async load(): Promise<void> {\n  // ...\n  for (const line of text.split(/\\r?\\n/)) {\n    this.add(line)\n  }\n}',
    after: undefined,
  },
  'left-out lines at the beginning of a function': {
    file: py,
    block: 'def total(items: List[int]) -> int:\n    # ... existing code ...\n    return result * 2',
    after: undefined,
  },
  'left-out lines between lines of the file': {
    file: py,
    block:
      'def total(items: List[int]) -> int:\n    # ... existing code ...\n    for item in items:\n        result = add(item, result)\n    return result',
    after: replaced(py, ['add(result, item)', 'add(item, result)']),
  },
  'left-out code in Python, in a class': {
    file: py,
    block: 'class Store:\n    # ... existing code ...\n\n    def clear(self):\n        self.items.clear()',
    after: replaced(py, ['        self.items = []\n\n\nif', '        self.items.clear()\n\n\nif']),
  },
  'an import and a function with left-out code between them': {
    file: py,
    block: 'import sys\n# ... existing code ...\n\ndef add(a, b):\n    return b + a\n\n# ... existing code ...',
    after: replaced(py, ['import List\n', 'import List\nimport sys\n'], ['return a + b', 'return b + a']),
  },
  'left-out code in a page': {
    file: html,
    block: '<head>\n  <title>New</title>\n</head>\n<!-- ... existing code ... -->',
    after: replaced(html, ['Old', 'New']),
  },
  'left-out code with a new statement between': {
    file: ts,
    block: '// ... existing code ...\nconsole.log(1)\n// ... existing code ...',
    after: undefined,
  },
  'a function in Python with a decorator': {
    file: py,
    block: '@cached(60)\ndef total(items: List[int]) -> int:\n    return sum(items)',
    after: replaced(
      py,
      ['@cached\n', '@cached(60)\n'],
      [
        '    result = 0\n    for item in items:\n        result = add(result, item)\n    return result\n',
        '    return sum(items)\n',
      ],
    ),
  },
  'a method in Python, without indentation': {
    file: py,
    block: 'def clear(self):\n    self.items.clear()',
    after: replaced(py, ['        self.items = []\n\n\nif', '        self.items.clear()\n\n\nif']),
  },
  'a name that is a function and a method': {
    file: py,
    block: 'def add(self, item):\n    self.items.append(item)\n',
    after: replaced(py, ["        if len(self.items) >= LIMIT:\n            raise ValueError('full')\n", '']),
  },
  'a constant': { file: py, block: 'LIMIT = 20', after: undefined },
  'a constant with its keyword': {
    file: ts,
    block: 'const LIMIT = 20',
    after: replaced(ts, ['LIMIT = 10', 'LIMIT = 20']),
  },
  'a method in Go': {
    file: go,
    block:
      'func (s *Store) Add(item string) {\n\tif item == "" {\n\t\treturn\n\t}\n\ts.items = append(s.items, item)\n}',
    after: replaced(go, ['string) {\n\ts.items', 'string) {\n\tif item == "" {\n\t\treturn\n\t}\n\ts.items']),
  },
  'spaces for a file with tabs': {
    file: go,
    block: 'func main() {\n    if true {\n        fmt.Println("yes")\n    }\n}',
    after: replaced(go, ['\tfmt.Println("hi")', '\tif true {\n\t\tfmt.Println("yes")\n\t}']),
  },
  'an implementation in Rust, one function of it': {
    file: rust,
    block: 'pub fn len(&self) -> i32 {\n    self.x.abs()\n}',
    after: replaced(rust, ['self.x\n', 'self.x.abs()\n']),
  },
  'a method in Java': {
    file: java,
    block: '    @Override\n    public String toString() {\n        return "Shop " + count;\n    }',
    after: replaced(java, ['"Shop"', '"Shop " + count']),
  },
  'a rule of a style sheet': {
    file: css,
    block: '.button:hover {\n  color: navy;\n}',
    after: replaced(css, ['blue', 'navy']),
  },
  'a section of a text': {
    file: md,
    language: 'markdown',
    block: '## Install\n\nRun npm install.\n',
    after: replaced(md, ['Run npm.', 'Run npm install.']),
  },
  'a table of a configuration': {
    file: toml,
    language: 'toml',
    block: '[dependencies]\nserde = "1"\ntokio = "1"',
    after: replaced(toml, ['serde = "1"\n', 'serde = "1"\ntokio = "1"\n']),
  },
  'an import of a module that is imported': {
    file: ts,
    block:
      "import { readFile, writeFile } from 'node:fs/promises'\n\nexport function subtract(a: number, b: number): number {\n  return b - a\n}",
    after: replaced(ts, ['{ readFile }', '{ readFile, writeFile }'], ['return a - b', 'return b - a']),
  },
  'a new function after one that is shown': {
    file: ts,
    block:
      'export function subtract(a: number, b: number): number {\n  return a - b\n}\n\nexport function multiply(a: number, b: number): number {\n  return a * b\n}',
    after: replaced(ts, [
      '  return a - b\n}\n',
      '  return a - b\n}\n\nexport function multiply(a: number, b: number): number {\n  return a * b\n}\n',
    ]),
  },
  'a new function alone': {
    file: ts,
    block: 'export function multiply(a: number, b: number): number {\n  return a * b\n}',
    after: `${ts}\nexport function multiply(a: number, b: number): number {\n  return a * b\n}\n`,
    isUnsure: true,
  },
  'a new method alone': { file: ts, block: 'size(): number {\n  return this.items.length\n}', after: undefined },
  'statements between two lines of the file': {
    file: ts,
    block: "if (this.items.length >= LIMIT) {\n  throw new RangeError('full')\n}",
    after: replaced(ts, ["Error('full')", "RangeError('full')"]),
  },
  'a statement of one line that is new': { file: ts, block: 'console.log(add(1, 2))', after: undefined },
  'a sentence': { file: ts, block: 'Run the tests, please.', after: undefined },
  'a block of nothing': { file: ts, block: '\n  \n', after: undefined },
  'a diff of another file': { file: css, block: '@@\n def add(a, b):\n-    return a\n+    return b', after: undefined },
  'line ends of Windows in the block': {
    file: ts,
    block: 'export function subtract(a: number, b: number): number {\r\n  return b - a\r\n}\r\n',
    after: replaced(ts, ['return a - b', 'return b - a']),
  },
}

for (const [name, { file, block, language, after, isUnsure = false }] of Object.entries(cases)) {
  test(`place: ${name}`, () => {
    const placed = placeCode(file, block, language)
    assert.equal(placed?.text, after)
    if (placed) assert.equal(placed.confidence < SURE, isUnsure, `confidence ${placed.confidence}`)
  })
}

test('a block that is in the file already changes nothing, wherever it is cut out', () => {
  for (const file of [ts, py, go, css, rust, java]) {
    const lines = file.split('\n')
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.integer({ min: 1, max: 12 }), (from, count) => {
        const placed = placeCode(file, lines.slice(from, from + count).join('\n'))
        if (placed && placed.confidence >= SURE) assert.equal(placed.text, file)
      }),
    )
  }
})

test('a line that was changed in a part of the file is changed there, or nowhere', () => {
  for (const file of [ts, py, go, css, rust, java, html]) {
    const lines = file.split('\n')
    const bounds = fc.tuple(fc.nat(lines.length - 1), fc.integer({ min: 2, max: 14 }), fc.nat(), fc.boolean())
    fc.assert(
      fc.property(bounds, ([from, count, number, isFlat]) => {
        const part = lines.slice(from, from + count)
        // A function in Python that is cut off looks like a shorter one.
        if (file === py && /^\s+\S/.test(lines[from + count] ?? '')) return
        const at = number % part.length
        const changed = part.map((line, index) =>
          index === at && !/import/.test(line) ? line.replace(/\w+(?=\W*$)/, '$&_changed') : line,
        )
        const cut = Math.min(...changed.flatMap(line => (line.trim() ? [/^\s*/.exec(line)?.[0].length ?? 0] : [])))
        const block = isFlat ? changed.map(line => line.slice(cut)) : changed
        const placed = placeCode(file, block.join('\n'))
        if (!placed || placed.confidence < SURE || placed.text === file) return
        const expected = [...lines.slice(0, from), ...changed, ...lines.slice(from + count)].join('\n')
        assert.equal(placed.text, expected)
      }),
      { numRuns: 400 },
    )
  }
})

test('no text makes it throw', () => {
  const line = fc.oneof(
    fc.constantFrom('a {', '}', '// ...', '@@', '+x', '-x', '  b()', 'def f():', '', '...'),
    fc.string(),
  )
  const text = fc.array(line, { maxLength: 12 }).map(lines => lines.join('\n'))
  fc.assert(fc.property(text, text, (file, block) => void placeCode(file, block, 'diff')))
})
