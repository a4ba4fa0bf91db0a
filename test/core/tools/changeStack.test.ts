// What is left of a text when hunks are kept and undone, in any order and beside what the user writes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChangeStack, layerOf } from '../../../src/core/tools/changeStack.ts'
import { applyHunks, diffLines } from '../../../src/core/workspace/lineHunks.ts'

const stackOf = (before: string, after: string, present = after) =>
  new ChangeStack([layerOf(1, 'turn', before, after)], present)

const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n')
const text = fc
  .tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom('', 'end'))
  .map(([lines, last]) => lines.join('') + last)

test('whatever is kept and undone, in whatever order, the text has the kept hunks and no others', () => {
  const decisions = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(text, text, decisions, (before, after, order) => {
      const hunks = diffLines(before, after)
      const left = hunks.map((_, at) => at)
      const keptOnes: number[] = []
      let stack = stackOf(before, after)
      for (const [number, isKept] of order) {
        if (stack.open.length === 0) break
        const at = number % stack.open.length
        const id = stack.open[at]?.id ?? ''
        const [original = -1] = left.splice(at, 1)
        if (isKept) keptOnes.push(original)
        stack = (isKept ? stack.keep(id) : stack.undo(id)) ?? assert.fail('nobody else has changed the text')
      }
      const expected = applyHunks(
        before,
        after,
        hunks.filter((_, at) => keptOnes.includes(at) || left.includes(at)),
      )
      assert.equal(stack.present, expected)
      assert.equal(stack.undoAll().left.length, 0)
    }),
  )
})

test('undoing all leads to the text before, also over several changes with words of the user between them', () => {
  fc.assert(
    fc.property(text, text, text, (first, second, third) => {
      const layers = [layerOf(1, 'one', first, second), layerOf(2, 'two', second, third)]
      const { stack, left } = new ChangeStack(layers, third).undoAll()
      assert.deepEqual(left, [])
      assert.equal(stack.present, first)
    }),
  )
})

test('lines that the user wrote elsewhere stay when a hunk is undone', () => {
  const stack = stackOf('a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'new\na\nB\nc\nd!\n')
  const [hunk] = stack.open
  assert.equal(stack.undo(hunk?.id ?? '')?.present, 'new\na\nb\nc\nd!\n')
  assert.equal(stack.undoAll().stack.present, 'new\na\nb\nc\nd!\n')
})

test('what the user writes never disappears with a hunk', () => {
  fc.assert(
    fc.property(text, text, fc.nat(), (before, after, place) => {
      const lines = after.match(/[^\n]*\n/g) ?? []
      const at = place % (lines.length + 1)
      const own = 'written by the user\n'
      const tail = after.slice(lines.join('').length)
      const present = [...lines.slice(0, at), own, ...lines.slice(at)].join('') + tail
      assert.ok(stackOf(before, after, present).undoAll().stack.present.includes(own))
    }),
  )
})

test('a hunk in whose lines the user has written is reported and not undone', () => {
  for (const present of ['a\nBx\nc\n', 'a\nxB\nc\n', 'a\nc\n', 'a\nBc\n']) {
    const stack = stackOf('a\nb\nc\n', 'a\nB\nc\n', present)
    assert.equal(stack.open[0]?.range, undefined, present)
    assert.equal(stack.undo(stack.open[0]?.id ?? ''), undefined, present)
    assert.equal(stack.undoAll().stack.present, present)
    assert.equal(stack.undoAll().left.length, 1)
  }
})

test('an older change is undone beneath a newer one of other lines', () => {
  const [a, b, c] = ['1\n2\n3\n4\n5\n', '1\ntwo\n3\n4\n5\n', '1\ntwo\n3\n4\nfive\n']
  const stack = new ChangeStack([layerOf(1, 'first', a, b), layerOf(2, 'second', b, c)], c)
  const { stack: after } = stack.undoAll(({ turn }) => turn === 'first')
  assert.equal(after.present, '1\n2\n3\n4\nfive\n')
  assert.equal(after.undoAll().stack.present, a)
})

test('to keep a newer change of the same lines keeps the older one too', () => {
  const layers = [layerOf(1, 'first', 'x\ny\n', 'X\ny\n'), layerOf(2, 'second', 'X\ny\n', 'Z\ny\n')]
  const stack = new ChangeStack(layers, 'Z\ny\n')
  const newer = stack.open.find(({ turn }) => turn === 'second')
  assert.deepEqual(stack.keep(newer?.id ?? '').open, [])
})

test('a line end is added where lines follow that were not there before', () => {
  const stack = stackOf('a\nb', 'a\nB\nc\n', 'a\nB\nc\nmine\n')
  assert.equal(stack.undoAll().stack.present, 'a\nb\nmine\n')
})

test('a comparison shows the lines from before a hunk also where the user has changed them, and none of the user’s own', () => {
  const isMeant = () => true
  const touched = stackOf('a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'new\na\nB // mine\nc\nd!\n')
  assert.equal(touched.undoAll().stack.present, touched.present)
  assert.equal(touched.baseline(isMeant), 'new\na\nb\nc\nd!\n')
  const layers = [layerOf(1, 'one', 'a\n\nb\n', 'A\n\nb\n'), layerOf(2, 'two', 'A\n\nb\n', 'A\n\nB\n')]
  const stack = new ChangeStack(layers, 'A?\n\nB?\n')
  assert.equal(stack.baseline(isMeant), 'a\n\nb\n')
  assert.equal(
    stack.baseline(turn => turn === 'one'),
    'a\n\nB?\n',
  )
})

test('where nobody else has changed the lines, the comparison is with the text from before', () => {
  fc.assert(
    fc.property(text, text, text, (first, second, third) => {
      const layers = [layerOf(1, 'one', first, second), layerOf(2, 'two', second, third)]
      assert.equal(
        new ChangeStack(layers, third).baseline(() => true),
        first,
      )
    }),
  )
})
