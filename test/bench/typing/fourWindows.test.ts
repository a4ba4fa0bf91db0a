// Windows that share a plan with chats: the same figures each time, and refusals only where the plan is small.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fourWindows } from './fourWindows.ts'
import { fewWindowSettings } from './settings.ts'
import { readSources, type Source } from './source.ts'

const [setting] = fewWindowSettings
if (!setting) throw new Error('nothing to replay')
const sources = ['panel.css', 'observatory.html', 'TideChart.tsx', 'ratelimit.go'].map(shortened)

/** Typed are only its first 200 characters. */
function shortened(path: string): Source {
  const source = readSources().find(source => source.path === path)
  if (!source) throw new Error(`no ${path}`)
  const end = source.text.indexOf('\n', source.start + 200)
  return { ...source, text: source.text.slice(0, end), end }
}

const withPlan = (slots: number) =>
  fourWindows({ ...setting, conditions: { ...setting.conditions, slots } }, sources, [1])

test('four files are typed beside chats, and the same seed gives the same figures', async () => {
  const first = await withPlan(3)
  assert.ok(first.visibleRatio > 0.2)
  assert.ok(first.chats > 0)
  assert.ok(first.serverPeak <= 3)
  assert.deepEqual(await withPlan(3), first)
})

test('with slots for all nobody is refused, and with fewer slots less is visible', async () => {
  const many = await withPlan(20)
  assert.equal(many.chatsRefused, 0)
  assert.equal(many.refused, 0)
  const one = await withPlan(1)
  assert.ok(one.visibleRatio < many.visibleRatio)
  assert.ok(one.refused + one.chatsRefused > 0)
})
