// A sign-in by the clocks of a real machine: a process that is stopped, as by sleep, and a wall clock that jumps.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../localService/server.ts'
import { endGroup, spawnGroup } from '../../support/processGroup.ts'
import type { Report } from '../../support/realDeviceFlow.ts'
import { shortCodes } from '../../support/shortCodes.ts'

const email = 'ada@example.com'
/** A whole interval has to pass before the first poll, and the code must live on a little after it. */
const CODE_LIFE_MS = 2_500

class DeviceFlowProcess implements AsyncDisposable {
  readonly #service: Awaited<ReturnType<typeof startService>>
  readonly #child: ChildProcess
  readonly #reports: Report[] = []
  #waiting: (() => void)[] = []

  constructor(service: Awaited<ReturnType<typeof startService>>) {
    this.#service = service
    const args = ['--no-warnings', 'test/support/realDeviceFlow.ts', service.baseUrl]
    this.#child = spawnGroup(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    assert.ok(this.#child.stdout)
    createInterface({ input: this.#child.stdout }).on('line', line => {
      this.#reports.push(JSON.parse(line) as Report)
      for (const look of this.#waiting.splice(0)) look()
    })
  }

  static async begin(codeLifeMs: number): Promise<DeviceFlowProcess> {
    const service = await startService({ interval: 1, plan: 'pro' })
    shortCodes(service, codeLifeMs)
    const running = new DeviceFlowProcess(service)
    await running.untilPolled(1)
    return running
  }

  /** When the polls came, in milliseconds. */
  get polls(): number[] {
    return this.#service.log.calls.filter(({ path }) => path === '/oauth2/token').map(({ at }) => Date.parse(at))
  }

  async untilPolled(times: number): Promise<void> {
    await this.#service.log.until(
      call => call.path === '/oauth2/token' && call.status !== undefined && this.polls.length >= times,
    )
  }

  async until(isMet: (report: Report) => boolean): Promise<void> {
    while (!this.#reports.some(isMet)) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }

  get isExpired(): boolean {
    return this.#reports.some(({ isExpired }) => isExpired)
  }

  approve(): void {
    const { registrations } = this.#service.state
    const [registration] = registrations.all
    assert.ok(registration)
    const { attempt } = registration
    assert.equal(registrations.approve(registration, attempt, email, attempt.code), 'done')
  }

  /** The lid is closed for as long as it takes the code to run out. */
  async sleepPastTheEnd(): Promise<void> {
    this.#signal('SIGSTOP')
    const [registration] = this.#service.state.registrations.all
    await sleep((registration?.attempt.expiresAt ?? 0) - this.#service.clock.now() + 200)
    this.#signal('SIGCONT')
  }

  jump(ms: number): void {
    this.#child.stdin?.write(`${ms}\n`)
  }

  #signal(signal: NodeJS.Signals): void {
    assert.ok(this.#child.pid)
    process.kill(this.#child.pid, signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endGroup(this.#child)
    await this.#service.close()
  }
}

describe('by the clocks of the machine', { concurrency: true, skip: process.platform === 'win32' }, () => {
  test('[R34] a process that was stopped past the end of the code polls once, and calls it expired', async () => {
    await using running = await DeviceFlowProcess.begin(CODE_LIFE_MS)
    const before = running.polls.length
    await running.sleepPastTheEnd()
    await running.until(({ isExpired }) => isExpired === true)
    assert.equal(running.polls.length, before + 1)
  })

  test('[R34] a process that was stopped while the user approved polls once, and has its key', async () => {
    await using running = await DeviceFlowProcess.begin(CODE_LIFE_MS)
    const before = running.polls.length
    running.approve()
    await running.sleepPastTheEnd()
    await running.until(({ is }) => is === 'done')
    assert.deepEqual([running.polls.length, running.isExpired], [before + 1, false])
  })

  for (const hours of [1, -1]) {
    test(`[R33] a wall clock that jumps ${hours > 0 ? 'ahead' : 'back'} an hour changes neither pace nor code`, async () => {
      await using running = await DeviceFlowProcess.begin(60_000)
      running.jump(hours * 3_600_000)
      running.approve()
      await running.until(({ is }) => is === 'done')
      assert.equal(running.isExpired, false)
      const gaps = running.polls.slice(1).map((at, index) => at - (running.polls[index] ?? 0))
      assert.ok(gaps.length === 1 && gaps.every(gap => gap > 900), String(gaps))
    })
  }
})
