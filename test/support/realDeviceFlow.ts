// A sign-in in a process of its own, by the clocks of the machine: reports each step on a line, and receives what to do.
import process from 'node:process'
import { createInterface } from 'node:readline'
import { systemClock as clock } from '../../src/base/clock.ts'
import { isExpired } from '../../src/core/account/codeStep.ts'
import { DeviceFlow } from '../../src/core/account/deviceFlow.ts'
import { SignInError } from '../../src/core/account/signInError.ts'
import { Log } from '../../src/core/log/log.ts'
import { UndiciHttp } from '../../src/node/http/undiciHttp.ts'
import { discover } from './discover.ts'
import { direct } from './wire.ts'

/** The step, or how the sign-in ended. */
export interface Report {
  readonly is: string
  readonly isExpired?: boolean
}

const stop = new AbortController()
const http = new UndiciHttp(() => direct, clock)
const send = (report: Report) => process.stdout.write(`${JSON.stringify(report)}\n`)

const service = await discover(http.send, new URL(process.argv[2] ?? ''), clock, stop.signal)
const flow = new DeviceFlow({
  http: http.send,
  service,
  agree: async () => 'ada@example.com',
  store: async () => {},
  revoke: () => {},
  clientName: 'Kourier (test)',
  clock,
  log: new Log(),
})
flow.onDidChange(step => send({ is: step.is, ...('code' in step && { isExpired: isExpired(step) }) }))
createInterface({ input: process.stdin }).on('line', line => {
  const now = Date.now.bind(Date)
  // As when somebody sets the clock of the machine.
  Date.now = () => now() + Number(line)
})
await flow.run(stop.signal).catch(fault => send({ is: fault instanceof SignInError ? fault.reason : String(fault) }))
process.exit()
