// A file that is written in place, because it has two names: on a full disk, and where the window ends in the middle.
import assert from 'node:assert/strict'
import { linkSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { contentHash } from '../../../src/base/contentHash.ts'
import { ToolFolder } from '../../support/toolFolder.ts'
import { never } from '../../support/wire.ts'

type Call = (...values: unknown[]) => Promise<unknown>

/** Those of every file that is open. */
async function handleMethods(): Promise<Record<string, Call>> {
  const handle = await open(import.meta.filename)
  await handle.close()
  return Object.getPrototypeOf(handle) as Record<string, Call> // as: the methods of a handle
}

/** The call with this number does half of what it is to write, and then `end` runs; earlier and later ones are as always. */
async function cutAt(t: TestContext, number: number, end: (handle: FileHandle) => Promise<never>): Promise<void> {
  const methods = await handleMethods()
  let calls = 0
  for (const name of ['write', 'truncate']) {
    const original = methods[name]
    assert.ok(original)
    t.mock.method(methods, name, async function (this: FileHandle, ...values: unknown[]) {
      if (++calls !== number) return original.apply(this, values)
      const [bytes, offset, length, position] = values
      if (name === 'truncate') await original.apply(this, values)
      else await original.call(this, bytes, offset, Number(length) >> 1, position)
      return end(this)
    })
  }
}

const long = Array.from({ length: 300 }, (_, at) => `line ${at} of the user, größer\n`).join('')
const edits: Readonly<Record<string, (text: string) => string>> = {
  'a longer text': text => text.replace('line 5 ', 'LINE number five ').concat('more größer\n'.repeat(50)),
  'a shorter text': text => text.slice(0, 100).toUpperCase() + text.slice(2000),
  'a text of the same length': text => text.replaceAll('ö', 'ü').replaceAll('line', 'LINE'),
  'an empty text': () => '',
}

function fixture() {
  const folder = new ToolFolder({ files: { 'a.txt': `\ufeff${long.replaceAll('\n', '\r\n')}` } })
  linkSync(join(folder.root, 'a.txt'), join(folder.root, 'second.txt'))
  const uri = folder.uri('a.txt')
  const bytes = () => readFileSync(join(folder.root, 'second.txt'))
  const write = async (changes = folder.newTools().changes, edit: (text: string) => string) => {
    const seen = await contentHash(long)
    const approved = [{ is: 'hard-link' }] as const
    return changes.apply({ conversation: 'c', turn: 't', uri, seen, text: edit(long), approved }, never)
  }
  return { folder, uri, bytes, write }
}

for (const [name, edit] of Object.entries(edits)) {
  test(`[A36] ${name} that finds no room in a file with two names leaves it as it was`, async t => {
    for (let number = 1; number <= 3; number++) {
      const { folder, bytes, write } = fixture()
      using _ = folder
      const before = bytes()
      await cutAt(t, number, async () => {
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
      })
      const { changes } = folder.newTools()
      const { is } = await write(changes, edit)
      t.mock.restoreAll()
      if (number > 1 && is === 'changed') continue
      assert.equal(is, 'failed')
      assert.deepEqual(bytes(), before, `call ${number}`)
      assert.deepEqual(changes.openFiles('c'), [])
    }
  })

  test(`[A37] a window that ends in the middle of writing ${name} in place leaves what the next one can undo`, async t => {
    for (let number = 1; number <= 3; number++) {
      const { folder, uri, bytes, write } = fixture()
      using _ = folder
      const before = bytes()
      const cut = Promise.withResolvers<FileHandle | undefined>()
      await cutAt(t, number, handle => {
        cut.resolve(handle)
        return new Promise<never>(() => {})
      })
      void write(folder.newTools().changes, edit).then(() => cut.resolve(undefined))
      const handle = await cut.promise
      t.mock.restoreAll()
      await handle?.close()
      const isTorn = !bytes().equals(before)
      assert.ok(handle || number > 1)
      const { changes } = folder.newTools()
      await changes.loadAll()
      assert.deepEqual(changes.openFiles('c'), isTorn ? [uri] : [], `call ${number}, before it is loaded`)
      await changes.load('c')
      assert.deepEqual(changes.openFiles('c'), isTorn ? [uri] : [], `call ${number}`)
      assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
      assert.deepEqual(bytes(), before, `call ${number}`)
    }
  })
}

for (const [name, now, isOurs] of [
  ['nothing', '', true],
  ['the first half of the text', long.replace('user', 'agent').slice(0, 999), true],
  ['a text of the user', `${long}mine\n`, false],
  ['the first half of the text before', long.slice(0, 999), false],
] as const)
  test(`[A37] ${name} in the file after a window has ended is ${isOurs ? 'undone' : 'left alone'}`, async t => {
    const { folder, bytes, write } = fixture()
    using _ = folder
    const before = bytes()
    const cut = Promise.withResolvers<FileHandle>()
    await cutAt(t, 1, handle => {
      cut.resolve(handle)
      return new Promise<never>(() => {})
    })
    void write(undefined, text => text.replace('user', 'agent'))
    const handle = await cut.promise
    t.mock.restoreAll()
    await handle.close()
    const left = now && `\ufeff${now.replaceAll('\n', '\r\n')}`
    folder.put('a.txt', left)
    const { changes } = folder.newTools()
    await changes.undo({ conversation: 'c' })
    assert.deepEqual(bytes(), isOurs ? before : Buffer.from(left))
  })
