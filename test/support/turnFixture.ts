// A conversation whose turns run against the local service, with tools and answers of the user that a test scripts.
import assert from 'node:assert/strict'
import { ContextGrowth, type GrowthSources } from '../../src/core/agent/contextGrowth.ts'
import { RunningCalls } from '../../src/core/agent/runningCalls.ts'
import { TurnLoop, type TurnOptions, type TurnOutcome } from '../../src/core/agent/turnLoop.ts'
import type { PauseReason } from '../../src/core/agent/turnPorts.ts'
import { ConversationLog } from '../../src/core/conversation/conversationLog.ts'
import { promptMessages } from '../../src/core/conversation/promptMessages.ts'
import type { ModelClient } from '../../src/core/model/modelClient.ts'
import type { SurfaceId } from '../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../src/core/model/surfaces.ts'
import { type Limits, TokenBudgetClient } from '../../src/core/model/tokenBudgetClient.ts'
import { TokenCounter } from '../../src/core/model/tokenCounter.ts'
import type { Lane } from '../../src/core/schedule/lane.ts'
import { AllowedActions, type Approval, type PendingCall } from '../../src/core/tools/approvals.ts'
import { type Mode, modes } from '../../src/core/tools/modes.ts'
import type { Tool, ToolInput, ToolOutput, ToolRights } from '../../src/core/tools/tool.ts'
import type { ConversationEvent, PartOf, PromptPart } from '../../src/protocol/conversation.ts'
import { answerParts } from '../../src/protocol/conversationPath.ts'
import { type Turn, turnOf } from '../../src/protocol/conversationState.ts'
import type { Scenario } from '../localService/scenario.ts'
import { type Service, startService } from '../localService/server.ts'
import { CoreWindow, email } from './coreWindow.ts'
import type { FakeClock } from './fakeClock.ts'
import { MemoryJournal } from './memoryJournal.ts'
import { direct, eventually, never, Wire } from './wire.ts'

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
  /** The mode of each call, in place of `mode`. */
  readonly modeNow?: () => Mode
  /** The tokens of the model's window; without it nothing keeps the requests within it. */
  readonly limit?: number
  /** What goes with a summary. */
  readonly sources?: Partial<GrowthSources>
  /** What the model of the service plays. */
  readonly scenarios?: readonly Scenario[]
  /** In place of the service. */
  readonly models?: ModelClient
  /** Shared with others. */
  readonly clock?: FakeClock
}

export class TurnFixture implements AsyncDisposable {
  readonly service: Service
  readonly window: CoreWindow
  readonly log: ConversationLog
  readonly events: ConversationEvent[] = []
  readonly stop = new AbortController()
  readonly running = new RunningCalls()
  /** Of the requests so far. */
  readonly lanes: Lane[] = []
  readonly #wire: Wire
  readonly #setup: TurnSetup
  readonly #surface: SurfaceId
  readonly #allowed: AllowedActions
  readonly #refusedBy = new Set<string>()
  readonly #counter = new TokenCounter()
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
    const service = await startService({ plan: 'pro', scenarios: setup.scenarios ?? [] })
    const wire = new Wire(direct, setup.clock)
    const log = await ConversationLog.open({ journal: new MemoryJournal('chat'), clock: wire.clock }, never)
    await log.claim()
    const fixture = new TurnFixture(service, wire, log, setup)
    await fixture.window.signIn(service.state.issueKey(email, 'Test'))
    return fixture
  }

  /** Asks in a new turn at the end of the conversation. */
  async ask(words: string, parts: readonly PromptPart[] = []): Promise<TurnOutcome> {
    const turn = this.#newId()
    const { tip } = this.log.state
    const prompt = [...parts, this.#textPart(words)]
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

  /** Of each request, what the model reads of it. */
  get blocks(): readonly (readonly string[])[] {
    return this.bodies.map(piecesOf)
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

  get #limits(): Limits {
    const { limit = Infinity } = this.#setup
    return { input: limit, total: limit + 16_384 }
  }

  /** For whatever sends requests of its own, too. */
  get models(): ModelClient {
    const models: ModelClient = {
      stream: (request, signal) => {
        this.lanes.push(request.lane)
        return (this.#setup.models ?? this.window.models).stream(request, signal)
      },
    }
    return this.#setup.limit === undefined ? models : new TokenBudgetClient(models, this.#counter, () => this.#limits)
  }

  #growth(models: ModelClient): ContextGrowth | undefined {
    if (this.#setup.limit === undefined) return undefined
    const sources: GrowthSources = {
      ...{ counter: this.#counter, limitsOf: () => this.#limits, pathOf: uri => uri, running: () => [] },
      instructions: async () => [],
      ...this.#setup.sources,
    }
    const text = 'System: Linux.'
    const { log } = this
    const surroundings = async (): Promise<readonly PromptPart[]> => [
      { ...{ kind: 'attachment', id: 'environment', source: 'environment', name: 'environment' }, text, sizeChars: 14 },
    ]
    return new ContextGrowth({ log, sources, models, surroundings, newId: this.#newId, clock: this.#wire.clock })
  }

  #options(): TurnOptions {
    const { tools = [], mode = modes.edit, modeNow = () => mode, ask, goOn, maxRequests = 40, model } = this.#setup
    const { log } = this
    const { models } = this
    return {
      log,
      models,
      growth: this.#growth(models),
      model: model ?? (async () => this.service.model),
      prompt: state => ({ system: 'Be brief.', messages: promptMessages(state) }),
      tools:
        tools.length === 0
          ? undefined
          : {
              tools,
              mode: modeNow,
              approvals: { ask: ask ?? (async () => ({ is: 'denied' })) },
              allowed: this.#allowed,
              refusedBy: this.#refusedBy,
              running: this.running,
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

/** Everything of a body that the model reads, piece by piece, as it was serialised. */
export function piecesOf(body: Readonly<Record<string, unknown>> | undefined): string[] {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const { system, instructions, tools, messages, input } = body ?? {}
  const blocks = list(messages).flatMap(message => {
    const { content, ...rest } = message as { content: unknown }
    return Array.isArray(content) ? content.map(block => ({ ...rest, block })) : [message]
  })
  return [system ?? instructions, tools, ...blocks, ...list(input)].map(block => JSON.stringify(block))
}
