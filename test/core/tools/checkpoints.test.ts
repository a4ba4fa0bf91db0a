// Files as they were before a message, whatever the agent and the user have done since; and back again.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Checkpoints } from '../../../src/core/tools/checkpoints.ts'
import { randomFrom } from '../../support/random.ts'
import { ToolFolder } from '../../support/toolFolder.ts'
import { never } from '../../support/wire.ts'

const none: ReadonlySet<string> = new Set()

function folder(files: Readonly<Record<string, string>>) {
  const work = new ToolFolder({ files })
  const tools = work.newTools()
  let ids = 0
  const checkpoints = new Checkpoints({ changes: tools.changes, files: work.files, newId: () => `${++ids}` })
  const act = async (
    turn: string,
    name: 'edit' | 'write' | 'move' | 'delete',
    input: Readonly<Record<string, unknown>>,
  ) => {
    for (const path of work.list()) await work.call(tools.read, { path }, { isApproved: true })
    return work.call(tools[name], input, { turn, isApproved: true })
  }
  return Object.assign(work, {
    tools,
    checkpoints,
    edit: (turn: string, path: string, old: string, fresh: string) =>
      act(turn, 'edit', { path, edits: [{ old_text: old, new_text: fresh }] }),
    act,
    state: () => Object.fromEntries(work.list().map(path => [path, readFileSync(join(work.root, path), 'latin1')])),
    restore: (turns: readonly string[], overwrite = none) => checkpoints.restore('c', turns, overwrite, never),
  })
}

const names = (uris: readonly string[]) => uris.map(uri => uri.slice(uri.lastIndexOf('/') + 1))

test('[A38] [A39] a preview, the files as they were before a message, and the restore undone', async () => {
  using work = folder({ 'a.ts': 'one\r\ntwo\r\n', 'b.ts': 'b\n', 'mine.ts': 'mine\n' })
  await work.edit('t1', 'a.ts', 'one', 'ONE')
  const point = work.state()
  await work.edit('t2', 'a.ts', 'two', 'TWO')
  await work.act('t2', 'delete', { path: 'b.ts' })
  await work.act('t3', 'write', { path: 'new/c.ts', text: 'c\n' })
  await work.act('t3', 'move', { from: 'a.ts', to: 'moved.ts' })
  const after = work.state()
  const preview = await work.checkpoints.preview('c', ['t2', 't3'])
  assert.deepEqual(
    preview.map(
      ({ uri, how, addedLines, removedLines }) => `${names([uri])[0]} ${how} +${addedLines} -${removedLines}`,
    ),
    ['a.ts exact +2 -0', 'b.ts exact +1 -0', 'c.ts exact +0 -1', 'moved.ts exact +0 -2'],
  )
  assert.deepEqual(work.state(), after, 'a preview writes nothing')
  const done = await work.restore(['t2', 't3'])
  assert.deepEqual(done.left, [])
  assert.deepEqual(work.state(), point)
  assert.deepEqual(work.tools.changes.openFiles('c'), [work.uri('a.ts')], 'the first change is open still')
  assert.deepEqual((await work.restore([done.group])).left, [])
  assert.deepEqual(work.state(), after)
  assert.deepEqual((await work.restore(['t1', 't2', 't3'])).left, [])
  assert.deepEqual(work.state(), { 'a.ts': 'one\r\ntwo\r\n', 'b.ts': 'b\n', 'mine.ts': 'mine\n' })
})

test('[A39] what the user wrote stays, and what cannot be separated is left alone unless the user says so', async () => {
  using work = folder({ 'a.ts': '1\n2\n3\n4\n5\n', 'b.ts': 'b\n', 'gone.ts': 'x\n' })
  await work.edit('t1', 'a.ts', '1', 'one')
  await work.edit('t1', 'b.ts', 'b', 'B')
  await work.edit('t1', 'gone.ts', 'x', 'y')
  work.put('a.ts', 'one\n2\n3\n4\n5\nmine\n')
  work.put('b.ts', 'B and mine\n')
  rmSync(join(work.root, 'gone.ts'))
  const { left } = await work.restore(['t1'])
  assert.deepEqual(names(left), ['b.ts', 'gone.ts'])
  assert.deepEqual(work.state(), { 'a.ts': '1\n2\n3\n4\n5\nmine\n', 'b.ts': 'B and mine\n' })
  const second = await work.restore(['t1'], new Set([work.uri('b.ts')]))
  assert.deepEqual([work.text('b.ts'), names(second.left)], ['b\n', ['gone.ts']])
  await work.restore([second.group])
  assert.equal(work.text('b.ts'), 'B and mine\n', 'what the user had there comes back too')
})

test('[A40] a file that the agent made stays where the user has written into it; others are never touched', async () => {
  using work = folder({ 'own.ts': 'own\n' })
  await work.act('t1', 'write', { path: 'a.ts', text: 'made\n' })
  await work.act('t1', 'write', { path: 'b.ts', text: 'made\n' })
  work.put('a.ts', 'made\nmine\n')
  work.put('c.ts', 'of the user\n')
  await work.restore(['t1'])
  assert.deepEqual(work.state(), { 'a.ts': 'mine\n', 'c.ts': 'of the user\n', 'own.ts': 'own\n' })
})

test('a restore that is undone leaves what was to be reviewed before it, also of a file with a new name', async () => {
  using work = folder({ 'a.ts': '1\n2\n3\n4\n5\n', 'b.ts': 'b\n' })
  const { changes } = work.tools
  const before = work.state()
  await work.act('t1', 'write', { path: 'a.ts', text: 'one\n2\n3\n4\nfive\n' })
  await work.act('t1', 'delete', { path: 'b.ts' })
  const [first] = (await changes.review('c', work.uri('a.ts'))).hunks
  await changes.keep({ conversation: 'c', uri: work.uri('a.ts'), hunk: first?.id })
  await work.act('t1', 'move', { from: 'a.ts', to: 'moved.ts' })
  const after = work.state()
  const restored = await work.restore(['t1'])
  assert.deepEqual([work.state(), changes.openFiles('c')], [before, []])
  assert.deepEqual((await work.checkpoints.undo('c', restored, never)).left, [])
  assert.deepEqual(work.state(), after)
  assert.deepEqual(names(changes.openFiles('c')), ['moved.ts', 'b.ts'])
  assert.deepEqual(await changes.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
  assert.deepEqual(work.state(), { ...before, 'a.ts': 'one\n2\n3\n4\n5\n' }, 'without what was kept')
})

test('what counts as undone while it is restored is left to review again after the restore is undone', async () => {
  using work = folder({ 'a.ts': '1\n', 'b.ts': 'b\n' })
  const { changes } = work.tools
  await work.edit('t1', 'a.ts', '1', 'one')
  await work.edit('t1', 'b.ts', 'b', 'B')
  const settled = changes.onDidWrite(uri => void changes.settle(uri))
  const restored = await work.restore(['t1'])
  settled.dispose()
  await work.checkpoints.undo('c', restored, never)
  assert.deepEqual(names(changes.openFiles('c')), ['a.ts', 'b.ts'])
})

test('a restore after a restore, and modes', async () => {
  using work = folder({ 'a.sh': 'a\n' })
  work.put('a.sh', 'a\n', 0o755)
  await work.edit('t1', 'a.sh', 'a', 'b')
  await work.restore(['t1'])
  await work.act('t2', 'delete', { path: 'a.sh' })
  await work.restore(['t1', 't2'])
  assert.equal(work.text('a.sh'), 'a\n')
  assert.equal(statSync(join(work.root, 'a.sh')).mode & 0o777, 0o755)
})

test('[A39] after any changes every point comes back byte for byte, and the files after them too', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = randomFrom(seed)
    using work = folder({ a: '1\r\n2\r\n3\r\n', b: 'x\ny\nz', 'of the user': 'stays\n' })
    const points: Record<string, string>[] = []
    const turns: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      points.push(work.state())
      turns.push(`t${turn}`)
      for (let step = 0; step < 3; step++) {
        const own = work.list().filter(path => path !== 'of the user')
        const path = own[Math.floor(random() * own.length)]
        const how = random()
        if (path === undefined || how < 0.25)
          await work.act(`t${turn}`, 'write', { path: `n${turn}${step}`, text: `${random()}\n` })
        else if (how < 0.4) await work.act(`t${turn}`, 'delete', { path })
        else if (how < 0.55) await work.act(`t${turn}`, 'move', { from: path, to: `m${turn}${step}` })
        else
          await work.act(`t${turn}`, 'write', {
            path,
            text: `${work.text(path)?.replaceAll('\r\n', '\n')}line ${random()}\n`,
          })
      }
    }
    const end = work.state()
    const at = Math.floor(random() * turns.length)
    const done = await work.restore(turns.slice(at))
    assert.deepEqual([work.state(), done.left], [points[at], []], `seed ${seed}`)
    assert.deepEqual((await work.restore([done.group])).left, [])
    assert.deepEqual(work.state(), end, `seed ${seed}, and back`)
  }
})
