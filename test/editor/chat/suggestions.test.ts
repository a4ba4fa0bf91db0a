// The suggestions for a mention: which of those that the sources find are shown for a text with spaces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matching } from '../../../src/core/context/matching.ts'
import type { ToPage } from '../../../src/protocol/panel.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'
import { memorySources } from '../../support/memorySources.ts'

const { Suggestions } = await withFakeVscode(() => import('../../../src/editor/chat/suggestions.ts'))

const files = ['my notes.md', 'noisy.md', 'notes for my tests.md'].map(label => {
  const reference = { source: 'file', uri: `file:///w/my desk/${label}` } as const
  return { reference, label, detail: 'my desk', icon: 'file' } as const
})

async function suggested(text: string): Promise<readonly string[]> {
  const sent: ToPage[] = []
  const suggestions = new Suggestions({
    sources: Object.assign(memorySources(), {
      async *suggest(query: { text: string; limit: number }) {
        yield matching(files, query)
      },
    }),
    promptFiles: async () => [],
    send: message => sent.push(message),
    report: fault => assert.fail(String(fault)),
  })
  await suggestions.ask({ kind: 'suggest', conversation: 'c', request: 1, trigger: '@', text })
  const last = sent.findLast(message => message.kind === 'suggestions')
  return last?.items.map(({ label }) => label) ?? []
}

test('a name with spaces is found as it is typed, in any case', async () => {
  assert.deepEqual(await suggested('no'), ['noisy.md', 'notes for my tests.md', 'my notes.md'])
  assert.deepEqual(await suggested('my '), ['my notes.md', 'notes for my tests.md'])
  assert.deepEqual(await suggested('My no'), ['my notes.md'])
  assert.deepEqual(await suggested('my notes.md'), ['my notes.md'])
})

test('what is written behind a name ends the mention', async () => {
  assert.deepEqual(await suggested('my notes.md '), [])
  assert.deepEqual(await suggested('noisy is'), [])
  assert.deepEqual(await suggested('notes my'), [], 'the editor’s search would find it')
})

test('a mention that begins with what it is of finds only that', async () => {
  assert.deepEqual(await suggested('file:noi'), ['noisy.md'])
  assert.deepEqual(await suggested('File:my notes'), ['my notes.md'])
  assert.deepEqual(await suggested('sym:noi'), [])
  assert.deepEqual(await suggested('commit:noi'), [], 'is a text like any other')
})
