// A long conversation of random turns against a model that counts as a service does; and what was lost or broken in it.

import { ContextGrowth } from '../../src/core/agent/contextGrowth.ts'
import { TurnLoop } from '../../src/core/agent/turnLoop.ts'
import { ConversationLog } from '../../src/core/conversation/conversationLog.ts'
import { promptMessages } from '../../src/core/conversation/promptMessages.ts'
import type { ModelEvent, ModelMessage, ModelRequest } from '../../src/core/model/modelClient.ts'
import { TokenBudgetClient } from '../../src/core/model/tokenBudgetClient.ts'
import { TokenCounter } from '../../src/core/model/tokenCounter.ts'
import { AllowedActions } from '../../src/core/tools/approvals.ts'
import { modes } from '../../src/core/tools/modes.ts'
import type { Tool, ToolInput } from '../../src/core/tools/tool.ts'
import { updatePlanTool } from '../../src/core/tools/updatePlanTool.ts'
import type { PromptPart } from '../../src/protocol/conversation.ts'
import { FakeClock } from './fakeClock.ts'
import { MemoryJournal } from './memoryJournal.ts'
import { randomFrom } from './random.ts'
import { never } from './wire.ts'

export interface GrowthRun {
  readonly seed: number
  /** Of the model's window. */
  readonly limit: number
  readonly turns: number
  /** The most requests of a turn. */
  readonly steps: number
}

export interface GrowthReport {
  requests: number
  /** Requests that a service would refuse for their length; turns that ended because nothing more could be left out. */
  refused: number
  ended: number
  /** Requests with a call without its result, or a result without its call. */
  unpaired: number
  omissions: number
  summaries: number
  /** Summaries sooner than 40,000 tokens after the one before, in a window of the usual size. */
  tooSoon: number
  /** Trims after which a request was not shorter. */
  notShorter: number
  /** What was missing in the request after a summary. */
  readonly missing: string[]
  /** Bytes of messages that had been sent before and were sent changed, without a trim between. */
  changedChars: number
  /** How far our count of each request was from the service's, as a part of it. */
  readonly errors: number[]
  pauses: number
}

const INSTRUCTIONS = 'AGENTS: indent with tabs.'
const BACKGROUND = 'npm run watch'
const USUAL = 262_144
const words = ['tide', 'harbour', 'list', 'const', 'return', 'lantern', '(a, b)', '=>', '{', '}', '0x1f', 'größer']

export async function growHistory({ seed, limit, turns, steps }: GrowthRun): Promise<GrowthReport> {
  const random = randomFrom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const clock = new FakeClock()
  const log = await ConversationLog.open({ journal: new MemoryJournal('chat'), clock }, never)
  await log.claim()
  const report: GrowthReport = {
    ...{ requests: 0, refused: 0, ended: 0, unpaired: 0, omissions: 0, summaries: 0, tooSoon: 0, notShorter: 0 },
    ...{ missing: [], changedChars: 0, errors: [], pauses: 0 },
  }
  let ids = 0
  const newId = () => `i${++ids}`
  const textOf = (tokens: number) =>
    Array.from({ length: Math.ceil(tokens / 2) }, () => words[below(words.length)]).join(' ')
  const fixture = new WorkFixture(textOf, below, limit)
  const sent = new Sent(report, limit)
  log.onDidAppend(event => {
    if (event.kind === 'results-omitted') sent.trimmed('omission')
    if (event.kind === 'summary') sent.trimmed('summary')
  })
  const counter = new TokenCounter()
  const limits = { input: limit, total: limit + 16_384 }
  let left = 0
  const service = {
    async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
      const input = serviceTokens(request)
      if (input > limit) report.refused++
      const isSummary = lastText(request).startsWith('Summarize this conversation')
      if (!isSummary) sent.add(request, input, fixture)
      const usage = { input, output: 1 }
      if (isSummary) {
        const why = below(8) === 0 ? 'length' : 'done'
        yield { kind: 'text-delta', text: `The goal is the tide. ${textOf(below(3_000 * (limit / USUAL)))}` }
        yield { kind: 'finish', why, usage }
        return
      }
      yield { kind: 'text-delta', text: textOf(below(limit / 60)) }
      const calls = left-- > 0 ? fixture.calls(newId) : []
      yield* calls
      yield { kind: 'finish', why: calls.length > 0 ? 'tools' : 'done', usage }
    },
  }
  const models = new TokenBudgetClient(
    service,
    counter,
    () => limits,
    (estimated, counted) => report.errors.push(Math.abs(estimated / counted - 1)),
  )
  const surroundings = async () => [attachment('environment', 'environment', 'System: Linux. Today is 2026-11-23.')]
  const sources = {
    ...{ counter, limitsOf: () => limits, pathOf: (uri: string) => uri.replace('file:///w/', '') },
    running: () => [{ id: 1, command: BACKGROUND }],
    instructions: async () => [attachment('instructions', 'AGENTS.md', INSTRUCTIONS)],
  }
  for (let turn = 0; turn < turns; turn++) {
    const id = newId()
    const { tip } = log.state
    left = 1 + below(steps)
    const sentence = `Sentence ${turn}: mind the ${words[below(words.length)]} number ${below(1_000)}.`
    fixture.sentences.push(sentence)
    const own: PromptPart = { kind: 'text', id: newId(), text: sentence }
    const first = turn === 0 ? [...(await surroundings()), ...(await sources.instructions())] : []
    await log.append({
      ...{ kind: 'turn-started', turn: id, origin: { is: 'new' }, prompt: [...first, own] },
      ...(tip && { parent: tip }),
    })
    const growth = new ContextGrowth({ log, sources, models, surroundings, newId, clock })
    const loop = new TurnLoop(
      {
        ...{ log, models, newId, clock, growth, model: async () => 'm' },
        prompt: state => ({ system: 'Be brief.', messages: promptMessages(state) }),
        tools: {
          tools: fixture.tools,
          mode: () => modes.edit,
          approvals: { ask: async () => ({ is: 'allowed', scope: 'once' }) },
          allowed: new AllowedActions(),
          pauses: {
            async confirmContinue() {
              report.pauses++
              return true
            },
          },
          maxRequests: 10_000,
        },
      },
      id,
    )
    const queueing = log.onDidAppend(event => {
      if (event.kind !== 'tool-result' || below(12) > 0) return
      const text = `Sentence ${turn} and ${below(1_000_000)}: not so fast.`
      fixture.waiting.push(text)
      void log.append({ kind: 'message-queued', message: newId(), parts: [{ kind: 'text', id: newId(), text }] })
    })
    const { state } = await loop.run(new AbortController().signal)
    queueing.dispose()
    if (state !== 'done') report.ended++
    for (const { id: message } of log.state.queued) await log.append({ kind: 'message-withdrawn', message })
    fixture.waiting.length = 0
    await clock.advance(1_000)
  }
  log.dispose()
  return report
}

/** The tools with their results, and what is known of the work. */
class WorkFixture {
  readonly sentences: string[] = []
  /** Queued, and perhaps not sent yet. */
  readonly waiting: string[] = []
  readonly #textOf: (tokens: number) => string
  readonly #below: (count: number) => number
  readonly #mostResult: number
  readonly #files = new Map<string, number>()
  #plan: readonly string[] = []
  #commands = 0
  #failed: string | undefined

  constructor(textOf: (tokens: number) => string, below: (count: number) => number, limit: number) {
    this.#textOf = textOf
    this.#below = below
    this.#mostResult = Math.min(4_000, limit / 20)
  }

  /** What has to be in a request after a summary, beside the user's words. */
  get facts(): readonly string[] {
    return [
      ...this.#plan,
      ...[...this.#files].map(([path, lines]) => `${path}: +${lines} -0`),
      INSTRUCTIONS,
      BACKGROUND,
      ...(this.#failed === undefined ? [] : [this.#failed]),
    ]
  }

  calls(newId: () => string): ModelEvent[] {
    return Array.from({ length: 1 + this.#below(4) }, () => {
      const id = newId()
      const path = `src/f${this.#below(30)}.ts`
      const kind = this.#below(10)
      const call = (name: string, input: ToolInput): ModelEvent => ({ kind: 'tool-call', id, name, input })
      if (kind === 0) {
        const items = Array.from({ length: 3 }, (_, at) => ({ text: `Step ${id} ${at}`, state: 'open' }))
        this.#plan = items.map(({ text }) => text)
        return call('update_plan', { items })
      }
      if (kind === 1) return call('edit_file', { path })
      if (kind === 2) return call('run_command', { command: `npm test ${id}` })
      return call('read_file', { path, from: 1, lines: 200 })
    })
  }

  get tools(): readonly Tool[] {
    const parameters = (...names: string[]) => ({
      properties: Object.fromEntries(
        names.map(name => [name, { type: name === 'path' || name === 'command' ? 'string' : 'integer' } as const]),
      ),
    })
    const result = () => [{ kind: 'text', text: this.#textOf(this.#below(this.#mostResult)) }] as const
    return [
      updatePlanTool,
      {
        ...{
          name: 'read_file',
          description: 'Reads.',
          rights: 'read',
          parameters: parameters('path', 'from', 'lines'),
        },
        run: async () => ({ content: result() }),
      },
      {
        ...{ name: 'edit_file', description: 'Edits.', rights: 'write', parameters: parameters('path') },
        run: async ({ path }, { record, part }) => {
          const name = String(path)
          this.#files.set(name, (this.#files.get(name) ?? 0) + 2)
          const change = { change: 'modified', hunks: 1, addedLines: 2, removedLines: 0, review: 'open' } as const
          await record({ kind: 'change-set', id: `${part}-set`, files: [{ uri: `file:///w/${name}`, ...change }] })
          return { content: result() }
        },
      },
      {
        ...{ name: 'run_command', description: 'Runs.', rights: 'run', parameters: parameters('command') },
        run: async ({ command }) => {
          const exitCode = this.#below(2)
          if (exitCode !== 0) this.#failed = String(command)
          return { content: result(), details: { id: ++this.#commands, exitCode } }
        },
      },
    ]
  }
}

/** Compares each request with the one before it. */
class Sent {
  readonly #report: GrowthReport
  readonly #leastNew: number
  #before: { readonly blocks: readonly string[]; readonly tokens: number } | undefined
  #trim: 'omission' | 'summary' | undefined
  #afterSummary: number | undefined

  constructor(report: GrowthReport, limit: number) {
    this.#report = report
    this.#leastNew = 40_000 * Math.min(1, limit / USUAL)
  }

  trimmed(trim: 'omission' | 'summary'): void {
    this.#trim = trim
    if (trim === 'omission') this.#report.omissions++
    else this.#report.summaries++
  }

  add(request: ModelRequest, tokens: number, fixture: WorkFixture): void {
    const report = this.#report
    report.requests++
    if (!isPaired(request.messages)) report.unpaired++
    const blocks = blocksOf(request)
    const before = this.#before
    if (before && this.#trim) {
      // What is new since the request before is in this one as well.
      const added = tokens - before.tokens
      if (added > 0) report.notShorter++
    } else if (before)
      for (const [at, block] of before.blocks.entries()) if (blocks[at] !== block) report.changedChars += block.length
    const isAfterSummary = this.#trim === 'summary'
    const whole = JSON.stringify(request.messages)
    if (isAfterSummary) {
      const queued = new Set(fixture.waiting)
      for (const text of [...fixture.sentences, ...fixture.facts])
        if (!whole.includes(text) && !queued.has(text)) report.missing.push(text)
      if (this.#afterSummary !== undefined && (before?.tokens ?? 0) - this.#afterSummary < this.#leastNew * 0.9)
        report.tooSoon++
      this.#afterSummary = tokens
    }
    for (const text of fixture.waiting.splice(0)) if (whole.includes(text)) fixture.sentences.push(text)
    this.#before = { blocks, tokens }
    this.#trim = undefined
  }
}

const blocksOf = ({ system, tools, messages }: ModelRequest): string[] =>
  [system, tools, ...messages].map(block => JSON.stringify(block))

/** Each result comes after the answer that has its call, and each call has one. */
function isPaired(messages: readonly ModelMessage[]): boolean {
  let open = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId)) return false
      continue
    }
    if (open.size > 0) return false
    if (message.role === 'assistant')
      open = new Set(message.parts.flatMap(part => (part.kind === 'tool-call' ? [part.id] : [])))
  }
  return open.size === 0
}

/** Four characters to a token, which is a good estimate of a service’s own count. */
function serviceTokens({ system = '', messages, tools }: ModelRequest): number {
  const texts = messages.flatMap(({ parts }) =>
    parts.map(part => (part.kind === 'text' ? part.text : JSON.stringify(part))),
  )
  const chars = [system, JSON.stringify(tools ?? ''), ...texts].reduce((sum, text) => sum + text.length, 0)
  return Math.ceil(chars / 4) + 4 * messages.length
}

function lastText({ messages }: ModelRequest): string {
  const part = messages.at(-1)?.parts.at(-1)
  return part?.kind === 'text' ? part.text : ''
}

const attachment = (source: 'environment' | 'instructions', name: string, text: string): PromptPart => ({
  ...{ kind: 'attachment', id: name, source, name, text, sizeChars: text.length },
  uri: `file:///w/${name}`,
})
