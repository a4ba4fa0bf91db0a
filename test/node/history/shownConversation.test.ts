// Which conversation a window shows is on the disk at once, and each window that is opened again finds its own.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ShownConversation } from '../../../src/node/history/shownConversation.ts'
import { FakeClock } from '../../support/fakeClock.ts'

/** Windows on one folder. */
async function windows(context: TestContext) {
  const parent = await mkdtemp(join(tmpdir(), 'kourier-shown-'))
  context.after(() => rm(parent, { recursive: true }))
  const folder = join(parent, 'shown')
  const clock = new FakeClock()
  const alive = new Set<number>()
  /** A window of this process, or of another one that lives until it is killed. `state`: the editor's, of the window. */
  const open = (
    own: number,
    { state = new Map<string, string>(), report = (fault: unknown): void => assert.fail(String(fault)) } = {},
  ) => {
    alive.add(own)
    const processes = { own, isAlive: (id: number) => alive.has(id) }
    const keep = (name: string) => state.set('window', name)
    const shown = new ShownConversation({ folder, clock, processes, report, known: state.get('window'), keep })
    return {
      state,
      take: () => shown.take(),
      save: async (conversation: string) => {
        await clock.advance(1)
        await shown.save(conversation)
      },
      /** What a SIGKILL leaves. */
      kill: () => alive.delete(own),
    }
  }
  return { folder, open }
}

test('the window that comes after a kill shows what was shown last', async context => {
  const { open } = await windows(context)
  const first = open(1)
  assert.equal(await first.take(), undefined)
  await first.save('older')
  await first.save('newer')
  first.kill()
  const second = open(2)
  assert.equal(await second.take(), 'newer')
  second.kill()
  assert.equal(await open(3).take(), 'newer', 'also where it was killed before it had shown anything')
})

test('of two windows on a folder each comes back with its own, in whatever order they had changed it', async context => {
  const { open } = await windows(context)
  const [first, second] = [open(1), open(2)]
  await first.save('of the first')
  await second.save('of the second')
  first.kill()
  const again = open(3)
  assert.equal(await again.take(), 'of the first')
  await again.save('of the first')
  second.kill()
  assert.equal(await open(4).take(), 'of the second')
})

test('of two windows whose hosts end at once each goes on with its own, also with the state of the one written last', async context => {
  const { open } = await windows(context)
  const [first, second] = [open(1), open(2)]
  await first.save('of the first')
  await second.save('of the second')
  await first.save('newer of the first')
  first.kill()
  second.kill()
  const again = open(3, { state: second.state })
  assert.equal(await again.take(), 'of the second')
  assert.equal(await open(4, { state: first.state }).take(), 'newer of the first')
  again.kill()
  assert.equal(await open(5, { state: second.state }).take(), 'of the second', 'the name has stayed the same')
})

test('a window that is opened beside another shows what that one shows', async context => {
  const { open } = await windows(context)
  await open(1).save('of the first')
  assert.equal(await open(2).take(), 'of the first')
  assert.equal(await open(3).take(), 'of the first')
})

test('of windows that start at once, each gets what one has left, and none remains without', async context => {
  const { open } = await windows(context)
  for (const [at, conversation] of ['first', 'second'].entries()) {
    const ended = open(at)
    await ended.save(conversation)
    ended.kill()
  }
  const taken = await Promise.all([open(2).take(), open(3).take(), open(4).take()])
  assert.ok(taken.includes('second') && taken.every(one => one !== undefined), String(taken))
})

test('a host that is started anew in the process of the one before takes its file', async context => {
  const { open } = await windows(context)
  await open(1).save('before')
  assert.equal(await open(1).take(), 'before')
})

test('a new chat that is begun before the one before is found does not hide it', async context => {
  const { open } = await windows(context)
  const first = open(1)
  await first.save('before')
  first.kill()
  const second = open(2)
  await second.save('begun')
  assert.equal(await second.take(), 'before')
})

test('of what is saved while something is being written, the last counts', async context => {
  const { open } = await windows(context)
  const first = open(1)
  await Promise.all([first.save('a'), first.save('b'), first.save('c')])
  first.kill()
  assert.equal(await open(2).take(), 'c')
})

test('what cannot be read is left out, and what cannot be written is reported and tried again', async context => {
  const { folder, open } = await windows(context)
  await mkdir(folder)
  await writeFile(join(folder, 'cut.json'), '{"conversation":"c","sav')
  assert.equal(await open(1).take(), undefined)
  await rm(folder, { recursive: true })
  await writeFile(folder, 'no folder')
  const faults: unknown[] = []
  const shown = open(2, { report: fault => faults.push(fault) })
  await shown.save('c')
  assert.equal(faults.length, 1)
  await rm(folder)
  await shown.save('c')
  shown.kill()
  assert.equal(await open(3).take(), 'c')
})
