// A conversation whose turns run against the local service, with tools and answers of the user that a test scripts.
import assert from 'node:assert/strict'
import { TurnLoop, type TurnOptions, type TurnOutcome } from '../../src/core/agent/turnLoop.ts'
import type { PauseReason } from '../../src/core/agent/turnPorts.ts'
import { ConversationLog } from '../../src/core/conversation/conversationLog.ts'
import { promptMessages } from '../../src/core/conversation/promptMessages.ts'
import type { SurfaceId } from '../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../src/core/model/surfaces.ts'
import type { Lane } from '../../src/core/schedule/lane.ts'
import { AllowedActions, type Approval, type PendingCall } from '../../src/core/tools/approvals.ts'
import { type Mode, modes } from '../../src/core/tools/modes.ts'
import type { Tool, ToolInput, ToolOutput, ToolRights } from '../../src/core/tools/tool.ts'
import type { ConversationEvent, PartOf, PromptPart } from '../../src/protocol/conversation.ts'
import { answerParts } from '../../src/protocol/conversationPath.ts'
import { type Turn, turnOf } from '../../src/protocol/conversationState.ts'
import { type Service, startService } from '../localService/server.ts'
import { CoreWindow, email } from './coreWindow.ts'
import { MemoryJournal } from './memoryJournal.ts'
import { eventually, never, Wire } from './wire.ts'

export const text = (words: string): ToolOutput => ({ content: [{ kind: 'text', text: words }] })

/** A tool with one parameter, `path`. */
export function scriptedTool(name: string, rights: ToolRights, run: Tool['run'], more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `Does ${name}.`,
    parameters: { properties: { path: { type: 'string' } }, required: ['path'] },
    rights,
    run,
    ...more,
  }
}

/** A tool that returns at once what it was given. */
export const echo = (name: string, rights: ToolRights = 'read') =>
  scriptedTool(name, rights, async input => text(`${name} ${JSON.stringify(input)}`))

export interface TurnSetup {
  readonly surface?: SurfaceId
  /** Without any, the conversation is a plain chat. */
  readonly tools?: readonly Tool[]
  readonly mode?: Mode
  readonly ask?: (call: PendingCall, signal: AbortSignal) => Promise<Approval>
  readonly goOn?: (reason: PauseReason, signal: AbortSignal) => Promise<boolean>
  readonly maxRequests?: number
  readonly allowed?: AllowedActions
  readonly model?: TurnOptions['model']
}

export class TurnFixture implements AsyncDisposable {
  readonly service: Service
  readonly window: CoreWindow
  readonly log: ConversationLog
  readonly events: ConversationEvent[] = []
  readonly stop = new AbortController()
  /** Of the requests so far. */
  readonly lanes: Lane[] = []
  readonly #wire: Wire
  readonly #setup: TurnSetup
  readonly #surface: SurfaceId
  readonly #allowed: AllowedActions
  #ids = 0

  private constructor(service: Service, wire: Wire, log: ConversationLog, setup: TurnSetup) {
    this.service = service
    this.#wire = wire
    this.log = log
    this.#setup = setup
    this.#surface = setup.surface ?? 'chat-completions'
    this.#allowed = setup.allowed ?? new AllowedActions()
    this.window = new CoreWindow(service, wire, this.#surface)
    log.onDidAppend(event => this.events.push(event))
  }

  static async start(setup: TurnSetup = {}): Promise<TurnFixture> {
    const service = await startService({ plan: 'pro' })
    const wire = new Wire()
    const log = await ConversationLog.open({ journal: new MemoryJournal('chat'), clock: wire.clock }, never)
    await log.claim()
    const fixture = new TurnFixture(service, wire, log, setup)
    await fixture.window.signIn(service.state.issueKey(email, 'Test'))
    return fixture
  }

  /** Asks in a new turn at the end of the conversation. */
  async ask(words: string): Promise<TurnOutcome> {
    const turn = this.#newId()
    const { tip } = this.log.state
    const prompt = [this.#textPart(words)]
    await this.log.append({ kind: 'turn-started', turn, origin: { is: 'new' }, prompt, ...(tip && { parent: tip }) })
    return this.window.passingPauses(new TurnLoop(this.#options(), turn).run(this.stop.signal))
  }

  /** Sends a message while a turn is under way. */
  async queueMessage(words: string): Promise<void> {
    await this.log.append({ kind: 'message-queued', message: this.#newId(), parts: [this.#textPart(words)] })
  }

  get turn(): Turn {
    const turn = turnOf(this.log.state, this.log.state.latest ?? '')
    assert.ok(turn)
    return turn
  }

  get calls(): PartOf<'tool-call'>[] {
    return answerParts(this.turn).filter(part => part.kind === 'tool-call')
  }

  /** Outcome and words of each call of the turn, in the order of the calls. */
  get results(): (readonly [string | undefined, string])[] {
    return this.calls.map(({ result }) => [
      result?.outcome,
      (result?.content ?? []).map(part => (part.kind === 'text' ? part.text : part.mediaType)).join('\n'),
    ])
  }

  /** The bodies of the requests to the model so far. */
  get bodies(): Readonly<Record<string, unknown>>[] {
    const { path } = surfaces[this.#surface]
    return this.service.log.calls.flatMap(call =>
      call.path === path && typeof call.body === 'object' ? [{ ...call.body }] : [],
    )
  }

  /** The body of the last request to the model, as text. */
  get lastBody(): string {
    return JSON.stringify(this.bodies.at(-1))
  }

  /** Nobody holds a slot of the plan, here or at the service. */
  get isReleased(): boolean {
    return this.window.line.state.holders.length === 0 && this.service.slots.open === 0
  }

  #textPart(words: string): PromptPart {
    return { kind: 'text', id: this.#newId(), text: words }
  }

  #newId = () => String(++this.#ids)

  #options(): TurnOptions {
    const { tools = [], mode = modes.edit, ask, goOn, maxRequests = 40, model } = this.#setup
    const { log, window } = this
    return {
      log,
      models: {
        stream: (request, signal) => {
          this.lanes.push(request.lane)
          return window.models.stream(request, signal)
        },
      },
      model: model ?? (async () => this.service.model),
      prompt: state => ({ system: 'Be brief.', messages: promptMessages(state) }),
      tools:
        tools.length === 0
          ? undefined
          : {
              tools,
              mode: () => mode,
              approvals: { ask: ask ?? (async () => ({ is: 'denied' })) },
              allowed: this.#allowed,
              pauses: { confirmContinue: goOn ?? (async () => false) },
              maxRequests,
            },
      newId: this.#newId,
      clock: this.#wire.clock,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort()
    await eventually('every slot is back', () => this.isReleased)
    this.log.dispose()
    this.#wire[Symbol.dispose]()
    await this.service.close()
  }
}

export const callOf = (name: string, given: ToolInput | string = { path: 'a.ts' }) => ({ name, arguments: given })
