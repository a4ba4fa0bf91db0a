// Files as they were before a message, whatever the agent and the user have done since; and back again.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
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

test('[A40] a file that was moved stays where it is while the user has another one with its old name', async () => {
  using work = folder({ 'a.ts': 'of the user\n' })
  await work.act('t1', 'move', { from: 'a.ts', to: 'x.ts' })
  await work.act('t1', 'move', { from: 'x.ts', to: 'y.ts' })
  await work.edit('t1', 'y.ts', 'of the user', 'of both')
  work.put('a.ts', 'new\n')
  const files = { 'a.ts': 'new\n', 'y.ts': 'of both\n' }
  const preview = await work.checkpoints.preview('c', ['t1'])
  assert.deepEqual(
    preview.map(({ uri, how, holds = '' }) => [names([uri, holds]), how]),
    [
      [['a.ts', ''], 'conflict'],
      [['y.ts', 'a.ts'], 'conflict'],
    ],
  )
  const left = await work.restore(['t1'])
  assert.deepEqual([names(left.left), work.state()], [['a.ts', 'y.ts'], files])
  const { changes } = work.tools
  assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 1, hasFailed: false })
  assert.deepEqual(work.state(), { 'a.ts': 'new\n', 'x.ts': 'of both\n' }, 'as far as it goes')
  const all = new Set(['a.ts', 'x.ts', 'y.ts'].map(name => work.uri(name)))
  assert.deepEqual((await work.restore(['t1'], all)).left, [])
  assert.deepEqual(work.state(), { 'a.ts': 'of the user\n' })
})

test('[A40] a file that was moved is removed only once its content is where it was', async () => {
  using work = folder({ 'a.ts': 'of the user\n' })
  await work.act('t1', 'move', { from: 'a.ts', to: 'x.ts' })
  const { files } = work
  const create = files.create.bind(files)
  files.create = async () => 'failed'
  assert.deepEqual(names((await work.restore(['t1'])).left), ['a.ts', 'x.ts'])
  assert.deepEqual(work.state(), { 'x.ts': 'of the user\n' })
  files.create = create
  assert.deepEqual((await work.restore(['t1'])).left, [])
  assert.deepEqual(work.state(), { 'a.ts': 'of the user\n' })
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
  assert.deepEqual((await work.checkpoints.undo('c', restored.group, none, never)).left, [])
  assert.deepEqual(work.state(), after)
  assert.deepEqual(names(changes.openFiles('c')), ['moved.ts', 'b.ts'])
  assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
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
  await work.checkpoints.undo('c', restored.group, none, never)
  assert.deepEqual(names(changes.openFiles('c')), ['a.ts', 'b.ts'])
})

test('[A38] what was undone since a message is left to review again once the restore to it has put it back', async () => {
  using work = folder({ 'a.ts': 'of the user\n', 'b.ts': 'b\n' })
  const { changes } = work.tools
  await work.edit('t0', 'a.ts', 'of the user', 'of the agent')
  await work.edit('t1', 'b.ts', 'b', 'B')
  await changes.undo({ conversation: 'c', uri: work.uri('a.ts') })
  const restored = await work.restore(['t1'])
  assert.deepEqual([work.text('a.ts'), names(changes.openFiles('c'))], ['of the agent\n', ['a.ts']])
  await work.checkpoints.undo('c', restored.group, none, never)
  assert.deepEqual([work.text('a.ts'), names(changes.openFiles('c'))], ['of the user\n', ['b.ts']])
  await work.restore(['t1'])
  await changes.undo({ conversation: 'c' })
  assert.deepEqual(work.state(), { 'a.ts': 'of the user\n', 'b.ts': 'b\n' })
})

test('[A35] after Undo of everything nothing is left open that is not counted', async () => {
  for (const undone of [['t1'], []]) {
    using work = folder({ 'b.txt': 'O4\nO5\n', 'y.txt': 'U3\n' })
    const { changes } = work.tools
    await work.act('t0', 'write', { path: 'b.txt', text: 'A1\nA2\n' })
    await work.act('t0', 'delete', { path: 'b.txt' })
    await work.act('t1', 'move', { from: 'y.txt', to: 'b.txt' })
    await work.act('t1', 'write', { path: 'b.txt', text: 'A4\nA5\n' })
    for (const turn of undone) await changes.undo({ conversation: 'c', turn })
    const { left } = await changes.undo({ conversation: 'c' })
    assert.deepEqual([left, changes.openFiles('c')], [0, []])
    assert.deepEqual(work.state(), { 'b.txt': 'O4\nO5\n', 'y.txt': 'U3\n' })
  }
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

test('[A35] what Undo has taken out of the files is put back, also after a reload, and is left to review again', async () => {
  using work = folder({ 'a.ts': 'one\r\ntwo\r\n', 'b.ts': 'b\n', 'd.ts': 'd\n' })
  const before = work.state()
  await work.edit('t1', 'a.ts', 'one', 'ONE')
  await work.act('t1', 'delete', { path: 'b.ts' })
  await work.act('t1', 'write', { path: 'c.ts', text: 'c\n' })
  await work.act('t1', 'move', { from: 'd.ts', to: 'moved.ts' })
  const [after, open] = [work.state(), work.tools.changes.openFiles('c')]
  await work.tools.changes.undo({ conversation: 'c' })
  assert.deepEqual([work.state(), work.tools.changes.openFiles('c')], [before, []])

  const { changes } = work.newTools()
  const checkpoints = new Checkpoints({ changes, files: work.files, newId: () => 'later' })
  const [group] = await checkpoints.groups('c')
  assert.deepEqual([group?.is, names(group?.uris ?? []).sort()], ['undo', Object.keys({ ...before, ...after }).sort()])
  assert.deepEqual((await checkpoints.undo('c', group?.group ?? '', none, never)).left, [])
  assert.deepEqual([work.state(), changes.openFiles('c').toSorted()], [after, open.toSorted()])
  await changes.undo({ conversation: 'c' })
  assert.deepEqual(work.state(), before)
})

test('[A35] one hunk that was undone is put back, where the user has written since', async () => {
  using work = folder({ 'a.ts': '1\n2\n3\n4\n5\n' })
  const { changes } = work.tools
  await work.act('t1', 'write', { path: 'a.ts', text: 'one\n2\n3\n4\nfive\n' })
  const { hunks } = await changes.review('c', work.uri('a.ts'))
  const { group } = await changes.undo({ conversation: 'c', uri: work.uri('a.ts'), hunk: hunks[0]?.id })
  work.put('a.ts', '1\n2\nmine\n3\n4\nfive\n')
  await work.checkpoints.undo('c', group, none, never)
  assert.equal(work.text('a.ts'), 'one\n2\nmine\n3\n4\nfive\n')
  assert.equal((await changes.review('c', work.uri('a.ts'))).hunks.length, 2)
})

test('[A38] a restore is taken back after a reload, with what was left to review before it', async () => {
  using work = folder({ 'a.ts': '1\n' })
  await work.edit('t1', 'a.ts', '1', 'one')
  await work.restore(['t1'])
  const { changes } = work.newTools()
  const checkpoints = new Checkpoints({ changes, files: work.files, newId: () => 'later' })
  const [group] = await checkpoints.groups('c')
  assert.equal(group?.is, 'restore')
  await checkpoints.undo('c', group?.group ?? '', none, never)
  assert.equal(work.text('a.ts'), 'one\n')
  assert.deepEqual(names(changes.openFiles('c')), ['a.ts'])
})

test('[A35] [A39] [T41] neither Undo nor a restore writes through a link that has come since the change', async () => {
  using work = folder({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  const { changes } = work.tools
  await work.edit('t1', 'src/a.ts', 'a', 'A')
  await work.act('t1', 'delete', { path: 'src/b.ts' })
  const [outside, src] = [join(work.top, 'outside'), join(work.root, 'src')]
  mkdirSync(outside)
  // As somebody would arrange it who wants it overwritten.
  writeFileSync(join(outside, 'a.ts'), 'A\n')
  rmSync(src, { recursive: true })
  symlinkSync(outside, src)
  const isLeftAlone = () => {
    assert.deepEqual(readdirSync(outside), ['a.ts'])
    assert.equal(readFileSync(join(outside, 'a.ts'), 'utf8'), 'A\n')
  }
  const { elsewhere, undone } = await changes.undo({ conversation: 'c' })
  assert.deepEqual([names(elsewhere).sort(), undone], [['a.ts', 'b.ts'], []])
  isLeftAlone()
  const { restored } = await work.restore(['t1'], new Set(['src/a.ts', 'src/b.ts'].map(path => work.uri(path))))
  assert.deepEqual(restored, [])
  isLeftAlone()
  rmSync(src)
  work.put('src/a.ts', 'A\n')
  assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 0, elsewhere: [] })
  assert.deepEqual(work.state(), { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
})

test('[A35] a change through a link that the user has allowed is undone through it', async () => {
  using work = folder({ 'a.ts': 'a\n' })
  const outside = join(work.top, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'a.ts'), 'mine\n')
  symlinkSync(outside, join(work.root, 'linked'))
  const input = { path: 'linked/a.ts', edits: [{ old_text: 'mine', new_text: 'yours' }] }
  await work.call(work.tools.read, { path: 'linked/a.ts' }, { isApproved: true })
  assert.match(await work.call(work.tools.edit, input, { isApproved: true }), /^Edited/)
  await work.tools.changes.undo({ conversation: 'c' })
  assert.equal(readFileSync(join(outside, 'a.ts'), 'utf8'), 'mine\n')
})

test('[A40] Undo and a restore remove folders that the agent has made and that are empty without its files, and no others', async () => {
  using work = folder({ 'a.ts': 'a\n' })
  const isThere = (path: string) => existsSync(join(work.root, path))
  mkdirSync(join(work.root, 'mine'))
  await work.act('t1', 'write', { path: 'made/deep/x.ts', text: 'x\n' })
  await work.act('t1', 'write', { path: 'made/deep/y.ts', text: 'y\n' })
  await work.act('t1', 'write', { path: 'mine/made/z.ts', text: 'z\n' })
  await work.act('t1', 'move', { from: 'a.ts', to: 'moved/a.ts' })
  const { group } = await work.tools.changes.undo({ conversation: 'c' })
  assert.deepEqual(['made', 'mine', 'mine/made', 'moved'].map(isThere), [false, true, false, false])
  await work.checkpoints.undo('c', group, none, never)
  work.put('made/of-the-user', '')
  await work.restore(['t1'])
  assert.deepEqual(['made', 'made/deep', 'mine/made', 'moved'].map(isThere), [true, false, false, false])
})
