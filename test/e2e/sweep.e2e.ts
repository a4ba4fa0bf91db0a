// The sweep after each test and each file finds what was planted, in every place: otherwise its silence means nothing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'

const places = ['storage', 'database', 'cookie', 'page', 'frame', 'clipboard', 'file', 'call']

it('[T10] a secret is found wherever it was planted', { timeout: 120_000 }, async () => {
  // Without this name, the tests would be told to the runner of this one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const file = 'test/support/plantedSecrets.ts'
  const child = spawn(process.execPath, ['--no-warnings', '--test', '--test-reporter=tap', file], { env })
  let told = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (told += text))
  await once(child, 'close')
  const found = (place: string) => told.includes(`sk-bf-${place.slice(0, 4)}…`)
  assert.deepEqual(
    places.filter(place => !found(place)),
    [],
    told,
  )
  // Each place of the browser by the test that planted there, the rest at the end of the file.
  assert.equal([...told.matchAll(/^\s+not ok \d+ - in /gm)].length, 6, told)
})
