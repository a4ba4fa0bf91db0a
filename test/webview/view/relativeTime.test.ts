// How long ago a chat was, as people write it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTime } from '../../../src/webview/view/relativeTime.ts'

test('minutes, hours and days have the short form that the language has', () => {
  const now = Date.UTC(2026, 5, 15, 12)
  const ago = (minutes: number, language: string) => relativeTime(now - minutes * 60_000, now, language)
  assert.deepEqual(
    [0, 5, 120, 24 * 60].map(minutes => ago(minutes, 'en')),
    ['now', '5m ago', '2h ago', 'yesterday'],
  )
  assert.deepEqual(
    [0, 5, 120, 24 * 60].map(minutes => ago(minutes, 'de')),
    ['jetzt', 'vor 5 Min.', 'vor 2 Std.', 'gestern'],
  )
})
