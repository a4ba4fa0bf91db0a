// The next edit: a changed name at its other places, the fix of a problem that an edit has caused, what a model suggests.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Problem } from '../../../src/core/nextEdit/languageServer.ts'
import { a, b, NextEditHarness as Harness } from './nextEditHarness.ts'

describe('a changed name', () => {
  const start = 'const count| = 1\nadd(count)\nlog(count)\n'

  test('is carried on to its other places, one after the other, and then nothing is offered', async () => {
    const harness = new Harness('count')
    assert.equal(await harness.type(start), undefined)
    assert.equal(
      await harness.type('const counter| = 1\nadd(count)\nlog(count)\n'),
      'const counter = 1\nadd(counter)\nlog(count)\n',
    )
    assert.equal(await harness.apply(), 'const counter = 1\nadd(counter)\nlog(counter)\n')
    assert.equal(await harness.apply(), undefined)
    assert.equal(await harness.type('const counter = 1\nadd(counter)\nlog(counter|)\n'), undefined)
  })

  test('may be changed at a use, with places above, and goes on changing while it is offered', async () => {
    const harness = new Harness('count')
    await harness.type('const count = 1\nadd(count|)\n')
    assert.equal(await harness.type('const count = 1\nadd(counts|)\n'), 'const counts = 1\nadd(counts)\n')
    harness.edits.follow(harness.followed.change('const count = 1\nadd(countsOf|)\n'), [])
    assert.equal(harness.result, 'const countsOf = 1\nadd(countsOf)\n')
  })

  test('is carried on file by file', async () => {
    const harness = new Harness('count')
    harness.followed.change("import { count } from './a'\ncount()\n|", { id: b })
    await harness.type('export const count| = 1\n')
    assert.equal(await harness.type('export const total| = 1\n'), "import { total } from './a'\ncount()\n")
    assert.equal(await harness.apply(), "import { total } from './a'\ntotal()\n")
    assert.equal(await harness.apply(), undefined)
  })

  test('brings with it what the language writes around it', async () => {
    const harness = new Harness('count')
    harness.around = ['count: ', '']
    await harness.type('const count| = 1\nexport { count }\n')
    assert.equal(await harness.type('const sum| = 1\nexport { count }\n'), 'const sum = 1\nexport { count: sum }\n')
  })

  test('has no $ of its own in PHP, though the language writes one', async () => {
    const harness = new Harness('count')
    harness.language = 'php'
    harness.around = ['$', '']
    await harness.type('$count| = 1;\nadd($count);\n')
    assert.equal(await harness.type('$total| = 1;\nadd($count);\n'), '$total = 1;\nadd($total);\n')
  })

  test('moves with what the user types, and goes where its place is changed', async () => {
    const harness = new Harness('count')
    await harness.type(start)
    await harness.type('const total| = 1\nadd(count)\nlog(count)\n')
    assert.equal(
      await harness.type('const total = 1\nadd(1, |count)\nlog(count)\n'),
      'const total = 1\nadd(1, total)\nlog(count)\n',
    )
    assert.equal(
      await harness.type('const total = 1\nadd(1, co|)\nlog(count)\n'),
      'const total = 1\nadd(1, co)\nlog(total)\n',
    )
  })

  const others: [string, string[]][] = [
    ['a name that the language does not know', ['const x| = 1\nx()\n', 'const y| = 1\nx()\n']],
    ['the name of something else, to which the user has turned', [start, 'const add| = 1\nadd(count)\nlog(count)\n']],
    ['more than the name', ['const count| = 1\ncount\n', 'const counter = 1\nnext(|)\ncount\n']],
    ['what was written behind the name', ['add(count|)\ncount\n', 'add(count.length|)\ncount\n']],
    ['what was written before it', ['add(|count)\ncount\n', 'add(await |count)\ncount\n']],
    ['all places at once', [start, 'const total| = 1\nadd(total)\nlog(total)\n']],
    ['a name that was put back', [start, 'const coun| = 1\nadd(count)\nlog(count)\n', start]],
  ]
  for (const [name, steps] of others) {
    test(`is not seen in ${name}`, async () => {
      const harness = new Harness('count')
      let result: string | undefined
      for (const marked of steps) result = await harness.type(marked)
      assert.equal(result, undefined)
    })
  }

  test('that was refused is not offered again for ten minutes', async () => {
    const harness = new Harness('count')
    const changed = start.replace('count|', 'total|')
    await harness.type(start)
    await harness.type(changed)
    harness.edits.refuse()
    assert.equal(harness.result, undefined)
    await harness.type(start)
    assert.equal(await harness.type(changed), undefined)
    await harness.clock.advance(10 * 60_000)
    await harness.type(start)
    assert.ok(await harness.type(changed))
  })

  test('leaves Tab to the indentation of other lines', async () => {
    const harness = new Harness('count')
    const at = async (marked: string) => {
      await harness.type(marked)
      return harness.edits.takesTab
    }
    await harness.type('count| = 1\n\n  if go:\n    add(count)\n')
    assert.equal(await at('total| = 1\n\n  if go:\n    add(count)\n'), true)
    assert.equal(await at('|total = 1\n\n  if go:\n    add(count)\n'), true, 'at the changed name')
    assert.equal(await at('total = 1\n|\n  if go:\n    add(count)\n'), false)
    assert.equal(await at('total = 1\n\n |  if go:\n    add(count)\n'), false)
    assert.equal(await at('total = 1\n\n  if| go:\n    add(count)\n'), true)
    assert.equal(await at('total = 1\n\n  if go:\n  |  add(count)\n'), true, 'at the place of the hint')
    harness.edits.refuse()
    assert.equal(harness.edits.takesTab, false)
  })

  test('is no longer offered after two minutes, nor where nothing is wanted', async () => {
    const harness = new Harness('count')
    await harness.type(start)
    assert.ok(await harness.type(start.replace('count|', 'total|')))
    await harness.clock.advance(2 * 60_000)
    assert.equal(harness.result, undefined)
    await harness.type(start)
    assert.ok(await harness.type(start.replace('count|', 'sum|')))
    harness.isWanted = false
    assert.equal(await harness.type(start.replace('count|', 'sums|')), undefined)
  })
})

describe('the fix of a problem', () => {
  const missing: Problem = {
    range: { startLine: 1, startCharacter: 0, endLine: 1, endCharacter: 4 },
    message: "Cannot find 'read'.",
  }
  const importing = { replacements: [{ start: 0, end: 0, text: "import { read } from 'a'\n" }] }

  async function broken(harness: Harness, problem = missing, typed = '\nread()|'): Promise<string | undefined> {
    await harness.type('|\n')
    await harness.type(typed)
    harness.problems = [problem]
    harness.edits.updateProblems(a, [problem])
    await harness.quiet()
    return harness.result
  }

  test('that an edit has caused is offered, and goes when it is made', async () => {
    const harness = new Harness()
    harness.fix = () => importing
    assert.equal(await broken(harness), "import { read } from 'a'\n\nread()")
    assert.equal(await harness.apply(), undefined)
    harness.edits.updateProblems(a, [missing])
    await harness.quiet()
    assert.equal(harness.result, undefined, 'not again while the language is behind')
  })

  test('goes with the problem', async () => {
    const harness = new Harness()
    harness.fix = () => importing
    assert.ok(await broken(harness))
    harness.edits.updateProblems(a, [])
    assert.equal(harness.result, undefined)
  })

  test('is not offered for a problem that was there before, or is elsewhere', async () => {
    const harness = new Harness()
    harness.fix = () => importing
    harness.problems = [missing]
    assert.equal(await broken(harness), undefined)
    const far = new Harness()
    far.fix = () => importing
    assert.equal(await broken(far, { ...missing, range: { ...missing.range, startLine: 9 } }), undefined)
  })

  test('never undoes what the user did in the last half minute, nor changes the word at the cursor', async () => {
    const harness = new Harness()
    harness.fix = () => ({ replacements: [{ start: 1, end: 7, text: '' }] })
    assert.equal(await broken(harness), undefined)
    const spelling = new Harness()
    spelling.fix = () => ({ replacements: [{ start: 1, end: 5, text: 'ready' }] })
    assert.equal(await broken(spelling, missing, '\nread|'), undefined)
  })
})

describe('what a model suggests', () => {
  const start = 'function add(a) {\n}\n\nadd(1)\n'
  const signature = 'function add(a, b|) {\n}\n\nadd(1)\n'
  const caller = (text: string) => {
    const at = text.indexOf('add(1)')
    return { start: at, end: at + 6, text: 'add(1, 2)' }
  }

  test('for a place that the edit has made likely is offered, once for an edit', async () => {
    const harness = new Harness()
    harness.answer = caller
    await harness.type(`|${start}`)
    assert.equal(await harness.type(signature), 'function add(a, b) {\n}\n\nadd(1, 2)\n')
    assert.deepEqual(
      harness.questions.map(({ edits }) => edits),
      [['src/a.ts:1\n-function add(a) {\n+function add(a, b) {']],
    )
    harness.edits.refuse()
    await harness.quiet()
    harness.edits.follow(harness.followed.look('function add(a, b) {|\n}\n\nadd(1)\n'), [])
    await harness.quiet()
    assert.equal(harness.questions.length, 1)
    assert.equal(await harness.type('function add(a, bc|) {\n}\n\nadd(1)\n'), undefined, 'it was refused')
    assert.equal(harness.questions.length, 2)
  })

  test('is not asked for while something is suggested or requested, nor where no place is likely', async () => {
    const harness = new Harness()
    harness.isIdle = false
    await harness.type(`|${start}`)
    await harness.type(signature)
    assert.equal(harness.questions.length, 0)
    harness.isIdle = true
    await harness.quiet()
    assert.equal(harness.questions.length, 1, 'it is asked for as soon as that is over')
    const other = new Harness()
    await other.type(`|${start}`)
    await other.type('function add(a) {\n  go()|\n}\n\nadd(1)\n')
    assert.equal(other.questions.length, 0)
  })

  test('is dropped where the user types on, where it undoes an edit, and at the word that is being typed', async () => {
    const harness = new Harness()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    harness.answer = () => promise
    await harness.type(`|${start}`)
    await harness.type(signature)
    assert.ok(!harness.questions[0]?.signal.aborted)
    harness.edits.follow(harness.followed.change('function add(a, bb|) {\n}\n\nadd(1)\n'), [])
    assert.ok(harness.questions[0]?.signal.aborted)
    resolve(undefined)
    const undoing = new Harness()
    undoing.answer = () => ({ start: 13, end: 17, text: 'a' })
    await undoing.type(`|${start}`)
    assert.equal(await undoing.type('function add(a, b) {|\n}\n\nadd(1)\n'), undefined)
    assert.equal(undoing.questions.length, 1)
  })

  test('knows the edits of other documents only where those may be read', async () => {
    const harness = new Harness()
    harness.answer = caller
    await harness.type('secret(1)|\n', b)
    await harness.type('secret(12)|\n', b)
    await harness.type(`|${start}`)
    await harness.type(signature)
    assert.doesNotMatch(harness.questions[0]?.edits.join('') ?? '', /secret/)
  })
})
