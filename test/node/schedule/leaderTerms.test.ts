// One window leads: of several that claim a term one gets it, and one that was overtaken meanwhile notices.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { LeaderTerms } from '../../../src/node/schedule/leaderTerms.ts'

const addressOf = (window: string) => ({ address: `/run/${window}.sock`, pass: window.repeat(16).slice(0, 32) })

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-terms-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('of two windows that claim one term the first leads', t => {
  const folder = folderOf(t)
  const [one, two] = [new LeaderTerms(folder), new LeaderTerms(folder)]
  assert.equal(one.latest(), undefined)
  assert.equal(one.claim(1, addressOf('one')), true)
  assert.equal(two.claim(1, addressOf('two')), false)
  for (const terms of [one, two]) assert.deepEqual(terms.latest(), { number: 1, coordinator: addressOf('one') })
})

test('a later term removes the files of those before', t => {
  const folder = folderOf(t)
  const terms = new LeaderTerms(folder)
  for (const number of [1, 2, 3]) assert.equal(terms.claim(number, addressOf(`window ${number}`)), true)
  assert.deepEqual(terms.latest(), { number: 3, coordinator: addressOf('window 3') })
  assert.equal(readdirSync(folder).length, 1)
})

test('a window that claims a term when a later one has begun does not lead, although its file was free again', t => {
  const folder = folderOf(t)
  const [slow, quick] = [new LeaderTerms(folder), new LeaderTerms(folder)]
  assert.equal(quick.claim(1, addressOf('quick')), true)
  assert.equal(quick.claim(2, addressOf('quick')), true)
  assert.equal(slow.claim(1, addressOf('slow')), false)
  assert.deepEqual(slow.latest(), { number: 2, coordinator: addressOf('quick') })
})

test('a file that holds no address counts as a term without a coordinator', t => {
  const folder = folderOf(t)
  const terms = new LeaderTerms(folder)
  writeFileSync(join(folder, 'desk-7'), '{"address":""}')
  assert.deepEqual(terms.latest(), { number: 7, coordinator: undefined })
  assert.equal(terms.claim(7, addressOf('one')), false)
  assert.equal(terms.claim(8, addressOf('one')), true)
})
