// C1 to C3: a process that changes and restores files is killed at every operation on a file; what is left, and its journal.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { contentHash } from '../../../src/base/contentHash.ts'
import { ChangeFolder } from '../../../src/node/changes/changeFolder.ts'
import { randomFrom } from '../../support/random.ts'
import { ChangedFolder, original } from './kills/changedFolder.ts'
import type { PartOptions } from './part.ts'
import type { Row } from './rows.ts'

const KILLS = 500
const AT_ONCE = 4

interface Counts {
  kills: number
  torn: number
  unopened: number
  notUndone: number
  left: number
}

export async function run({ count = KILLS }: PartOptions): Promise<readonly Row[]> {
  const whole = await killed(0)
  const { operations, states } = JSON.parse(whole.output) as { operations: number; states: readonly string[] } // as: what the process prints
  rmSync(whole.top, { recursive: true })
  const counts: Counts = { kills: 0, torn: 0, unopened: 0, notUndone: 0, left: 0 }
  const numbers = Array.from({ length: count }, (_, at) => 1 + Math.floor((at * operations) / count)).values()
  const work = async () => {
    for (const number of numbers) await check(number, states, counts)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return [
    row(
      'C1',
      `kills during changes and restores (${operations} operations): files neither before nor after`,
      counts.torn,
      counts.kills,
    ),
    row('C1', 'journals that do not open', counts.unopened, counts.kills),
    row('C1', 'drafts left beside a file after the next start', counts.left, counts.kills),
    row('C2', 'undo after the kill that does not give the original bytes', counts.notUndone, counts.kills),
    await beforeImages(),
  ]
}

const row = (id: string, metric: string, count: number, of: number): Row => ({
  id,
  metric,
  target: '0',
  measured: `${count} of ${of}`,
  isMet: count === 0 && of > 0,
})

async function killed(at: number): Promise<{ readonly top: string; readonly output: string }> {
  const top = mkdtempSync(join(tmpdir(), 'killed-'))
  mkdirSync(join(top, 'work'))
  for (const [path, text] of Object.entries(original)) writeFileSync(join(top, 'work', path), text)
  const program = join(import.meta.dirname, 'kills/killedProcess.ts')
  const child = spawn(process.execPath, [program, top, `${at}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', part => {
    output += part
  })
  await new Promise(resolve => child.on('close', resolve))
  return { top, output }
}

async function check(at: number, states: readonly string[], counts: Counts): Promise<void> {
  const { top } = await killed(at)
  try {
    counts.kills++
    const folder = new ChangedFolder(top)
    const drafts = () =>
      readdirSync(folder.root, { recursive: true })
        .map(String)
        .filter(name => name.endsWith('.kourier-draft'))
    // As if the process had ended a while ago.
    for (const name of drafts()) utimesSync(join(folder.root, name), 1, 1)
    await folder.changes.load('c')
    counts.left += drafts().length
    for (const name of drafts()) rmSync(join(folder.root, name))
    if (!states.includes(folder.state())) counts.torn++
    const history = await folder.changes.history('c')
    const turns = [...new Set(history.map(({ turn }) => turn).filter(turn => turn.startsWith('t')))]
    await folder.checkpoints.restore('c', turns, new Set(), new AbortController().signal)
    if (folder.state() !== states[0]) counts.notUndone++
  } catch {
    counts.unopened++
  } finally {
    rmSync(top, { recursive: true })
  }
}

/** C3. */
async function beforeImages(): Promise<Row> {
  const top = mkdtempSync(join(tmpdir(), 'images-'))
  const store = new ChangeFolder(top)
  const random = randomFrom(2)
  const [times, plain]: [number[], number[]] = [[], []]
  for (let number = 0; number < 300; number++) {
    const text = `${random()}\n`.repeat(500)
    const start = performance.now()
    await store.keep(await contentHash(text), text)
    times.push(performance.now() - start)
    plain.push(await plainWrite(join(top, `${number}`), text))
  }
  rmSync(top, { recursive: true })
  const p95 = p95Of(times)
  const measured = `${p95.toFixed(2)} ms; a plain write with sync ${p95Of(plain).toFixed(2)} ms`
  return { id: 'C3', metric: 'time of a before-image on the disk, p95', target: '< 5 ms', measured, isMet: p95 < 5 }
}

const p95Of = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

/** What the disk itself takes at this moment. */
async function plainWrite(path: string, text: string): Promise<number> {
  const start = performance.now()
  const handle = await open(path, 'wx')
  await handle.writeFile(text)
  await handle.datasync()
  await handle.close()
  return performance.now() - start
}
