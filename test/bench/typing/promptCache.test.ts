// Which part of a prompt has to be read anew.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelRequest } from '../../../src/core/model/modelClient.ts'
import { userMessage } from '../../support/messages.ts'
import { PromptCache } from './promptCache.ts'

const asking = (text: string): ModelRequest => ({
  model: 'm',
  system: 'x'.repeat(400),
  messages: [userMessage(text)],
  lane: 'completion',
})

test('a prompt is read once, and then only behind what it shares with one of the last eight', () => {
  const cache = new PromptCache()
  const first = cache.read(asking('a'.repeat(400)))
  assert.equal(first.uncachedTokens, first.promptTokens)
  assert.ok(first.promptTokens >= 200 && first.promptTokens <= 205)
  // Ten tokens, and one that begins in what is shared.
  assert.equal(cache.read(asking(`${'a'.repeat(400)}${'b'.repeat(40)}`)).uncachedTokens, 11)
  assert.ok(cache.read(asking('a'.repeat(400))).uncachedTokens <= 1)
  // Only the system text is shared.
  const other = cache.read(asking('c'.repeat(400))).uncachedTokens
  assert.ok(other >= 100 && other <= 102)
})

test('a prompt of longer ago is forgotten', () => {
  const cache = new PromptCache()
  const first = cache.read(asking('a'.repeat(400)))
  for (const letter of 'bcdefghi') cache.read(asking(letter.repeat(400)))
  const again = cache.read(asking('a'.repeat(400)))
  assert.ok(again.uncachedTokens > 98 && again.uncachedTokens < first.uncachedTokens)
})
