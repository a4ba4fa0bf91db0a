// What is left of an answer, case by case; and what holds for any answer.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { clean, cleanSoFar } from '../../../src/core/complete/clean.ts'
import { cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import { fitTo, mergedLine, trim } from '../../../src/core/complete/trim.ts'
import { type Look, snapshotAt } from './snapshots.ts'

/** The document with its cursor, the model's answer, and the cursor's line afterwards (with the lines it brought). */
type Case = readonly [name: string, document: string, text: string, line: string, look?: Look]

const python: Look = { language: 'python', path: 'a.py', indent: '    ' }
const go: Look = { language: 'go', path: 'a.go', indent: '\t' }
const rust: Look = { language: 'rust', path: 'a.rs', indent: '    ' }
const markdown: Look = { language: 'markdown', path: 'a.md' }
const json: Look = { language: 'json', path: 'a.json' }
const html: Look = { language: 'html', path: 'a.html' }
const yaml: Look = { language: 'yaml', path: 'a.yaml' }

const groups: Readonly<Record<string, readonly Case[]>> = {
  'line ends and strange characters': [
    ['CRLF becomes LF', 'f(|', 'a,\r\n  b)', 'f(a,\n  b)'],
    ['a lone CR too', 'f(|', 'a,\r  b)', 'f(a,\n  b)'],
    ['a byte order mark goes', 'const a = |', '\ufeff1 + b', 'const a = 1 + b'],
    ['zero-width marks at both ends go', 'const a = |', '\u200bvalue\u200b', 'const a = value'],
    ['half a pair goes', "s = '|", "ok\ud83d'", "s = 'ok'"],
    ['a whole pair stays', "s = '|", "ok😀'", "s = 'ok😀'"],
  ],
  thoughts: [
    ['thoughts go', 'const a = |', '<think>What is a?\nOne.</think>\nvalue', 'const a = value'],
    ['thoughts without an end mean nothing', 'const a = |', '<think>What is a', 'const a = '],
    ['thoughts without a beginning go', 'const a = |', 'What is a?</think>value', 'const a = value'],
    ['other spelling', 'const a = |', '<thinking>x</thinking>value', 'const a = value'],
  ],
  'tags and tokens': [
    ['the tags go', 'const a = |', '<insert>value</insert>', 'const a = value'],
    ['the tag that is not closed goes', 'const a = |', '<insert>value', 'const a = value'],
    ['talk before the tag goes', 'const a = |', 'Sure, here it is: <insert>value</insert>', 'const a = value'],
    ['what comes after the tag goes', 'const a = |', '<insert>value</insert>\nThat is it.', 'const a = value'],
    ['an empty answer', 'const a = |', '<insert></insert>', 'const a = '],
    ['a control token ends it', 'const a = |', 'value<|im_end|>\nuser', 'const a = value'],
    ['a control token before it goes', 'const a = |', '<|fim_middle|>value', 'const a = value'],
    ['an invented turn ends it', 'const a = |', 'value\nUser: next', 'const a = value'],
    ['the cursor mark ends it', 'const a = |', 'value▮ + 1', 'const a = value'],
    ['an operator is no token', 'a = b |', '<|> c', 'a = b <|> c', { language: 'haskell' }],
  ],
  fences: [
    ['a fence goes', 'const a = |', '```ts\nvalue\n```', 'const a = value'],
    ['a fence without an end goes', 'const a = |', '```\nvalue', 'const a = value'],
    ['tildes too', 'const a = |', '~~~\nvalue\n~~~', 'const a = value'],
    [
      'talk around the fence goes',
      'const a = |',
      'Here is the code:\n\n```ts\nvalue\n```\nIt is good.',
      'const a = value',
    ],
    ['only the beginning of a fence', 'const a = |', '```ts', 'const a = '],
    ['the fence inside the tags goes', 'const a = |', '<insert>```ts\nvalue\n```</insert>', 'const a = value'],
    ['a fence stays in prose', 'Run\n|', '```sh\nnpm i\n```', '```sh\nnpm i\n```', markdown],
    ['a fence stays in a comment', '/**\n * |\n */', '```ts\n * f()\n * ```', ' * ```ts\n * f()\n * ```'],
    ['single backticks go', 'a = |', '`value`', 'a = value', python],
    ['single backticks stay where they are a template', 'const a = |', '`value`', 'const a = `value`'],
  ],
  talk: [
    ['a preamble goes', 'const a = |', "Here's the completion:\nvalue", 'const a = value'],
    ['with its blank line', 'const a = |', 'Sure! Here is the missing code:\n\nvalue', 'const a = value'],
    ['one word and a colon', 'const a = |', 'Answer:\nvalue', 'const a = value'],
    ['a key in YAML is no preamble', 'a: 1\n|', 'output:\n  x: 1', 'output:\n  x: 1', yaml],
    [
      'a line of Python with a colon is none',
      '|\n',
      'for item in items:\n    go(item)',
      'for item in items:\n    go(item)',
      python,
    ],
    ['a sentence means nothing', 'const a = |', 'The value of a is not known here.', 'const a = '],
    ['an excuse means nothing', 'const a = |', "I'm sorry, but I cannot complete this code.", 'const a = '],
    ['a sentence stays in a comment', '// |', 'The value is not known here.', '// The value is not known here.'],
    [
      'a sentence stays in a string',
      "const s = '|'",
      'The value is not known here.',
      "const s = 'The value is not known here.'",
    ],
    [
      'a sentence stays in prose',
      '|\n',
      'The value is not known to us here.',
      'The value is not known to us here.',
      markdown,
    ],
    ['the path above the code goes', '|\n', '// src/a.ts\nconst a = b', 'const a = b'],
    ['another comment stays', '|\n', '// adds\nconst a = b', '// adds\nconst a = b'],
    ['a placeholder ends it', '|\n', 'const a = b\n// ... existing code ...\nconst c = d', 'const a = b'],
    ['three dots end it', '|\n', 'const a = b\n// ...', 'const a = b'],
    ['the rest of something ends it', '|\n', 'a = b\n# rest of the code unchanged', 'a = b', python],
  ],
  repeats: [
    ['the line so far', '  const total = |', 'const total = sum(a)', '  const total = sum(a)'],
    ['the line so far, indented', '  const total = |', '  const total = sum(a)', '  const total = sum(a)'],
    ['the line so far without its blank', 'return |', 'return sum(a)', 'return sum(a)'],
    ['the half-typed word', 'const a = items.ma|', 'map(x => x)', 'const a = items.map(x => x)'],
    ['one character is no word', 'const a = b + a|', 'append', 'const a = b + aappend'],
    ['lines above and the line so far', 'const a = f()\nconst b = |', 'const a = f()\nconst b = g()', 'const b = g()'],
    ['the line above on an empty line', 'function f() {\n  |', 'function f() {\n  return a', '  return a'],
    [
      'several lines above',
      'const a = f()\nconst b = g()\n|',
      'const a = f()\nconst b = g()\nconst c = h()',
      'const c = h()',
    ],
    ['a lone closer is not a repeat', 'if (a) {\n  if (b) {\n    c()\n  }\n|', '}', '}'],
  ],
  'the first line': [
    ['its indentation stands there already', 'def f():\n    |', '    return a', '    return a', python],
    ['without it too', 'def f():\n    |', 'return a', '    return a', python],
    ['the indentation that is missing', 'def f():\n|', '    return a', '    return a', python],
    ['too deep', 'def f():\n    |', '        return a', '    return a', python],
    [
      'too deep, with the lines below',
      'def f():\n    |',
      '        if a:\n            b()',
      '    if a:\n        b()',
      python,
    ],
    ['blank lines first', 'def f():\n    |', '\n\n    return a', '    return a', python],
    ['a line end after an opener stays', 'function f() {|', '\n  return a\n}', 'function f() {\n  return a\n}'],
    ['written from the left edge', 'function f() {\n  |\n}', 'if (a) {\n  b()\n}', '  if (a) {\n    b()\n  }'],
  ],
  indentation: [
    [
      'spaces become tabs',
      'func f() {|',
      '\n    if a {\n        b()\n    }\n}',
      'func f() {\n\tif a {\n\t\tb()\n\t}\n}',
      go,
    ],
    [
      'two spaces become tabs',
      'func f() {|',
      '\n  if a {\n    b()\n  }\n}',
      'func f() {\n\tif a {\n\t\tb()\n\t}\n}',
      go,
    ],
    ['tabs stay tabs', 'func f() {|', '\n\treturn a\n}', 'func f() {\n\treturn a\n}', go],
    [
      'tabs become spaces',
      'function f() {|',
      '\n\tif (a) {\n\t\tb()\n\t}\n}',
      'function f() {\n  if (a) {\n    b()\n  }\n}',
    ],
    ['spaces stay spaces', 'fn f() {|', '\n    a\n}', 'fn f() {\n    a\n}', rust],
  ],
  'right of the cursor': [
    ['a bracket that stands there', 'f(|)', 'a, b)', 'f(a, b)'],
    ['a bracket and a semicolon', 'f(|);', 'a, b);', 'f(a, b);'],
    ['the semicolon that does not stand there', 'f(|)', 'a, b);', 'f(a, b);'],
    ['what goes on after the bracket', 'f(|)', 'a)\ng(b)', 'f(a)\ng(b)'],
    ['a bracket of its own', 'f(|)', 'g(a)', 'f(g(a))'],
    ['a bracket of its own and the one there', 'f(|)', 'g(a))', 'f(g(a))'],
    ['nothing but what stands there', 'f(|)', ')', 'f()'],
    ['an object over several lines', 'f({|})', '\n  a: b,\n})', 'f({\n  a: b,\n})'],
    ['an object whose last bracket is missing', 'f({|})', '\n  a: b,\n}', 'f({\n  a: b,\n})'],
    ['code to the right: one line', 'const a = | + b', 'c\nconst d = e', 'const a = c + b'],
    ['code to the right that was repeated', 'const a = | + b', 'c + b', 'const a = c + b'],
    ['code to the right that was repeated with more', 'const a = | + b', 'c + b;\nd()', 'const a = c + b'],
    ['arguments to the right', 'f(|b, c)', 'aa, ', 'f(aa, b, c)'],
    ['inside a word: its end', 'con|ole.log(a)', 'sole.log(a)', 'console.log(a)'],
    ['inside a word: an exact end', 'getV|Name()', 'alueByName', 'getValueByName()'],
    ['inside a word: something else', 'getV|Name()', 'alue', 'getVName()'],
    ['two words must not become one', 'f(|bar)', 'foo', 'f(bar)'],
    ['a semicolon to the right', 'const a = |;', 'f(b);', 'const a = f(b);'],
  ],
  strings: [
    ['up to the closing quote', "import a from '|' with", "node:fs'\nimport b", "import a from 'node:fs' with"],
    ['an escaped quote goes on', "const a = '|'", "it\\'s'", "const a = 'it\\'s'"],
    ['one line', "const a = '|'", 'one\ntwo', "const a = 'one'"],
    ['without a closing quote it may close', "const a = '|", "one'", "const a = 'one'"],
    ['a template over lines', 'const a = `|`', 'one\ntwo`', 'const a = `one\ntwo`'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the document's
    ['the hole of a template', 'const a = `x ${|}`', 'b}`', 'const a = `x ${b}`'],
    ['a bracket in a string is none', 'f(|)', "')')", "f(')')"],
  ],
  brackets: [
    ['the block around ends it', 'function f() {\n  |\n}\n', 'return a\n}\n\nfunction g() {}', '  return a'],
    [
      'the block of its own is closed',
      'function f() {\n  |\n}\n',
      'if (a) {\n    b()\n  }\n}',
      '  if (a) {\n    b()\n  }',
    ],
    [
      'a block that nobody closes is ours',
      'function f() {|',
      '\n  return a\n}\nconst b = c',
      'function f() {\n  return a\n}\nconst b = c',
    ],
    ['one too many', 'const a = [|', 'b, c]]', 'const a = [b, c]'],
    ['of another kind', 'const a = [|', 'b, c)', 'const a = [b, c'],
    ['the outer one is reserved', 'if (|\n}\n', 'a) {\n  b()\n}', 'if (a) {\n  b()'],
    ['in a comment they are text', '// see (|', 'above) and (below)', '// see (above) and (below)'],
    ['in prose they are text', 'see |\n', 'a) and b)', 'see a) and b)', markdown],
    ['a character is no bracket', 'let a = |\n', "b == ')';", "let a = b == ')';", rust],
    ['a regular expression is none', 'const a = |', '/[)]/.test(b)', 'const a = /[)]/.test(b)'],
    ['an entry of JSON', '{\n  "a": |\n}', '{ "b": 1 }\n}', '  "a": { "b": 1 }', json],
  ],
  'below the cursor': [
    ['a line that stands there', '|\nconst b = c\n', 'const a = b\nconst b = c', 'const a = b'],
    ['with other indentation', '  |\n  const b = c\n', 'const a = b\nconst b = c', '  const a = b'],
    ['the very first line', '|\nconst b = c\n', 'const b = c', ''],
    ['a closer where it stands', 'a(() => {\n  |\n})', 'b()\n})', '  b()'],
    ['a closer elsewhere is another', 'if (a) {\n  if (b) {|\n}\n', '\n    c()\n  }\n}', '  if (b) {\n    c()\n  }'],
    ['markup', '<ul>\n  |\n</ul>', '<li>a</li>\n</ul>', '  <li>a</li>', html],
  ],
  'the end of the block': [
    ['a line to the left', 'def f():\n    |\n', 'return a\n\ndef g():', '    return a', python],
    ['the same block goes on', 'def f():\n    |\n', 'a = b\n    return a', '    a = b\n    return a', python],
    ['after a header', 'def f():|', '\n    return a\nprint(b)', 'def f():\n    return a\nprint(b)', python],
    ['a line to the left that closes nothing', 'class A {\n  |\n}', 'a = b\nconst c = d', '  a = b'],
    [
      'a string may stand anywhere',
      'def f():\n    |\n',
      'a = """\nleft\n"""\n    return a',
      '    a = """\nleft\n"""\n    return a',
      python,
    ],
  ],
  'between closed pairs': [
    ['a list of strings', "const a = ['|']", "a', 'b'],", "const a = ['a', 'b'],"],
    ['only the text of the string', "const a = ['|']", 'a', "const a = ['a']"],
    ['nested calls', 'print(len(|))', 'x) for x in y)', 'print(len(x) for x in y)', python],
    ['the rest of a call that goes on', 'f(g(|))', 'x), y)', 'f(g(x), y)'],
    ['type arguments', 'const a: Map<|>', 'string, number> = new Map()', 'const a: Map<string, number> = new Map()'],
    ['an arrow is no closer', 'const a: Promise<|>', '() => void>', 'const a: Promise<() => void>'],
    ['a template hole', 'const a = `\x24{|}`', 'name} of \x24{count}`', 'const a = `\x24{name} of \x24{count}`'],
    ['an attribute', '<a href="|">', '/b" class="c">', '<a href="/b" class="c">', { language: 'html' }],
    ['a string that is open to the end of the line', 'print(f"|)', '{x}")', 'print(f"{x}")', python],
    [
      'a body, and more arguments behind it',
      'useEffect(() => {|})',
      '\n  a()\n}, [])',
      'useEffect(() => {\n  a()\n}, [])',
    ],
    ['a body that is not at its end is closed', 'f(a.map(|))', 'b => {\n  c(b)', 'f(a.map(b => {\n  c(b)\n}))'],
    ['punctuation that the answer lacks stays', 'f(|),', 'a).b', 'f(a).b,'],
    ['punctuation that the answer has', 'f(|),', 'a).b,', 'f(a).b,'],
    ['what does not close it all stays before it', 'f(|)', 'a', 'f(a)'],
    ['blanks must be there too', 'if (|) {', 'a) {', 'if (a) {'],
    ['a block below', 'if (|) {', 'a) {\n  b()\n}', 'if (a) {\n  b()\n}'],
  ],
  repetition: [
    ['three times the same line', '|\n', 'go(a)\ngo(a)\ngo(a)', 'go(a)'],
    ['a circle within a line', 'const s = |', 'foo, foo, foo, foo, foo', 'const s = foo'],
    ['a ruler is no circle', '// |', '----------------', '// ----------------'],
    ['zeros are no circle', 'const a = [|', '0, 0, 0, 0, 0]', 'const a = [0, 0, 0, 0, 0]'],
  ],
  'nothing left': [
    ['blanks', 'const a = |', '  \n \n', 'const a = '],
    ['blanks at the end go', 'const a = |', 'b  \n\n', 'const a = b'],
    ['punctuation that stands there', 'f(a|, b)', ',', 'f(a, b)'],
  ],
}

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    for (const [name, document, text, line, look] of cases) {
      test(name, () => {
        const snapshot = snapshotAt(document, look)
        assert.equal(mergedLine(trim(text, snapshot), cursorContextOf(snapshot)), line)
      })
    }
  })
}

describe('an answer that is still coming', () => {
  const all = Object.entries(groups).flatMap(([group, cases]) => cases.map(one => ({ group, one })))

  test('only whole lines count, and nothing while the model repeats its way to the cursor', () => {
    const cursor = cursorContextOf(snapshotAt('const a = f()\nconst b = |'))
    assert.equal(cleanSoFar('con', cursor), '')
    assert.equal(cleanSoFar('const a = f()\n', cursor), '')
    assert.equal(cleanSoFar('const a = f()\nconst b = g()\n', cursor), 'g()')
    assert.equal(cleanSoFar('g()\nnext', cursor), 'g()')
  })

  for (const { group, one } of all) {
    const [name, document, text, , look] = one
    test(`${group}: ${name}: what was there stays`, () => {
      const cursor = cursorContextOf(snapshotAt(document, look))
      let before = ''
      for (let end = 0; end <= text.length; end++) {
        const soFar = cleanSoFar(text.slice(0, end), cursor)
        const isRestart = group === 'thoughts' || name.startsWith('written from') || name.startsWith('two spaces')
        assert.ok(isRestart || soFar.startsWith(before), `${JSON.stringify(before)} became ${JSON.stringify(soFar)}`)
        before = soFar
      }
    })
  }
})

describe('any answer', () => {
  const words = [
    'a',
    'foo',
    'b1',
    ' ',
    '  ',
    '\n',
    '\n  ',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ';',
    ',',
    '"',
    "'",
    '`',
    '=',
    '//',
    '.',
  ]
  const code = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map(parts => parts.join(''))
  const languages = fc.constantFrom('typescript', 'python', 'go', 'markdown', 'json')
  const place = fc.record({ before: code, after: code, answer: code, language: languages })
  const cursorContextIn = ({ before, after, language }: { before: string; after: string; language: string }) =>
    cursorContextOf(snapshotAt(`${before}|${after}`, { language }))

  test('the rest of the line survives', () => {
    fc.assert(
      fc.property(place, one => {
        const cursor = cursorContextIn(one)
        const merged = mergedLine(trim(one.answer, snapshotAt(`${one.before}|${one.after}`, one)), cursor)
        assert.ok(merged.startsWith(cursor.lineBefore))
        assert.ok(isSubsequence(cursor.lineAfter.trim(), merged.slice(cursor.lineBefore.length)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a line that is one of those below only without the rest of its own is not said again either', () => {
    assert.equal(fitTo('\na,', cursorContextOf(snapshotAt('|,\na'))).insert, '')
  })

  test('cutting twice cuts no more than cutting once', () => {
    fc.assert(
      fc.property(place, one => {
        const cursor = cursorContextIn(one)
        // Whether it ends a word that goes on after the cursor shows only in the whole answer.
        fc.pre(!/^\w/.test(cursor.lineAfter))
        const once = fitTo(one.answer, cursor)
        // What takes the place of the rest of the line contains it, and is not cut again; nor is a block that is closed.
        fc.pre(once.overwrittenChars === 0)
        const twice = fitTo(once.insert, cursor)
        fc.pre(twice.overwrittenChars === 0)
        assert.equal(twice.insert, once.insert)
      }),
      { numRuns: 1_000 },
    )
  })

  test('what follows the cursor is not said again', () => {
    const plain = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6}){0,3}$/)
    fc.assert(
      fc.property(plain, plain, (answer, rest) => {
        const snapshot = snapshotAt(`f(x, |${` + ${rest}`}`)
        const { insert } = fitTo(`${answer} + ${rest}`, cursorContextOf(snapshot))
        assert.equal(insert, answer)
      }),
    )
  })

  test('text that is whole and alone comes out as it went in', () => {
    const name = fc.stringMatching(/^[a-z]{3,8}$/)
    fc.assert(
      fc.property(name, name, (a, b) => {
        const cursor = cursorContextOf(snapshotAt('const value = |\n'))
        assert.equal(fitTo(clean(`<insert>${a}(${b})</insert>`, cursor), cursor).insert, `${a}(${b})`)
      }),
    )
  })
})

function isSubsequence(small: string, large: string): boolean {
  let at = 0
  for (const char of large) if (char === small[at]) at++
  return at === small.length
}
