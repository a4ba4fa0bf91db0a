// A conversation in which a person stops, steers and sends messages at random moments, and whose window may end; and what was lost.
import type { AgentOptions } from '../../src/core/agent/session.ts'
import { Session } from '../../src/core/agent/session.ts'
import { ConversationLog } from '../../src/core/conversation/conversationLog.ts'
import { AllowedActions } from '../../src/core/tools/approvals.ts'
import { modes } from '../../src/core/tools/modes.ts'
import type { ConversationEvent, PromptPart } from '../../src/protocol/conversation.ts'
import { type ConversationState, isDelta, type Turn } from '../../src/protocol/conversationState.ts'
import { type Service, startService } from '../localService/server.ts'
import { CoreWindow, email } from './coreWindow.ts'
import { settled } from './fakeClock.ts'
import { MemoryJournal } from './memoryJournal.ts'
import { randomFrom } from './random.ts'
import { callOf, scriptedTool, text } from './turnFixture.ts'
import { never, Wire } from './wire.ts'

export interface Interruptions {
  stops: number
  steers: number
  kills: number
  messages: number
  calls: number
  lost: number
  doubled: number
  ranTwice: number
  /** Calls without a result at the end. */
  open: number
}

type Act = 'stop' | 'steer' | 'queue' | 'kill'
const acts: readonly Act[] = ['stop', 'steer', 'steer', 'queue', 'queue', 'queue', 'kill']

/** So many conversations, one after the other, against the local service. */
export async function interruptChats(count: number, seed = 1): Promise<Interruptions> {
  const found = { stops: 0, steers: 0, kills: 0, messages: 0, calls: 0, lost: 0, doubled: 0, ranTwice: 0, open: 0 }
  const service = await startService({ plan: 'pro' })
  using wire = new Wire()
  const window = new CoreWindow(service, wire)
  await window.signIn(service.state.issueKey(email, 'Test'))
  for (let at = 0; at < count; at++) await new InterruptedChat(service, window, wire, seed + at, found).run()
  await service.close()
  return found
}

/** What was written when the window ended is what the next window reads. */
class EndingJournal extends MemoryJournal {
  hasEnded = false

  override async append(event: ConversationEvent): Promise<void> {
    if (!this.hasEnded) await super.append(event)
  }
}

class InterruptedChat {
  readonly #service: Service
  readonly #window: CoreWindow
  readonly #wire: Wire
  readonly #random: () => number
  readonly #found: Interruptions
  readonly #messages: string[] = []
  readonly #returned: string[] = []
  readonly #runs = new Map<string, number>()
  readonly #work: Promise<unknown>[] = []
  #journal = new EndingJournal('chat')
  #session: Session | undefined
  #ids = 0
  #actsLeft = 4

  constructor(service: Service, window: CoreWindow, wire: Wire, seed: number, found: Interruptions) {
    this.#service = service
    this.#window = window
    this.#wire = wire
    this.#random = randomFrom(seed)
    this.#found = found
  }

  async run(): Promise<void> {
    const { replies } = this.#service
    replies.clear()
    replies.add(
      ...Array.from({ length: 2 + this.#below(4) }, () => ({
        tokens: ['I ', 'look.'],
        toolCalls: Array.from({ length: 1 + this.#below(3) }, () => this.#call()),
      })),
    )
    this.#session = this.#begin(ConversationLog.empty({ journal: this.#journal, clock: this.#wire.clock }))
    this.#work.push(this.#session.ask(this.#message()))
    await this.#rest()
    const { isBusy } = this.#session
    if (!isBusy) this.#work.push(this.#session.ask(this.#message()))
    await this.#rest()
    this.#judge(this.#session.conversation)
    this.#session.dispose()
    await settled()
  }

  #call() {
    const path = `f${++this.#ids}`
    this.#found.calls++
    return callOf(this.#below(2) === 0 ? 'look' : 'work', { path })
  }

  #begin(log: ConversationLog): Session {
    const journal = this.#journal
    const run = async ({ path }: { readonly path?: unknown }) => {
      if (!journal.hasEnded) this.#runs.set(`${path}`, (this.#runs.get(`${path}`) ?? 0) + 1)
      for (let wait = this.#below(4); wait > 0; wait--) await settled()
      return text(`${path} is done.`)
    }
    const tools = [scriptedTool('look', 'read', run), scriptedTool('work', 'write', run)]
    const agent: AgentOptions = {
      tools: async () => tools,
      allowed: new AllowedActions(),
      defaultMode: () => modes.edit.id,
      maxRequests: () => 100,
    }
    const { models } = this.#window
    const newId = () => `i${++this.#ids}`
    const model = async () => this.#service.model
    const session = new Session(log, { models, model, agent, newId, clock: this.#wire.clock })
    session.onDidWithdraw(messages => {
      if (!journal.hasEnded) this.#returned.push(...messages.map(({ parts }) => wordsOf(parts)))
    })
    session.onDidAppend(event => {
      if (!isDelta(event) || this.#below(3) === 0) this.#perhaps(session)
    })
    return session
  }

  #perhaps(session: Session): void {
    if (session !== this.#session || this.#actsLeft === 0 || this.#below(6) > 0) return
    this.#actsLeft--
    const act = acts[this.#below(acts.length)] ?? 'stop'
    // As a person's click: not within the work that wrote the event.
    this.#work.push(settled().then(() => (session === this.#session ? this.#act(session, act) : undefined)))
  }

  async #act(session: Session, act: Act): Promise<void> {
    if (act === 'stop') {
      this.#found.stops++
      session.stop()
    } else if (act === 'kill') {
      this.#found.kills++
      await this.#kill(session)
    } else if (session.isBusy) {
      const words = this.#message()
      const isQueued = await session.queue(words)
      // The page keeps in the text box what was not taken.
      if (!isQueued) this.#returned.push(words)
      const message = session.conversation.queued.find(({ parts }) => wordsOf(parts) === words)
      if (act !== 'steer' || !message) return
      this.#found.steers++
      await session.steer(message.id)
    }
  }

  async #kill(session: Session): Promise<void> {
    this.#journal.hasEnded = true
    const next = new EndingJournal('chat')
    for await (const events of this.#journal.read(1)) for (const event of events) await next.append(event)
    session.dispose()
    this.#journal = next
    this.#session = undefined
    const log = await ConversationLog.open({ journal: next, clock: this.#wire.clock }, never)
    this.#session = this.#begin(log)
  }

  #message(): string {
    const words = `Message ${this.#messages.length + 1}.`
    this.#messages.push(words)
    this.#found.messages++
    return words
  }

  /** Until nothing is under way. */
  async #rest(): Promise<void> {
    for (let done = -1; done !== this.#work.length; ) {
      done = this.#work.length
      await this.#window.passingPauses(Promise.all(this.#work))
    }
  }

  #judge(state: ConversationState): void {
    const turns = [...state.otherTurns.values(), ...(state.current ? [state.current] : [])]
    const kept = [...turns.flatMap(sentIn), ...state.queued.map(({ parts }) => wordsOf(parts)), ...this.#returned]
    for (const words of this.#messages) {
      const times = kept.filter(one => one === words).length
      if (times === 0) this.#found.lost++
      if (times > 1) this.#found.doubled++
    }
    for (const times of this.#runs.values()) if (times > 1) this.#found.ranTwice++
    const calls = turns.flatMap(({ steps }) => steps.flatMap(({ parts }) => parts))
    this.#found.open += calls.filter(part => part.kind === 'tool-call' && part.isWritten && !part.result).length
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }
}

const wordsOf = (parts: readonly PromptPart[]) => parts.map(part => (part.kind === 'text' ? part.text : '')).join('')

const sentIn = ({ prompt, steps }: Turn) => [
  wordsOf(prompt),
  ...steps.flatMap(({ messages }) => messages.map(({ parts }) => wordsOf(parts))),
]
