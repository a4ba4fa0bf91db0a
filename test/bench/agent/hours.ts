// Eight hours of work with a clock that is moved on: memory, handles, threads and processes that are left: W2.
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { callOf, TurnFixture } from '../../support/turnFixture.ts'
import { eventually } from '../../support/wire.ts'
import type { PartOptions } from './part.ts'
import type { Row } from './rows.ts'
import { WorkingTools } from './turns/workingTools.ts'

const HOURS = 8
/** Turns of an hour, each with ten calls or so. */
const TURNS = 15
const REST_MS = 20 * 60_000
/** Of the heap, from the second hour to the last. */
const FLAT_MB = 2
/** In the environment of each command, so that it is found wherever it has gone. */
const MARK = `KOURIER_BENCH=${process.pid}`

interface State {
  readonly heapMb: number
  readonly residentMb: number
  /** Open files, pipes and sockets. */
  readonly handles: number
  readonly threads: number
  readonly processes: number
}

export async function run({ count = TURNS }: PartOptions): Promise<readonly Row[]> {
  const clock = new FakeClock()
  const [name = '', value = ''] = MARK.split('=')
  const working = new WorkingTools({
    files: { 'a.ts': 'let turn = 0\n', 'b.ts': 'b 0\n' },
    clock,
    variables: { [name]: value },
  })
  const states: State[] = []
  for (let hour = 0; hour < HOURS; hour++) {
    await workedHour(working, clock, hour, count)
    states.push(await stateAfterRest(clock))
  }
  const waiting = clock.waiting
  await working[Symbol.asyncDispose]()
  const left = marked().length
  const [second, last] = [states[1], states.at(-1)]
  if (!second || !last) throw new Error('There are no hours')
  const heap = states.map(({ heapMb }) => heapMb.toFixed(1)).join(' ')
  const growth = last.heapMb - second.heapMb
  const turns = HOURS * count
  const processes = Math.max(left, ...states.map(one => one.processes))
  return [
    row(`heap after each of ${HOURS} hours (${turns} turns)`, 'flat', `${heap} MB`, growth < FLAT_MB),
    row(
      'resident memory, second and last hour',
      'none',
      `${second.residentMb.toFixed(0)} and ${last.residentMb.toFixed(0)} MB`,
      true,
    ),
    row(
      'handles and threads, second and last hour; timers',
      'the same; 0',
      `${second.handles} and ${second.threads}, ${last.handles} and ${last.threads}; ${waiting}`,
      last.handles <= second.handles && last.threads <= second.threads && waiting === 0,
    ),
    row('processes of commands left after an hour or the end', '0', `${processes}`, processes === 0),
  ]
}

/** A chat of so many turns, the last of which is stopped while its command runs. */
async function workedHour(working: WorkingTools, clock: FakeClock, hour: number, turns: number): Promise<void> {
  await using turn = await TurnFixture.start({
    ...{ tools: working.tools, clock, maxRequests: 1_000 },
    ask: async () => ({ is: 'allowed', scope: 'conversation' }),
  })
  for (let at = 0; at < turns; at++) {
    turn.service.log.clear()
    turn.events.length = 0
    turn.service.replies.add(...answersOf(hour * turns + at))
    await turn.ask(`Work on number ${at}.`)
    if (turn.turn.state !== 'done') throw new Error(`Turn ${at} ended as ${turn.turn.state}`)
  }
  turn.service.replies.add({ toolCalls: [command('sleep 1000 & sleep 1000')] })
  const stopped = turn.ask('Wait for it.')
  await eventually('it runs', () => marked().length > 0)
  turn.stop.abort()
  await stopped
  for (const left of working.runs.inBackground('chat')) await left.stop()
  await eventually('nothing runs', () => marked().length === 0)
}

const command = (line: string, more: object = {}) => callOf('run_command', { command: line, why: 'To do it.', ...more })

function answersOf(number: number) {
  const edit = { path: 'a.ts', edits: [{ old_text: `turn = ${number}\n`, new_text: `turn = ${number + 1}\n` }] }
  const isBackground = number % 10 === 5
  return [
    {
      toolCalls: [
        callOf('read_file', { path: 'a.ts' }),
        callOf('search_text', { pattern: 'turn' }),
        callOf('list_files', {}),
      ],
    },
    { toolCalls: [callOf('edit_file', edit), command(`echo b ${number} > b.ts; seq 1 ${1_000 + number}`)] },
    ...(isBackground ? [{ toolCalls: [command('echo begun; sleep 1000', { background: true })] }] : []),
    {
      toolCalls: [
        callOf('write_file', { path: 'c.ts', text: `c ${number}\n` }),
        callOf('delete_file', { path: 'c.ts' }),
      ],
    },
    { text: 'Done.' },
  ]
}

/** What rests for so long has ended. */
async function stateAfterRest(clock: FakeClock): Promise<State> {
  await clock.advance(REST_MS)
  await settled()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // as: the flag makes it
  // Finalizers run between two collections.
  for (let round = 0; round < 3; round++) {
    collect()
    await settled()
  }
  const { heapUsed, rss } = process.memoryUsage()
  return {
    ...{ heapMb: heapUsed / 1e6, residentMb: rss / 1e6 },
    ...{ handles: readdirSync('/proc/self/fd').length, threads: readdirSync('/proc/self/task').length },
    processes: marked().length,
  }
}

/** The processes that commands have started, also those that have left their group. */
function marked(): string[] {
  return readdirSync('/proc').filter(id => /^\d+$/.test(id) && environmentOf(id).includes(`${MARK}\0`))
}

function environmentOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/environ`, 'utf8')
  } catch {
    return '' // it has just ended
  }
}

const row = (metric: string, target: string, measured: string, isMet: boolean): Row => ({
  ...{ id: 'W2', metric, target, measured, isMet },
})
