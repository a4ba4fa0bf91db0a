// The sweep after each test finds what was planted, in every place: otherwise its silence means nothing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from '@playwright/test'

const places = ['storage', 'database', 'cookie', 'page', 'frame', 'clipboard', 'file', 'call']

test('[T10] a secret is found wherever it was planted', async () => {
  const args = ['test', '--config=test/e2e/plantedSecrets.config.ts', '--reporter=json', '--retries=0', '--workers=1']
  const child = spawn('node_modules/.bin/playwright', args)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  await once(child, 'close')
  const isFound = (place: string) => output.includes(`sk-bf-${place.slice(0, 4)}…`)
  assert.deepEqual(
    places.filter(place => !isFound(place)),
    [],
    output,
  )
  assert.ok(output.includes('the canary of workspace'), output)
})
