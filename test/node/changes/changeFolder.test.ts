// What is on disk of a change, and what is read again of files that somebody has damaged.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { contentHash } from '../../../src/base/contentHash.ts'
import { ChangeFolder } from '../../../src/node/changes/changeFolder.ts'
import type { ChangeRecord } from '../../../src/protocol/changeRecord.ts'

const record = { kind: 'outcome', seq: 1, isDone: true } as const

test('contents and records are read as they were written, and nobody else may read them', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'changes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const store = new ChangeFolder(folder)
  const text = 'Grüße\r\n\u0000\ud83d\ude00'
  const hash = await contentHash(text)
  await Promise.all([store.keep(hash, text), store.keep(hash, text)])
  assert.equal(await store.read(hash), text)
  await store.append('one', record)
  await store.append('one', record)
  assert.deepEqual(await store.records('one'), [record, record])
  assert.deepEqual(await store.conversations(), ['one'])
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))
  for (const file of names.filter(name => statSync(name).isFile())) assert.equal(statSync(file).mode & 0o077, 0, file)
})

test('a content that is not what its name promises is none, and a cut line costs only itself', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'changes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const store = new ChangeFolder(folder)
  const hash = await contentHash('text')
  assert.equal(await store.read(hash), undefined)
  await store.keep(hash, 'text')
  writeFileSync(join(folder, 'blobs', hash.slice(0, 2), hash), 'damaged')
  assert.equal(await store.read(hash), undefined)
  await store.keep(hash, 'text')
  assert.equal(await store.read(hash), 'text')
  await store.append('one', record)
  appendFileSync(join(folder, 'one.jsonl'), '\n{"kind":"outco')
  await store.append('one', record)
  assert.deepEqual(await store.records('one'), [record, record])
  assert.deepEqual(await store.records('../one'), [record, record], 'no name leads out of the folder')
})

test('what another window has added is read, a line that it is writing once it is whole', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'changes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const store = new ChangeFolder(folder)
  const file = join(folder, 'one.jsonl')
  await store.append('one', record)
  assert.deepEqual(await store.records('one'), [record])
  const text = JSON.stringify({ ...record, seq: 2 })
  appendFileSync(file, `\n${text.slice(0, 12)}`)
  assert.deepEqual(await store.records('one'), [record])
  appendFileSync(file, text.slice(12))
  const both = [record, { ...record, seq: 2 }]
  assert.deepEqual(await store.records('one'), both)
  await new ChangeFolder(folder).append('one', record)
  assert.deepEqual(await store.records('one'), [...both, record])
  writeFileSync(file, `\n${text}`)
  assert.deepEqual(await store.records('one'), [{ ...record, seq: 2 }], 'another journal')
  rmSync(file)
  assert.deepEqual(await store.records('one'), [])
})

test('[A43] what is kept of files goes with the chat, and what was only seen after 30 days', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'changes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const store = new ChangeFolder(folder)
  const names = ['before', 'after', 'of both', 'seen', 'of the gone chat', 'unnamed', 'new'] as const
  const hashes = new Map<string, string>()
  for (const name of names) hashes.set(name, await contentHash(name))
  const hashOf = (name: (typeof names)[number]) => hashes.get(name) ?? ''
  const blob = (name: (typeof names)[number]) => join(folder, 'blobs', hashOf(name).slice(0, 2), hashOf(name))
  const left = () => names.filter(name => existsSync(blob(name)))
  const intent = (before: string, after: string): ChangeRecord => ({
    ...{ kind: 'intent', seq: 1, time: 0, turn: 't', change: 'modified', uri: 'file:///w/a.ts' },
    ...{ before, after },
  })
  for (const name of names) await store.keep(hashOf(name), name)
  await store.append('here', intent(hashOf('before'), hashOf('after')))
  await store.append('gone', intent(hashOf('of the gone chat'), hashOf('of both')))
  await store.addSeen('here', { uri: 'file:///w/b.ts', hash: hashOf('seen') })
  await store.addSeen('here', { uri: 'file:///w/c.ts', hash: hashOf('of both') })
  await store.addSeen('gone', { uri: 'file:///w/d.ts', hash: hashOf('seen') })
  await store.removeUnused(Date.now())
  assert.deepEqual(left(), names, 'the record of a content is written after it')
  await store.keepOnly(new Set(['here']))
  assert.deepEqual(readdirSync(folder).sort(), ['blobs', 'here.jsonl', 'here.seen'])
  const at = (days: number) => Date.now() + days * 24 * 3_600_000
  utimesSync(blob('new'), new Date(0), new Date(0))
  await store.keep(hashOf('new'), 'new')
  await store.removeUnused(at(0.5))
  assert.deepEqual(left(), names, 'one that was kept before and is needed again counts as new')
  await store.removeUnused(at(2))
  assert.deepEqual(left(), ['before', 'after', 'of both', 'seen'])
  await store.removeUnused(at(40))
  assert.deepEqual(left(), ['before', 'after'])
})
