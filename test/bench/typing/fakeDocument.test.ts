// When the editor closes a bracket or a quote, and what backspace makes of a pair.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeDocument } from './fakeDocument.ts'

/** The cursor is at the `|`. */
function documentAt(marked: string, language = 'typescript'): FakeDocument {
  const cursor = marked.indexOf('|')
  return new FakeDocument({ text: marked.replace('|', ''), cursor, language, closesPairs: true })
}

const marked = ({ text, cursor }: FakeDocument) => `${text.slice(0, cursor)}|${text.slice(cursor)}`

const cases: readonly (readonly [before: string, key: string, after: string, language?: string])[] = [
  ['f|', '(', 'f(|)'],
  ['f| + 1', '(', 'f(|) + 1'],
  ['f|;', '[', 'f[|];'],
  ['f|a', '(', 'f(|a'],
  ['f|"', '(', 'f(|"'],
  ['a = |', '"', 'a = "|"'],
  ['don|', "'", "don'|"],
  ['// a |', "'", "// a '|"],
  ['/* a |', "'", "/* a '|"],
  ['"a |', "'", '"a \'|'],
  ['# a |', '"', '# a "|', 'python'],
  ['echo $# |', '"', 'echo $# "|"', 'shellscript'],
  ['""|', '"', '"""|', 'python'],
  ['print(f|)', '"', 'print(f"|")', 'python'],
  ['f"{a[|]}"', "'", 'f"{a[\'|\']}"', 'python'],
  ['f"{{|', "'", 'f"{{\'|', 'python'],
  ['f"|"', '{', 'f"{|}"', 'python'],
  ['css|', '`', 'css`|`'],
  ['`$|`', '{', `\`\${|}\``],
  [`\`a \${b ? |}\``, "'", `\`a \${b ? '|'}\``],
  [`\`a \${b} |\``, "'", `\`a \${b} '|\``],
  ['&|', "'", "&'|", 'rust'],
  ['it is |', "'", "it is '|", 'markdown'],
  ['see |', '[', 'see [|]', 'markdown'],
  ['<a href=|>', '"', '<a href="|">', 'html'],
  ['onclick="f(|)"', "'", 'onclick="f(\'|\')"', 'html'],
  ['content: "|"', '(', 'content: "(|"', 'css'],
  ['a: |', '{', 'a: {|}', 'yaml'],
]

for (const [before, key, after, language] of cases) {
  test(`${before} and ${key} make ${after}`, () => {
    const document = documentAt(before, language)
    document.type(key)
    assert.equal(marked(document), after)
  })
}

test('backspace takes a pair, but only one that the editor closed', () => {
  const own = documentAt('f|')
  own.type('(')
  own.backspace()
  assert.equal(marked(own), 'f|')
  const old = documentAt('f(|)')
  old.backspace()
  assert.equal(marked(old), 'f|)')
})

test('enter makes three lines of a pair that the editor closed, and two elsewhere', () => {
  const pair = documentAt('  f|')
  pair.type('(')
  pair.enter('    ')
  assert.equal(marked(pair), '  f(\n    |\n  )')
  const old = documentAt('f(|)')
  old.enter('  ')
  assert.equal(marked(old), 'f(\n  |)')
})

test('only what the editor closed is typed over', () => {
  const document = documentAt('f(a|)')
  document.type(')')
  assert.equal(marked(document), 'f(a)|)')
})
