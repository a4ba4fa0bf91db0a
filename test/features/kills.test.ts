// The extension host is killed while it answers; the next one has every question, and the answer but for its last second.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import { startService } from '../localService/server.ts'
import { randomFrom } from '../support/random.ts'
import { LastingEditor } from './lastingEditor.ts'

const seed = Number(process.env['KOURIER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const KILLS = 50
const EDITORS = 8
const root = mkdtempSync(join(tmpdir(), 'kourier-kills-'))
const program = join(root, 'host.mjs')
after(() => rmSync(root, { recursive: true, force: true }))

/** As one file, a process of it starts in a fraction of the time. */
before(() =>
  build({
    entryPoints: [join(import.meta.dirname, 'hostProcess.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    alias: { vscode: join(import.meta.dirname, 'recordedEditor.ts') },
    external: ['../milo/*'],
    logLevel: 'error',
  }),
)

test('[R45] 50 kills of the extension host in mid-answer lose at most a second of the answer and never a prompt', async t => {
  t.diagnostic(`KOURIER_SEED=${seed}`)
  await using service = await startService({ plan: 'pro', tokensPerSecond: 200 })
  const random = randomFrom(seed)
  let killsLeft = KILLS
  let mostLostMs = 0
  const lives = Array.from({ length: EDITORS }, async (_, at) => {
    await using editor = new LastingEditor(service, program, root, `editor${at}x`)
    while (killsLeft-- > 0) await editor.killInAnswer(random() * 2_000)
    await editor.open()
    mostLostMs = Math.max(mostLostMs, editor.mostLostMs)
  })
  await Promise.all(lives)
  t.diagnostic(`the most that was lost is ${mostLostMs} ms of an answer`)
  assert.ok(mostLostMs <= 1_000, `${mostLostMs} ms of an answer were lost`)
})

test('[R45] a question that the page has sent is in the conversation or in the composer, whenever the host is killed', async t => {
  t.diagnostic(`KOURIER_SEED=${seed}`)
  await using service = await startService({ plan: 'pro', tokensPerSecond: 200 })
  const random = randomFrom(seed)
  await using editor = new LastingEditor(service, program, root, 'asking')
  await editor.killInAnswer(0)
  for (let kill = 0; kill < 5; kill++) await editor.killAtQuestion()
  for (let kill = 0; kill < 10; kill++) await editor.killAtQuestion(random() * 20)
  await editor.open()
})
