// What happens to the user's files and to the record of the changes, whatever the user does meanwhile.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentHash } from '../../../src/base/contentHash.ts'
import { Changes } from '../../../src/core/tools/changes.ts'
import { WriteGuard } from '../../../src/core/tools/writeGuard.ts'
import { changeFixture } from '../../support/memoryChangeFiles.ts'
import { ToolFolder } from '../../support/toolFolder.ts'

const signal = new AbortController().signal
const a = 'file:///w/a.ts'

async function change(changes: Changes, uri: string, seen: string | null, text: string | null, turn = 't1') {
  const hash = seen === null ? null : await contentHash(seen)
  return (await changes.apply({ conversation: 'c', turn, uri, seen: hash, text }, signal)).is
}

const reviews = async (changes: Changes, turn = 't1') =>
  (await changes.changeSet('c', turn))?.files.map(({ uri, change: kind, review, addedLines, removedLines }) =>
    [uri.slice(10), kind, review, `+${addedLines} -${removedLines}`].join(' '),
  )

test('[A36] the text from before is on disk, and its record, before the file is written', async () => {
  const { changes, files, store } = changeFixture({ 'a.ts': 'one\n' })
  store.failAt = 4
  await assert.rejects(change(changes, a, 'one\n', 'two\n'))
  assert.equal(files.get(a), 'two\n', 'the fourth call is the one after the write')
  assert.ok([...store.contents.values()].includes('one\n'))
  assert.deepEqual(
    store.journals.get('c')?.map(({ kind }) => kind),
    ['intent'],
  )
})

test('[A37] a window that ends at any call leaves the text before or the text after, and the next one knows which', async () => {
  for (let failAt = 1; failAt <= 5; failAt++) {
    const fixture = changeFixture({ 'a.ts': 'one\n' })
    fixture.store.failAt = failAt
    await change(fixture.changes, a, 'one\n', 'two\n').catch(() => {})
    fixture.store.failAt = Number.POSITIVE_INFINITY
    const next = fixture.reload()
    await next.load('c')
    const isWritten = fixture.files.get(a) === 'two\n'
    assert.deepEqual(next.openFiles('c'), isWritten ? [a] : [], `call ${failAt}`)
    await next.undo({ conversation: 'c' })
    assert.equal(fixture.files.get(a), 'one\n')
  }
})

test('[A48] a window that ends between the changes of an answer and their save leaves what is saved, and the next one knows', async () => {
  for (let failAt = 1; failAt <= 12; failAt++) {
    const fixture = changeFixture({ 'a.ts': 'one\n' })
    const { files, changes } = fixture
    fixture.store.failAt = failAt
    const apply = async (seen: string, text: string, isUnsaved: boolean) =>
      changes.apply(
        { ...{ conversation: 'c', turn: 't1', uri: a, isUnsaved }, ...{ seen: await contentHash(seen), text } },
        signal,
      )
    try {
      await apply('one\n', 'two\n', true)
      await apply('two\n', 'three\n', failAt > 10)
      if (failAt > 11) await changes.save(a)
    } catch {
      // The window has ended.
    }
    files.endWindow()
    fixture.store.failAt = Number.POSITIVE_INFINITY
    const next = fixture.reload()
    await next.load('c')
    const isSaved = files.get(a) === 'three\n'
    assert.ok(isSaved || files.get(a) === 'one\n')
    assert.deepEqual(next.openFiles('c'), isSaved ? [a] : [], `call ${failAt}`)
    assert.partialDeepStrictEqual(await next.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
    assert.equal(files.get(a), 'one\n', `call ${failAt}`)
  }
})

test('[A48] a change that the editor could not save is done only once it is saved', async () => {
  const fixture = changeFixture({ 'a.ts': 'one\n' })
  const { files, changes } = fixture
  files.maySave = false
  assert.equal(await change(changes, a, 'one\n', 'two\n'), 'changed')
  assert.deepEqual(changes.openFiles('c'), [a])
  const openLater = async () => {
    const next = fixture.reload()
    await next.load('c')
    return next.openFiles('c')
  }
  await changes.save(a)
  files.endWindow()
  assert.deepEqual([files.get(a), await openLater()], ['one\n', []])

  await change(changes, a, 'one\n', 'two\n')
  files.maySave = true
  await files.save(a)
  await changes.saved(a)
  assert.deepEqual(await openLater(), [a])
})

test('[A37] a window that ends at any call of an undo leaves the text before or after it, and the next one knows which', async () => {
  for (let call = 1; call <= 5; call++) {
    const fixture = changeFixture({ 'a.ts': 'one\n' })
    const { store, files, changes } = fixture
    await change(changes, a, 'one\n', 'two\n')
    store.failAt = store.calls + call
    await changes.undo({ conversation: 'c' }).catch(() => {})
    store.failAt = Number.POSITIVE_INFINITY
    const next = fixture.reload()
    await next.load('c')
    assert.deepEqual(next.openFiles('c'), files.get(a) === 'two\n' ? [a] : [], `call ${call}`)
    assert.deepEqual(await reviews(next), [
      files.get(a) === 'two\n' ? 'a.ts modified open +1 -1' : 'a.ts modified undone +1 -1',
    ])
  }
})

test('[A44] a window that keeps or undoes in the middle of a change of another one takes nothing out of the journal', async () => {
  for (const how of ['keep', 'undo'] as const) {
    const fixture = changeFixture({ 'a.ts': 'one\n' })
    const { changes, files } = fixture
    const other = fixture.reload()
    const write = files.write.bind(files)
    files.write = async (...given) => {
      await other[how]({ conversation: 'c' })
      return write(...given)
    }
    await change(changes, a, 'one\n', 'two\n')
    const next = fixture.reload()
    await next.load('c')
    assert.deepEqual(next.openFiles('c'), [a], how)
  }
})

test('[A44] changes that two windows record at the same moment are both known, and both can be undone', async () => {
  const fixture = changeFixture({ 'a.ts': 'one\n', 'b.ts': 'one\n' })
  const { changes, files, store } = fixture
  const b = 'file:///w/b.ts'
  await change(changes, a, 'one\n', 'two\n')
  const other = fixture.reload()
  await other.load('c')
  const append = store.append.bind(store)
  store.append = async (...given) => {
    store.append = append
    await change(other, b, 'one\n', 'two\n')
    await append(...given)
  }
  const { left } = await changes.undo({ conversation: 'c' })
  const next = fixture.reload()
  await next.load('c')
  assert.deepEqual([left, files.get(a), next.openFiles('c')], [0, 'one\n', [b]])
  await next.undo({ conversation: 'c' })
  assert.deepEqual([files.get(b), next.openFiles('c')], ['one\n', []])
})

test('[A44] a window that reads the journal of another one in the middle of a change takes nothing out of it', async () => {
  const fixture = changeFixture({ 'a.ts': 'one\n' })
  const { changes, files } = fixture
  const other = fixture.reload()
  const write = files.write.bind(files)
  files.write = async (...given) => {
    await other.loadAll()
    return write(...given)
  }
  await change(changes, a, 'one\n', 'two\n')
  await changes.load('c')
  assert.deepEqual(changes.openFiles('c'), [a])
  const third = fixture.reload()
  await third.loadAll()
  assert.deepEqual(third.openFiles('c'), [a])
  await changes.undo({ conversation: 'c' })
  assert.deepEqual(third.openFiles('c'), [a], 'it has not looked yet')
  await third.loadAll()
  assert.deepEqual(third.openFiles('c'), [])
})

test('[T53] a change of a text that the user has changed since is refused, at every time', async () => {
  const { changes, files } = changeFixture({ 'a.ts': 'newer\n' })
  assert.equal(await change(changes, a, 'seen\n', 'x\n'), 'stale')
  files.beforeWrite = () => files.set(a, 'typed at that time\n')
  assert.equal(await change(changes, a, 'newer\n', 'x\n'), 'stale')
  assert.equal(files.get(a), 'typed at that time\n')
  assert.equal(await change(changes, a, null, 'x\n'), 'stale', 'a file that was not there')
  assert.deepEqual(changes.openFiles('c'), [])
})

test('[T50] [T51] a protected file, another folder and a remote schema are asked about; No leaves the file', async () => {
  const fixture = changeFixture({ 'package.json': '{}', 'data.json': '{}' })
  const { changes, files, asked } = fixture
  fixture.answer.isAllowed = false
  const schema = '{"$schema":"https://evil.example/s"}'
  assert.equal(await change(changes, 'file:///w/package.json', '{}', '{"a":1}'), 'declined')
  assert.equal(await change(changes, 'file:///w/data.json', '{}', schema), 'declined')
  assert.equal(await change(changes, 'file:///elsewhere', null, 'x'), 'declined')
  assert.equal(await change(changes, 'file:///w/.vscode/settings.json', null, '{}'), 'declined')
  assert.deepEqual(
    asked.map(concerns => concerns.map(({ is }) => is)),
    [['protected'], ['remote-schema'], ['outside'], ['protected']],
  )
  assert.deepEqual([...files.values()], ['{}', '{}'])
})

test('[A29] [T44] a file that is replaced while the user is asked is not written', async () => {
  const fixture = changeFixture({ 'package.json': '{}' })
  fixture.answer = { isAllowed: true, meanwhile: () => fixture.files.delete('file:///w/package.json') }
  assert.equal(await change(fixture.changes, 'file:///w/package.json', '{}', '{"a":1}'), 'stale')
})

test('[T44] a file that became a link while the user was asked gets no other name', async () => {
  using work = new ToolFolder({ files: { 'package.json': '{}' } })
  const ask = async () => {
    rmSync(join(work.root, 'package.json'))
    symlinkSync('../elsewhere.json', join(work.root, 'package.json'))
    return true
  }
  const guard = new WriteGuard({ resolver: work.resolver, home: undefined })
  const changes = new Changes({ store: work.store, files: work.files, guard, consent: { ask }, now: () => 0 })
  writeFileSync(join(work.top, 'elsewhere.json'), '{}')
  const request = { conversation: 'c', turn: 't', uri: work.uri('package.json'), to: work.uri('c.json') }
  assert.deepEqual(await changes.apply(request, signal), { is: 'stale' })
  assert.deepEqual(readdirSync(work.root), ['package.json'])
})

test('a file that is read-only is refused', async () => {
  const { changes, files } = changeFixture({ 'a.ts': 'one\n' })
  files.readOnly.add(a)
  assert.equal(await change(changes, a, 'one\n', 'two\n'), 'refused')
})

test('[A34] keep accepts without writing; undo takes out; both survive a reload', async () => {
  const fixture = changeFixture({ 'a.ts': '1\n2\n3\n4\n5\n' })
  const { changes, files } = fixture
  await change(changes, a, '1\n2\n3\n4\n5\n', 'one\n2\n3\n4\nfive\n')
  assert.deepEqual(await reviews(changes), ['a.ts modified open +2 -2'])
  const [first] = (await changes.review('c', a)).hunks
  await changes.keep({ conversation: 'c', uri: a, hunk: first?.id })
  const next = fixture.reload()
  await next.load('c')
  assert.deepEqual(await reviews(next), ['a.ts modified open +1 -1'])
  const [rest, ...none] = (await next.review('c', a)).hunks
  assert.deepEqual([rest?.removed, rest?.added, none.length], ['5\n', 'five\n', 0])
  await next.undo({ conversation: 'c', uri: a, hunk: rest?.id })
  assert.equal(files.get(a), 'one\n2\n3\n4\n5\n')
  assert.deepEqual(await reviews(next), ['a.ts modified partly-undone +2 -2'])
  assert.deepEqual(next.openFiles('c'), [])
})

test('[A35] undo leaves what the user wrote, and reports hunks in whose lines the user wrote', async () => {
  const { changes, files } = changeFixture({ 'a.ts': '1\n2\n3\n4\n5\n' })
  await change(changes, a, '1\n2\n3\n4\n5\n', 'one\n2\n3\n4\nfive\n')
  files.set(a, 'one\n2\nmine\n3\n4\nfive and mine\n')
  assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 1, hasFailed: false })
  assert.equal(files.get(a), '1\n2\nmine\n3\n4\nfive and mine\n')
  assert.deepEqual(await reviews(changes), ['a.ts modified open +1 -1'])
})

test('what the user takes back with the editor is undone, and what the user rewrites is not', async () => {
  const { changes, files } = changeFixture({ 'a.ts': '1\n2\n3\n4\n5\n' })
  await change(changes, a, '1\n2\n3\n4\n5\n', 'one\n2\nnew\n3\n4\nfive\n')
  files.set(a, '1\n2\nmine\n3\n4\nfive\n')
  await changes.settle(a)
  const { hunks } = await changes.review('c', a)
  assert.deepEqual(
    hunks.map(({ added, range }) => [added, range !== undefined]),
    [
      ['new\n', false],
      ['five\n', true],
    ],
  )
  files.set(a, '1\n2\n3\n4\n5\n')
  await changes.settle(a)
  assert.deepEqual(changes.openFiles('c'), [])
  assert.deepEqual(await reviews(changes), ['a.ts modified undone +3 -2'])
})

test('one turn is undone beneath another', async () => {
  const { changes, files } = changeFixture({ 'a.ts': '1\n2\n3\n' })
  await change(changes, a, '1\n2\n3\n', 'one\n2\n3\n', 't1')
  await change(changes, a, 'one\n2\n3\n', 'one\n2\nthree\n', 't2')
  await changes.undo({ conversation: 'c', turn: 't1' })
  assert.equal(files.get(a), '1\n2\nthree\n')
  assert.deepEqual(
    [await reviews(changes, 't1'), await reviews(changes, 't2')],
    [['a.ts modified undone +1 -1'], ['a.ts modified open +1 -1']],
  )
})

test('a created file is removed by undo, unless the user has written into it', async () => {
  const { changes, files } = changeFixture()
  const b = 'file:///w/b.ts'
  await change(changes, a, null, 'new\n')
  await change(changes, b, null, 'new\n')
  files.set(b, 'new\nmine\n')
  assert.deepEqual(await reviews(changes), ['a.ts created open +1 -0', 'b.ts created open +1 -0'])
  await changes.undo({ conversation: 'c' })
  assert.deepEqual([...files], [[b, 'mine\n']])
  assert.deepEqual(await reviews(changes), ['a.ts created undone +1 -0', 'b.ts created undone +1 -0'])
})

test('a deleted file comes again, and a renamed one gets its name with its changes', async () => {
  const { changes, files } = changeFixture({ 'a.ts': 'one\n', 'b.ts': 'b\n' })
  await change(changes, 'file:///w/b.ts', 'b\n', null)
  await change(changes, a, 'one\n', 'two\n')
  await changes.apply({ conversation: 'c', turn: 't1', uri: a, to: 'file:///w/c.ts' }, signal)
  assert.deepEqual([...files], [['file:///w/c.ts', 'two\n']])
  assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
  assert.deepEqual(Object.fromEntries(files), { [a]: 'one\n', 'file:///w/b.ts': 'b\n' })
  assert.deepEqual(changes.openFiles('c'), [])
})

test('[A33] in any order of changes, own words, keep and undo, no line of the user is lost and no change reappears', async () => {
  const action = fc.oneof(
    fc.record({ is: fc.constant('change' as const), line: fc.nat(20), turn: fc.constantFrom('t1', 't2', 't3') }),
    fc.record({ is: fc.constant('type' as const), line: fc.nat(20) }),
    fc.record({
      is: fc.constantFrom('keep' as const, 'undo' as const),
      at: fc.nat(),
      turn: fc.constantFrom('t1', 't2', 't3'),
    }),
    fc.record({ is: fc.constant('reload' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 15 }), async actions => {
      const original = Array.from({ length: 12 }, (_, at) => `line ${at}\n`).join('')
      const fixture = changeFixture({ 'a.ts': original })
      const { files } = fixture
      let { changes } = fixture
      const own: string[] = []
      const insert = (text: string, line: number, added: string) => {
        const lines = text.match(/[^\n]*\n/g) ?? []
        return [...lines.slice(0, line), added, ...lines.slice(line)].join('')
      }
      for (const [number, one] of actions.entries()) {
        const text = files.get(a) ?? ''
        if (one.is === 'change') await change(changes, a, text, insert(text, one.line, `model ${number}\n`), one.turn)
        else if (one.is === 'type') {
          own.push(`user ${number}\n`)
          files.set(a, insert(text, one.line, `user ${number}\n`))
        } else if (one.is === 'reload') changes = fixture.reload()
        else {
          await changes.load('c')
          const { hunks } = await changes.review('c', a)
          const hunk = hunks[one.at % (hunks.length + 1)]
          const scope = hunk ? { uri: a, hunk: hunk.id } : { turn: one.turn }
          await changes[one.is]({ conversation: 'c', ...scope })
        }
      }
      for (const line of own) assert.ok(files.get(a)?.includes(line), `${line} is lost`)
      await changes.load('c')
      const { left } = await changes.undo({ conversation: 'c' })
      const { hunks } = await changes.review('c', a)
      assert.equal(hunks.length, left)
      for (const line of own) assert.ok(files.get(a)?.includes(line), `${line} is lost`)
      for (const line of original.match(/.*\n/g) ?? []) assert.ok(files.get(a)?.includes(line), `${line} is lost`)
    }),
    { numRuns: 150 },
  )
})

test('[A35] an undo names a file that somebody has removed, and has nothing to do where the changes had made it', async () => {
  const { changes, files } = changeFixture({ 'a.ts': 'one\n' })
  const made = 'file:///w/made.ts'
  await change(changes, a, 'one\n', 'two\n')
  await change(changes, made, null, 'new\n')
  for (const uri of [a, made]) await files.remove(uri, files.get(uri) ?? '')
  const { undone, gone, hasFailed } = await changes.undo({ conversation: 'c' })
  assert.deepEqual([undone, gone, hasFailed], [[], [a], false])
  assert.deepEqual(changes.openFiles('c'), [a])
  assert.deepEqual(await reviews(changes), ['a.ts modified open +1 -1', 'made.ts created undone +1 -0'])
  await changes.keep({ conversation: 'c' })
  assert.deepEqual(changes.openFiles('c'), [])
})
