// Everything between a person and the service, without an editor: what a window of ours does when it talks.
import { Account } from '../../src/core/account/account.ts'
import { MemoryCredentialStore } from '../../src/core/account/credentialStore.ts'
import type { Session, SessionState } from '../../src/core/agent/session.ts'
import { bearer } from '../../src/core/http/bearer.ts'
import type { Http, HttpAnswer } from '../../src/core/http/http.ts'
import { layered, logged, retried } from '../../src/core/http/layers.ts'
import { Log } from '../../src/core/log/log.ts'
import { Catalog } from '../../src/core/model/catalog.ts'
import { QueuedClient } from '../../src/core/model/queuedClient.ts'
import { SurfaceClient } from '../../src/core/model/surfaceClient.ts'
import type { SurfaceId } from '../../src/core/model/surfaceIds.ts'
import { Scheduler } from '../../src/core/schedule/scheduler.ts'
import { MemorySlots } from '../../src/core/schedule/slots.ts'
import type { Service } from '../localService/server.ts'
import { made } from './credential.ts'
import { settled } from './fakeClock.ts'
import { memorySession } from './memorySession.ts'
import type { Wire } from './wire.ts'

export const email = 'ada@example.com'

/** What a window has to know of a service. */
export type Address = Pick<Service, 'baseUrl' | 'authUrl' | 'model'>

export class CoreWindow {
  readonly lines: string[] = []
  readonly catalog: Catalog
  readonly line: Scheduler
  readonly models: QueuedClient
  readonly session: Session
  /** Every state of the conversation, in order. */
  readonly states: SessionState[] = []
  readonly #service: Address
  readonly #wire: Wire
  readonly #store = new MemoryCredentialStore()
  readonly #account: Account
  /** Of the answers that came, in order; and how many reads of their bodies. */
  readonly statuses: number[] = []
  reads = 0
  /** Requests without an answer, and answers that are still being read. */
  #underWay = 0

  constructor(service: Address, wire: Wire, surface: SurfaceId = 'chat-completions') {
    const { clock } = wire
    const log = new Log()
    log.open({ write: (_, line) => this.lines.push(line) })
    this.#service = service
    this.#wire = wire
    const plain = layered(this.#counted(wire.send), logged(log, clock), retried(clock))
    this.#account = new Account(plain, this.#store, () => service.baseUrl, log)
    const http = bearer(plain, this.#account)
    const baseUrl = () => service.baseUrl
    this.catalog = new Catalog(http, baseUrl, clock, log)
    this.line = new Scheduler(new MemorySlots(clock), { clock, account: () => email, fixed: () => 0 })
    const asking = new SurfaceClient({ http, baseUrl, surface: () => surface, clock, log })
    this.models = new QueuedClient(asking, this.line, clock, () => 0)
    let count = 0
    const model = async () => service.model
    this.session = memorySession({ models: this.models, model, newId: () => String(count++), clock })
    this.session.onDidChangeState(() => this.states.push(this.session.state))
  }

  async signIn(key: string): Promise<void> {
    const { baseUrl: resource, authUrl: issuer } = this.#service
    await this.#store.save(made({ version: 1, key, resource, issuer, service: 'Kourier', email, origin: 'pasted' }))
    await this.#account.restore()
  }

  /** Asks; pauses pass by themselves, and after a while the person has waited long enough. */
  async ask(question: string): Promise<void> {
    await this.passingPauses(this.session.ask(question), () => this.session.stop())
  }

  /** Moves the clock on until `work` is over, but never while a connection is busy. */
  async passingPauses<T>(work: Promise<T>, abandon = () => {}): Promise<T> {
    const { clock } = this.#wire
    const begunAt = clock.elapsed()
    let isOver = false
    const over = () => {
      isOver = true
    }
    work.then(over, over)
    while (!isOver) {
      await settled()
      if (this.#underWay > 0) continue
      await clock.advance(100)
      if (clock.elapsed() - begunAt > PATIENCE_MS) abandon()
    }
    return work
  }

  #counted(send: Http): Http {
    return async request => {
      this.#underWay++
      const over = once(() => this.#underWay--)
      try {
        const answer = await send(request)
        this.statuses.push(answer.status)
        return { ...answer, body: this.#countingReads(answer, over), close: () => over(answer.close()) }
      } catch (fault) {
        over()
        throw fault
      }
    }
  }

  async *#countingReads({ body }: HttpAnswer, over: () => void): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of body) {
        this.reads++
        yield chunk
      }
    } finally {
      over()
    }
  }
}

const PATIENCE_MS = 20_000

const once = (run: () => void) => {
  let isDone = false
  return (_?: unknown) => {
    if (!isDone) run()
    isDone = true
  }
}
