// An editor with its chat whose extension host is killed again and again: it keeps what an editor keeps, its page is the
// real one but for drawing, and after each kill it looks at what the next host shows.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '../../src/base/clock.ts'
import type { FromPage } from '../../src/protocol/panel.ts'
import type { Message } from '../../src/webview/state/messages.ts'
import { type Kept, readKept, Store } from '../../src/webview/state/store.ts'
import type { Service } from '../localService/server.ts'
import { spawnGroup } from '../support/processGroup.ts'
import type { FromHost, HostPlan } from './hostProcess.ts'

const PATIENCE_MS = 20_000
/** Longer than any answer here lasts. */
const WORDS = 2_000

/** What the page showed at the end of a frame. `at`: when the host had sent the last of it, by the host's clock. */
interface Frame {
  readonly at: number
  readonly messages: readonly Message[]
}

export class LastingEditor implements AsyncDisposable {
  readonly #service: Service
  readonly #name: string
  readonly #program: string
  readonly #plan: Omit<HostPlan, 'states' | 'endsAtQuestion'>
  readonly #states = { global: new Map<string, unknown>(), workspace: new Map<string, unknown>() }
  readonly #checks = new Set<() => void>()
  #kept: Kept = readKept(undefined)
  #page: Store
  #host: ChildProcess | undefined
  /** Settles when the host has ended and all that it sent has arrived. */
  #gone: Promise<unknown> = Promise.resolve()
  #receivedAt = 0
  #frames: Frame[] = []
  /** Everything that was there after the kill before. */
  #left: readonly Message[] = []
  /** The one that was asked last. */
  #question = ''
  #questions = 0
  /** The most of an answer that a kill has cost, as the time in which the page received it. */
  mostLostMs = 0

  /** `program`: the built host. `folder`: of all that is stored. */
  constructor(service: Service, program: string, folder: string, name: string) {
    const { baseUrl: resource, authUrl: issuer, state } = service
    const email = `${name}@example.com`
    const key = state.issueKey(email, 'kills')
    this.#service = service
    this.#program = program
    this.#name = name
    this.#page = this.#newPage()
    this.#plan = {
      folder: join(folder, name),
      credential: { version: 1, key, resource, issuer, service: 'Kourier', email, origin: 'pasted' },
      settings: [['kourier.baseUrl', resource]],
    }
  }

  /** Asks in a new host, and kills the host so long after the first words of the answer. */
  async killInAnswer(afterMs: number): Promise<void> {
    await this.open()
    const question = this.#ask()
    await this.#until(`'${question}' is being answered`, () => isStreaming(this.#messages.at(-1)))
    await sleep(afterMs)
    this.#host?.kill('SIGKILL')
    await this.#gone
    assert.ok(isStreaming(this.#messages.at(-1)), 'it was in the middle of its answer')
  }

  /** Asks in a new host, and kills the host so long after that; without a time, when it sends the page the question. */
  async killAtQuestion(afterMs?: number): Promise<void> {
    await this.open(afterMs === undefined)
    this.#ask()
    if (afterMs !== undefined) {
      await sleep(afterMs)
      this.#host?.kill('SIGKILL')
    }
    await this.#gone
  }

  /** Starts a host, whose page has to show what was there before. */
  async open(endsAtQuestion = false): Promise<void> {
    const states = { global: [...this.#states.global], workspace: [...this.#states.workspace] }
    const plan: HostPlan = { ...this.#plan, states, endsAtQuestion }
    const host = spawnGroup(process.execPath, ['--no-warnings', this.#program, JSON.stringify(plan)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    assert.ok(host.stdout)
    const output = createInterface({ input: host.stdout })
    output.on('line', line => this.#receive(JSON.parse(line)))
    this.#gone = Promise.all([once(host, 'exit'), once(output, 'close')]).then(() => turn())
    this.#host = host
    const received = { frames: this.#frames.splice(0), untilMs: this.#receivedAt }
    this.#page = this.#newPage()
    this.#page.send({ kind: 'ready' })
    await this.#until('somebody is signed in', () => this.#page.shown.value.account.is === 'in')
    if (this.#question) await this.#seeWhatIsLeft(received.frames, received.untilMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#host?.kill('SIGKILL')
    await this.#gone
  }

  async #seeWhatIsLeft(before: readonly Frame[], endedAt: number): Promise<void> {
    const question = this.#question
    const count = this.#left.length
    const isInChat = () => this.#messages.slice(count).some(({ text }) => text === question)
    const isThere = () => isInChat() || this.#page.draft.value.includes(question)
    await this.#until(`'${question}' is there`, () => this.#messages.length >= count && isThere())
    assert.deepEqual(this.#messages.slice(0, count), this.#left, 'the messages before it are as they were')
    this.#left = this.#messages
    if (isInChat()) this.#seeAnswer(this.#messages.at(-1), before, endedAt)
  }

  /** By the host's own clock, up to the last that it sent: when it was not given the processor, it sent nothing. */
  #seeAnswer(answer: Message | undefined, before: readonly Frame[], endedAt: number): void {
    assert.ok(answer?.role === 'assistant')
    assert.equal(answer.state, 'interrupted')
    assert.ok(wordsOf(this.#question).join('').startsWith(answer.text), 'nothing else is in the answer')
    const lost = before.find(
      ({ messages }) => (messages.find(({ id }) => id === answer.id)?.text ?? '').length > answer.text.length,
    )
    this.mostLostMs = Math.max(this.mostLostMs, lost ? endedAt - lost.at : 0)
  }

  get #messages(): readonly Message[] {
    return this.#page.shown.value.messages
  }

  #ask(): string {
    const question = `Question ${++this.#questions} of ${this.#name}`
    this.#question = question
    this.#service.replies.add({ match: `${question}"`, tokens: wordsOf(question) })
    this.#page.write(question)
    this.#page.ask()
    return question
  }

  #newPage(): Store {
    return new Store({
      send: message => this.#sendToHost(message),
      keep: kept => {
        this.#kept = kept
      },
      kept: this.#kept,
      nextFrame: run =>
        setImmediate(() => {
          run()
          this.#frames.push({ at: this.#receivedAt, messages: this.#messages })
          for (const check of this.#checks) check()
        }),
      afterFrame: () => {},
      clock: systemClock,
    })
  }

  /** What a page sends to a host that is no more is lost. */
  #sendToHost(message: FromPage): void {
    if (this.#host?.connected) this.#host.send(message, () => {})
  }

  #receive(line: FromHost): void {
    if (line.kind === 'state') return void this.#states[line.of].set(line.key, line.value)
    this.#receivedAt = line.at
    this.#page.receive(line.message)
  }

  /** Looks after every frame of the page. */
  #until(what: string, isSo: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const check = () => {
      if (isSo()) resolve()
    }
    const timer = setTimeout(() => reject(new Error(`It never came to be that ${what}`)), PATIENCE_MS)
    this.#checks.add(check)
    check()
    return promise.finally(() => {
      clearTimeout(timer)
      this.#checks.delete(check)
    })
  }
}

function isStreaming(message: Message | undefined): boolean {
  return message?.role === 'assistant' && message.state === 'streaming' && message.text !== ''
}

/** No two answers have a word in common. */
function wordsOf(question: string): string[] {
  return Array.from({ length: WORDS }, (_, at) => `${question.replaceAll(' ', '-')}-${at} `)
}
