// Where an edit of the model goes, what it changes there, and when it is refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Edit, type Knowledge, matchEdits } from '../../../src/core/tools/matchEdits.ts'
import { matchRefusal } from '../../../src/core/tools/matchRefusal.ts'

const same: Knowledge = { is: 'same' }

function edited(text: string, edits: Edit | readonly Edit[], knowledge: Knowledge = same): string {
  const list = 'old' in edits ? [edits] : edits
  const result = matchEdits(text, list, knowledge)
  if (result.is === 'matched') return result.text
  return `refused: ${result.failures.map(({ index, problem }) => `${index} ${problem.is}`).join(', ')}`
}

function stepOf(text: string, edit: Edit): number | string {
  const result = matchEdits(text, [edit], same)
  const [first] = result.is === 'matched' ? result.edits : []
  return first?.is === 'applied' ? first.step : (first?.is ?? 'refused')
}

const edit = (old: string, fresh: string, all = false): Edit => ({ old, new: fresh, all })

describe('[A21] the six steps', () => {
  const cases: readonly [what: string, step: number, text: string, edit: Edit, expected: string][] = [
    ['exact, within a line', 1, 'let a = 1\n', edit('a = 1', 'a = 2'), 'let a = 2\n'],
    ['[A25] a dollar sign', 1, 'a\n', edit('a', "$&$1$'$$"), "$&$1$'$$\n"],
    ['carriage returns of the call', 1, 'a\nb\n', edit('a\r\nb', 'a\r\nc'), 'a\nc\n'],
    ['a byte order mark of the call', 1, 'a\nb\n', edit('\ufeffa', 'c'), 'c\nb\n'],
    [
      '[A23] white space at ends of lines, which stays',
      2,
      'if x:  \n\ty \nz\n',
      edit('if x:\n\ty\nz', 'if x:\n\ty\nw'),
      'if x:  \n\ty \nw\n',
    ],
    ['blank lines with white space', 2, 'a\n    \nb\n', edit('a\n\nb', 'a\n\nc'), 'a\n    \nc\n'],
    [
      'less indentation in the call',
      3,
      '    if a:\n        b\n',
      edit('if a:\n    b', 'if a:\n    c\n    d'),
      '    if a:\n        c\n        d\n',
    ],
    [
      'more indentation in the call',
      3,
      'if a:\n    b\n',
      edit('    if a:\n        b', '    if a:\n        c'),
      'if a:\n    c\n',
    ],
    [
      'spaces for tabs',
      3,
      '\tif a {\n\t\tb\n\t}\n',
      edit('  if a {\n    b\n  }', '  if a {\n    c\n      d\n  }'),
      '\tif a {\n\t\tc\n\t\t\td\n\t}\n',
    ],
    [
      'tabs for spaces',
      3,
      '  if a {\n    b\n  }\n',
      edit('\tif a {\n\t\tb\n\t}', '\tif a {\n\t\tb\n\t\tc\n\t}'),
      '  if a {\n    b\n    c\n  }\n',
    ],
    [
      '[A23] typographic quotes, of which the others stay',
      4,
      'say(“it’s”, 1) // “x”\n',
      edit('say("it\'s", 1)', 'say("it\'s", 2)'),
      'say(“it’s”, 2) // “x”\n',
    ],
    ['dashes and spaces', 4, 'a\u00a0– b\n', edit('a - b', 'a - c'), 'a\u00a0– c\n'],
    ['all of that together', 5, '  “a”  \n  x\n', edit('"a"\nx', '"b"\nx'), '  “b”  \n  x\n'],
    ['escapes written out', 6, 'a\n\t"b"\nc\n', edit('a\\n\\t\\"b\\"', 'a\\n\\t\\"d\\"'), 'a\n\t"d"\nc\n'],
    ['line numbers', 1, 'a\nb\nc\n', edit('2\tb\n3\tc', '2\tb\n3\td'), 'a\nb\nd\n'],
    ['line numbers in the old text alone', 1, 'a\nb\nc\n', edit('2\tb\n3\tc\n', 'b\nd\n'), 'a\nb\nd\n'],
    ['a last line without its end', 1, 'a\nb', edit('b', 'c'), 'a\nc'],
    ['a last line that the call ends', 2, 'a\nb ', edit('a\nb\n', 'a\nc\n'), 'a\nc '],
  ]
  for (const [what, step, text, one, expected] of cases) {
    test(what, () => {
      assert.equal(edited(text, one), expected)
      assert.equal(stepOf(text, one), step)
    })
  }

  test('a file whose lines really begin with numbers', () => {
    assert.equal(edited('1\ta\n2\tb\n', edit('1\ta\n2\tb', '1\tx\n2\ty')), '1\tx\n2\ty\n')
  })
})

describe('[A21] one place or none', () => {
  const cases: readonly [what: string, text: string, edit: Edit, expected: string][] = [
    ['two places', 'a\nb\na\n', edit('a', 'c'), 'refused: 0 several'],
    ['places that overlap', 'aaa\n', edit('aa', 'b'), 'refused: 0 several'],
    [
      'an exact place, and one but for white space at ends',
      'a(1)\nb\nx\na(1) \nb\n',
      edit('a(1)\nb', 'c'),
      'refused: 0 several',
    ],
    [
      'an exact place, and one but for typography',
      'f("x")\ng(“x”)\nf(“x”)\n',
      edit('f("x")', 'c'),
      'refused: 0 several',
    ],
    ['an exact place, and one with other indentation', 'a\nb\n  a\n  b\n', edit('a\nb\n  a', 'c'), 'c\n  b\n'],
    [
      'a place with other indentation, and one but for typography',
      '  f("x")\n  y\n    f(“x”)\n    y\n',
      edit('    f("x")\n    y', '    c'),
      'refused: 0 several',
    ],
    ['two places of a later step, and no still later one', ' a \n a \n', edit('a\t', 'c'), 'refused: 0 several'],
    ['every place', 'a b a\n', edit('a', 'c', true), 'c b c\n'],
    ['every place is exact', '“a”\n', edit('"a"', 'c', true), 'refused: 0 none'],
    [
      '[A22] a text that is only like it',
      'function total(items) {\n  return 1\n}\n',
      edit('function total(item) {\n  return 1\n}', 'x'),
      'refused: 0 none',
    ],
    ['[A22] first and last line alone', 'a {\n  one\n}\n', edit('a {\n  two\n}', 'a {\n  three\n}'), 'refused: 0 none'],
    ['indentation that differs by no constant', 'if a:\n  b\n    c\n', edit('if a:\n  b\n  c', 'x'), 'refused: 0 none'],
    ['a part of a line in a later step', 'foo(bar, baz)\n', edit('  bar,', '  x,'), 'refused: 0 none'],
    ['a new line that the shift cannot indent', 'b\nc\n', edit('    b\n    c', '  a\n    b'), 'refused: 0 none'],
    ['[A26] the same text', 'a\n', edit('a', 'a'), 'refused: 0 nothing'],
    ['an empty old text', 'a\n', edit('', 'b'), 'refused: 0 empty'],
    ['an empty file', '', edit('', 'b\n'), 'b\n'],
    [
      '[A27] a line that stands for others',
      'a\nb\nc\n',
      edit('a\nb\nc', 'x\n// ... existing code ...\n'),
      'refused: 0 omission',
    ],
    ['numbers in some of the new lines', 'a\nb\n', edit('1\ta\n2\tb', '1\ta\nc'), 'refused: 0 numbers'],
  ]
  for (const [what, text, one, expected] of cases) test(what, () => assert.equal(edited(text, one), expected))
})

test('[A27] which lines stand for others, and which only look so', () => {
  const refused = [
    '// rest of the code unchanged',
    '# ... rest of file ...',
    '/* existing methods remain unchanged */',
    '<!-- rest of the content -->',
    '... existing code ...',
    '-- (rest of the function)',
    '// ... other methods ...',
    '# unchanged',
  ]
  const written = [
    '// the rest of the world',
    'rest of the code',
    '...',
    '# existing users keep their plan',
    '// other',
    'return code',
    '// unchanged since 2019 because of #12',
  ]
  for (const line of refused) assert.equal(edited('a\nb\nc\n', edit('a\nb', `x\n${line}`)), 'refused: 0 omission', line)
  for (const line of written)
    assert.notEqual(edited('a\nb\nc\n', edit('a\nb', `x\n${line}`)), 'refused: 0 omission', line)
  assert.notEqual(
    edited('a\n// rest of file\n', edit('a\n// rest of file', 'b\n// rest of file')),
    'refused: 0 omission',
  )
})

test('[A09] an edit that was made before is there already', () => {
  assert.equal(stepOf('const answer = 42\nx\n', edit('const answer = 41', 'const answer = 42')), 'there')
  assert.equal(stepOf('}\nfoo\n', edit('bar()', '}')), 'refused', 'too little to know')
  assert.equal(stepOf('a\nB long enough\n', edit('a\nb long enough', 'a')), 'refused', 'nothing of its own')
})

test('[A24] all edits in order, or none, with all failures', () => {
  const edits = [edit('a', 'b'), edit('b\nc', 'd')]
  assert.equal(edited('a\nc\n', edits), 'd\n')
  assert.equal(edited('a\nc\n', [edit('x', 'y'), edit('a', 'b'), edit('z', 'y')]), 'refused: 0 none, 2 none')
})

describe('2.6: what the model knows', () => {
  const unseen: Knowledge = { is: 'unseen' }
  test('a file that it has not read: exact and whole lines', () => {
    assert.equal(edited('a b\nc\n', edit('a b', 'x'), unseen), 'x\nc\n')
    assert.equal(edited('a b\nc\n', edit('a', 'x'), unseen), 'refused: 0 part of line')
    assert.equal(edited('a b \nc\n', edit('a b\nc', 'x'), unseen), 'refused: 0 none')
  })

  const changed = (seen: string): Knowledge => ({ is: 'changed', seen })
  const cases: readonly [what: string, seen: string, now: string, edit: Edit, expected: string][] = [
    ['a change elsewhere', 'a\nb\nc\nd\n', 'a\nb\nc\nnew\n', edit('a', 'x'), 'x\nb\nc\nnew\n'],
    ['lines that moved down', 'a\nb\nc\n', 'n\nn2\na\nb\nc\n', edit('b', 'x'), 'n\nn2\na\nx\nc\n'],
    ['the place is a part of a line by now', 'aaa\nbbb\n', 'aaa\nbbb-x\n', edit('bbb', 'c'), 'refused: 0 changed'],
    ['the line was another one', 'aaa\nbbb-x\n', 'aaa\nbbb\n', edit('bbb', 'c'), 'refused: 0 changed'],
    ['the place was one of two', 'b\na\nb\n', 'a\nb\n', edit('b', 'c'), 'refused: 0 changed'],
    ['the place is one of two', 'a\nb\n', 'b\na\nb\n', edit('b', 'c'), 'refused: 0 several'],
    [
      'the same line at another place',
      'a\nuse(x)\nb\nc\n',
      'a\nb\nc\nuse(x)\n',
      edit('use(x)', 'y'),
      'refused: 0 changed',
    ],
    ['every place, and no place is another', 'a\nb\na\n', 'n\na\nb\na\n', edit('a', 'c', true), 'n\nc\nb\nc\n'],
    ['every place, and one more', 'a\nb\n', 'a\nb\na\n', edit('a', 'c', true), 'refused: 0 changed'],
    ['white space of the line has changed', 'a\n  b\n', 'a\n    b\n', edit('b', 'c'), 'refused: 0 changed'],
    [
      'made before by somebody else',
      'value = oldName\n',
      'value = newName\n',
      edit('value = oldName', 'value = newName'),
      'value = newName\n',
    ],
  ]
  for (const [what, seen, now, one, expected] of cases) {
    test(what, () => assert.equal(edited(now, one, changed(seen)), expected))
  }
})

describe('[A20] a refusal has the present text', () => {
  function refusal(text: string, edits: readonly Edit[], knowledge: Knowledge = same, mayShow = true): string {
    const result = matchEdits(text, edits, knowledge)
    assert.ok(result.is === 'failed')
    const seen = knowledge.is === 'changed' ? knowledge.seen : undefined
    return matchRefusal(result.failures, { path: 'src/a.ts', text, seen, edits: edits.length, mayShow })
  }
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

  test('the closest place with numbers, and the first line that differs', () => {
    const text = `${[...lines(60), 'function a() {', '  return one', '}', ...lines(60)].join('\n')}\n`
    const answer = refusal(text, [edit('function a() {\n  return two\n}', 'x')])
    assert.match(answer, /^old_text is not in "src\/a\.ts"\. The closest place is at line 61:\n/)
    assert.match(answer, /\n61\tfunction a\(\) \{\n62\t {2}return one\n63\t\}\n/)
    assert.match(
      answer,
      /The first line that differs is 62:\nin the file: " {2}return one"\nin old_text: " {2}return two"\nCopy old_text/,
    )
    assert.equal(answer.match(/^\d+\t/gm)?.length, 20)
  })

  test('every place of several, with lines around it', () => {
    const answer = refusal('a\nx\nb\nc\nx\nd\n', [edit('x', 'y')])
    assert.match(
      answer,
      /^old_text is in "src\/a\.ts" 2 times\. It begins at the lines 2, 5:\n1\ta\n2\tx\n3\tb\n4\tc\n--\n3\tb\n4\tc\n5\tx\n6\td\nAdd lines/,
    )
  })

  test('all failures of a call, and what has changed since', () => {
    const answer = refusal('a\nb2\nc\n', [edit('b', 'x'), edit('zzzz', 'y'), edit('c', 'd')], {
      is: 'changed',
      seen: 'a\nb\nc\n',
    })
    assert.match(answer, /^No edit of "src\/a\.ts" was made\. Of 3 edits 2 of them cannot be/)
    assert.match(answer, /\n\nEdit 1: The lines of this edit .*\n\nEdit 2: old_text is not in/s)
    assert.match(answer, /\n\n"src\/a\.ts" has changed since you read it:\n@@ -1,3 \+1,3 @@\n a\n-b\n\+b2\n c$/)
  })

  test('[T45] nothing of a file about which the user is asked', () => {
    const answer = refusal('TOKEN=abc\nx\nx\n', [edit('TOKEN=abd', 'y'), edit('x', 'y')], same, false)
    assert.doesNotMatch(answer, /abc/)
  })
})

const line = fc.constantFrom('a', 'b', '  a', '\ta', '}', '', 'foo(bar)', '“x”', '"x"', 'a  ', '1\ta', '\\n')
const someText = fc.array(line, { maxLength: 12 }).map(lines => lines.join('\n'))

test('any edit of any text is made or refused; what is made changes nothing but its place', () => {
  fc.assert(
    fc.property(someText, someText, someText, fc.boolean(), (text, old, fresh, all) => {
      const result = matchEdits(text, [edit(old, fresh, all)], same)
      if (result.is === 'failed') {
        const answer = matchRefusal(result.failures, { path: 'a', text, edits: 1, mayShow: true })
        assert.ok((answer.match(/[.:](?:\s|$)/g) ?? []).length >= 3, answer)
        return
      }
      const [first] = result.edits
      if (first?.is !== 'applied') return assert.equal(result.text, text)
      const [from, to] = [first.places[0], first.places.at(-1)]
      assert.ok(
        from && to && result.text.startsWith(text.slice(0, from.start)) && result.text.endsWith(text.slice(to.end)),
      )
    }),
    { numRuns: 3_000 },
  )
})

test('an edit of a text that has changed elsewhere is the same edit', () => {
  fc.assert(
    fc.property(someText, fc.nat(11), fc.nat(11), (text, at, other) => {
      const lines = text.split('\n')
      const target = lines[at]
      if (target === undefined || target === '' || Math.abs(at - other) < 2 || other >= lines.length) return
      const now = lines.with(other, `${lines[other]} changed by the user`).join('\n')
      const result = matchEdits(now, [edit(target, 'the new line')], { is: 'changed', seen: text })
      if (result.is === 'failed') return
      const [first] = result.edits
      assert.equal(
        result.text,
        now
          .split('\n')
          .with(at, lines[at]?.replace(target, () => 'the new line') ?? '')
          .join('\n'),
        JSON.stringify(first),
      )
    }),
    { numRuns: 3_000 },
  )
})
