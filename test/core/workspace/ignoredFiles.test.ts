// What git ignores is asked in one go, remembered for a while, and assumed where git fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IgnoredFiles } from '../../../src/core/workspace/ignoredFiles.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const { signal } = new AbortController()

function harness(ignored: readonly string[]) {
  const asked: string[][] = []
  const clock = new FakeClock()
  const state = { fails: false }
  const files = new IgnoredFiles(
    {
      ignoredOf: async uris => {
        asked.push([...uris])
        if (state.fails) throw new Error('git failed')
        return new Set(ignored.filter(uri => uris.includes(uri)))
      },
    },
    clock,
  )
  return { asked, clock, files, state }
}

test('only what is not known is asked, once', async () => {
  const { asked, files } = harness(['b'])
  assert.deepEqual([...(await files.of(['a', 'b', 'b'], signal))], ['b'])
  assert.deepEqual([...(await files.of(['a', 'b', 'c'], signal))], ['b'])
  assert.deepEqual(asked, [['a', 'b'], ['c']])
})

test('it is asked again after a while, and after a change of the rules', async () => {
  const { asked, clock, files } = harness([])
  await files.of(['a'], signal)
  await clock.advance(31_000)
  await files.of(['a'], signal)
  files.forget()
  await files.of(['a'], signal)
  assert.equal(asked.length, 3)
})

test('where git fails, a file counts as ignored and is asked about the next time', async () => {
  const { files, state } = harness([])
  state.fails = true
  assert.deepEqual([...(await files.of(['a'], signal))], ['a'])
  state.fails = false
  assert.deepEqual([...(await files.of(['a'], signal))], [])
})
