// What a mention without a kind suggests: something of every source that a person can name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CombinedSources, type SourceTable } from '../../../src/core/context/combinedSources.ts'
import type { ContextSource, Suggestion } from '../../../src/core/context/contextSources.ts'

const named = (label: string): ContextSource => ({
  async *suggest() {
    // as: nothing else of a suggestion is read.
    yield [{ label } as Suggestion]
  },
  describe: () => ({ label, detail: '', icon: 'file' }),
  resolve: async () => ({ is: 'unavailable', why: 'missing', name: label }),
})

test('the selection comes first, and commits last', async () => {
  const names = ['file', 'folder', 'selection', 'symbol', 'open-editors', 'problems', 'terminal'] as const
  const others = ['git-change', 'commit', 'instructions', 'repository'] as const
  // as: a source for each name.
  const table = Object.fromEntries([...names, ...others].map(name => [name, named(name)])) as unknown as SourceTable
  const sources = new CombinedSources(table, { current: {}, onDidChange: () => ({ dispose() {} }) })
  let last: readonly Suggestion[] = []
  for await (const suggestions of sources.suggest({ text: 'x', limit: 30 }, new AbortController().signal))
    last = suggestions
  assert.deepEqual(
    last.map(({ label }) => label),
    [
      ...['selection', 'file', 'folder', 'symbol', 'open-editors', 'problems', 'terminal', 'git-change', 'repository'],
      'commit',
    ],
  )
})
