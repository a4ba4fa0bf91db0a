// The service in a process of its own, which watches itself while it is under load.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { startService } from '../localService/server.ts'

export interface Ready {
  readonly url: string
  readonly key: string
}

export interface Order {
  /** How many streams there will be, and of how many tokens each. */
  readonly streams: number
  readonly tokens: number
  /** 0: at once. */
  readonly tokensPerSecond: number
}

export interface Report {
  readonly delayP99Ms: number
  readonly delayMaxMs: number
  readonly residentMiB: number
  /** Of one core, since the order came. */
  readonly cpuSeconds: number
  readonly openRequests: number
}

const service = await startService({ plan: 'omega', limits: { omega: 10_000 } })
let cpuBefore = process.cpuUsage()
const delay = monitorEventLoopDelay({ resolution: 1 })

process.on('message', (order: Order | 'report' | 'cancel') => {
  if (order === 'report') process.send?.(report())
  else if (order === 'cancel') void reportWhenLeft()
  else prepare(order)
})
process.on('disconnect', () => process.exit(0))
const ready: Ready = { url: service.baseUrl, key: service.state.issueKey('bench@example.com', 'bench') }
process.send?.(ready)

function prepare({ streams, tokens, tokensPerSecond }: Order): void {
  const numbered = Array.from({ length: tokens }, (_, at) => `${at} `)
  service.replies.add(...Array.from({ length: streams }, () => ({ tokens: numbered, tokensPerSecond })))
  service.log.clear()
  cpuBefore = process.cpuUsage()
  delay.reset()
  delay.enable()
  process.send?.('prepared')
}

function report(): Report {
  delay.disable()
  return {
    // The histogram counts the whole time between two looks, of which the wait of a millisecond is none of the delay.
    delayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 1),
    delayMaxMs: Math.max(0, delay.max / 1e6 - 1),
    cpuSeconds: cpuSecondsSince(cpuBefore),
    residentMiB: process.memoryUsage.rss() / 1024 ** 2,
    openRequests: service.slots.open,
  }
}

function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Holds the next answer at its first token, and reports when its caller has left. */
async function reportWhenLeft(): Promise<void> {
  service.log.clear()
  const gate = service.replies.hold(1)
  process.send?.('prepared')
  await gate.reached
  process.send?.('held')
  await service.log.until(call => call.isAborted)
  process.send?.('left')
}
