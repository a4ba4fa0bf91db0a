// What is on disk of a change, and what is read again of files that somebody has damaged.
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { contentHash } from '../../../src/core/tools/contentHash.ts'
import { ChangeFolder } from '../../../src/node/changes/changeFolder.ts'

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
