// Files of the same name are distinguished by their folders, with no more of them than that takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctNames } from '../../../src/webview/state/distinctNames.ts'

test('only files of the same name have a folder, as much of it as no other has', () => {
  const paths = ['w/a/desk/zones.ts', 'w/b/desk/zones.ts', 'w/my%20files/zones.ts', 'w/a/desk/postage.ts', 'x/only.ts']
  const names = distinctNames(paths.map(path => `file:///${path}`))
  assert.deepEqual(
    [...names.values()].map(({ name, folder }) => [name, folder]),
    [
      ['zones.ts', 'a/desk'],
      ['zones.ts', 'b/desk'],
      ['zones.ts', 'my files'],
      ['postage.ts', undefined],
      ['only.ts', undefined],
    ],
  )
})

test('a path that ends another one is shown as a whole', () => {
  const names = distinctNames(['file:///a/index.ts', 'file:///b/a/index.ts'])
  assert.deepEqual(
    [...names.values()].map(({ folder }) => folder),
    ['/a', 'b/a'],
  )
})
