// K1 to K3: commands in three shells, the time until a stopped one is gone, and a very long output.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandEnd } from '../../../src/core/tools/commandPorts.ts'
import { CommandTools } from '../../support/commandTools.ts'
import { percentile, timed } from '../numbers.ts'
import type { PartOptions } from './part.ts'
import type { Row } from './rows.ts'

/** How many are run in all. */
const COUNT = 10_000
const PARALLEL = 4
/** So many starts are timed, each beside a bare one. */
const TIMED = 60
const TRIES = 5
/** A command that has not ended by then hangs; the slowest of them takes a second. */
const HANG_MS = 30_000

/** The commands with the exit code that each must have. */
const commands: readonly (readonly [command: string, exitCode: number])[] = [
  ['true', 0],
  ['false', 1],
  ['exit 42', 42],
  ['echo out; echo err >&2; exit 7', 7],
  ['cat', 0],
  ['read x; test -z "$x"', 0],
  ['no-such-program-anywhere', 127],
  ['. /no/such/file || exit 9', 9],
  ['printf "half \\303"; exit 3', 3],
  ['seq 1 20000', 0],
  ['seq 1 20000 | tail -n 1 | grep -q 20000', 0],
  ['sleep 0.05 & exit 5', 5],
  ['exec 1>&- 2>&-; exit 6', 6],
  ['(exit 11)', 11],
  ['sh -c "exit 12"; exit $?', 12],
  ['trap "exit 13" TERM; kill -TERM $$; sleep 1', 13],
  ['printf "1%%\\r2%%\\r3%%\\n"; exit 0', 0],
  ['head -c 200000 /dev/zero | tr "\\000" x; exit 8', 8],
  ['echo problem >&2; exit 0', 0],
  ['echo x > /dev/stderr && echo y > /dev/stdout', 0],
]

interface Harness {
  readonly tools: CommandTools
  end(): Promise<void>
}

function harness(shell: string): Harness {
  const ends: (() => unknown)[] = []
  const tools = new CommandTools({ after: end => void ends.push(end as () => unknown) }, { shell }) // as: the end takes no argument
  return {
    tools,
    async end() {
      for (const end of ends) await end()
    },
  }
}

export async function run({ count = COUNT }: PartOptions): Promise<readonly Row[]> {
  // Before what leaves garbage behind.
  const long = await longOutput()
  return [...(await manyCommands(count)), ...(await stopping()), ...long]
}

async function manyCommands(count: number): Promise<Row[]> {
  const shells = ['/bin/bash', '/bin/zsh', '/bin/sh'].filter(path => existsSync(path))
  let hangs = 0
  let wrong = 0
  let done = 0
  const overheads: Overhead[] = []
  for (const shell of shells) {
    const { tools, end } = harness(shell)
    const total = Math.ceil(count / shells.length)
    let next = 0
    const work = async () => {
      while (next < total) {
        const [command, exitCode] = commands[next++ % commands.length] ?? ['true', 0]
        const ended = await endOf(tools, command)
        if (!ended) hangs++
        // A shell may end with 1 or 2 where a file to read is missing, before it comes to what follows.
        else if (ended.exitCode !== exitCode && !command.startsWith('. ')) {
          wrong++
          process.stderr.write(`${shell}: ${command}: ${JSON.stringify(ended)}\n`)
        }
        done++
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    overheads.push(...(await overheadsOf(tools, shell)))
    await end()
  }
  const wall = overheads.map(({ wallMs }) => wallMs)
  const processor = overheads.map(({ processorMs }) => processorMs)
  const [p95, processorP95] = [percentile(wall, 0.95), percentile(processor, 0.95)]
  const names = shells.map(shell => shell.split('/').at(-1)).join(', ')
  const what = `${done.toLocaleString('en')} commands in ${names}`
  return [
    { id: 'K1', metric: `${what}: hangs`, target: '0', measured: String(hangs), isMet: hangs === 0 },
    { id: 'K1', metric: 'wrong exit codes', target: '0', measured: String(wrong), isMet: wrong === 0 },
    {
      id: 'K1',
      metric: 'time over a bare spawn, p50 and p95',
      target: 'p95 < 10 ms',
      measured: `${percentile(wall, 0.5).toFixed(1)} and ${p95.toFixed(1)} ms`,
      isMet: p95 < 10,
    },
    {
      id: 'K1',
      metric: 'processor time over a bare spawn, p50 and p95',
      target: 'p95 < 10 ms',
      measured: `${percentile(processor, 0.5).toFixed(1)} and ${processorP95.toFixed(1)} ms`,
      isMet: processorP95 < 10,
    },
  ]
}

async function endOf(tools: CommandTools, command: string): Promise<CommandEnd | undefined> {
  const started = await tools.commands.start({ command, folder: tools.folder })
  const hang = new AbortController()
  const ended = await Promise.race([
    started.end,
    sleep(HANG_MS, undefined, { signal: hang.signal }).catch(() => undefined),
  ])
  hang.abort()
  if (!ended) await started.stop()
  return ended
}

interface Overhead {
  readonly wallMs: number
  readonly processorMs: number
}

/** Of the whole call of the tool over a bare process; each time is the best of some, because other work delays both. */
async function overheadsOf(tools: CommandTools, shell: string): Promise<Overhead[]> {
  const overheads: Overhead[] = []
  for (let count = 0; count < TIMED; count++) {
    const bare: Overhead[] = []
    const own: Overhead[] = []
    for (let round = 0; round < TRIES; round++) {
      bare.push(await costOf(() => bareEnd(shell)))
      own.push(await costOf(() => tools.call({ command: 'echo a' }, undefined, `c${count}`)))
    }
    overheads.push({
      wallMs: Math.min(...own.map(one => one.wallMs)) - Math.min(...bare.map(one => one.wallMs)),
      processorMs: Math.min(...own.map(one => one.processorMs)) - Math.min(...bare.map(one => one.processorMs)),
    })
  }
  return overheads
}

async function costOf(work: () => Promise<unknown>): Promise<Overhead> {
  const before = process.cpuUsage()
  const wallMs = await timed(async () => void (await work()))
  const { user, system } = process.cpuUsage(before)
  return { wallMs, processorMs: (user + system) / 1_000 }
}

function bareEnd(shell: string): Promise<void> {
  return new Promise(resolve => {
    spawn(shell, ['-c', 'echo a'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true }).once('close', () => resolve())
  })
}

async function stopping(): Promise<Row[]> {
  const { tools, end } = harness('/bin/bash')
  const willing = await stopTimes(tools, 'sleep 60 & (sleep 60; true) & echo begun; wait', 20)
  const unwilling = await stopTimes(
    tools,
    'trap "" TERM; (trap "" TERM; sleep 60; sleep 60) & echo begun; wait; sleep 60',
    3,
  )
  await end()
  const [worst, worstUnwilling] = [Math.max(...willing), Math.max(...unwilling)]
  return [
    {
      id: 'K2',
      metric: 'Stop to the whole group gone, longest',
      target: '< 1 s',
      measured: `${worst.toFixed(0)} ms`,
      isMet: worst < 1_000,
    },
    {
      id: 'K2',
      metric: 'the same where it ignores TERM',
      target: '< 2.5 s',
      measured: `${worstUnwilling.toFixed(0)} ms`,
      isMet: worstUnwilling < 2_500,
    },
  ]
}

async function stopTimes(tools: CommandTools, command: string, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = await tools.commands.start({ command, folder: tools.folder })
    await new Promise<void>(resolve => started.onOutput(({ settled }) => settled.includes('begun') && resolve()))
    const at = performance.now()
    await started.stop()
    times.push(performance.now() - at)
  }
  return times
}

async function longOutput(): Promise<Row[]> {
  const { tools, end } = harness('/bin/bash')
  await tools.text('seq 1 200000')
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before)
  }, 20)
  const text = await tools.text(
    'seq -f "line %.0f of a program that has very much to write, and writes it" 1 1500000',
    { seconds: 600 },
  )
  clearInterval(watch)
  await end()
  const mostMb = most / 1e6
  return [
    {
      id: 'K3',
      metric: '100 MB of output: memory',
      target: '< +30 MB',
      measured: `+${mostMb.toFixed(0)} MB`,
      isMet: mostMb < 30,
    },
    {
      id: 'K3',
      metric: 'characters to the model',
      target: '≤ 16,500',
      measured: text.length.toLocaleString('en'),
      isMet: text.length <= 16_500,
    },
  ]
}
