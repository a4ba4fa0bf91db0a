// `ModelClient` over the chat completions surface.
import type { Clock } from '../../base/clock.ts'
import {
  type ChatCompletionsBody,
  type ChatCompletionsChunk,
  type ChatCompletionsMessage,
  chatCompletionsChunk,
} from '../../protocol/inference/chatCompletions.ts'
import { readProblem } from '../../protocol/problem.ts'
import { isHtml, parseJson, readText, refuseUnlessOk } from '../http/body.ts'
import { ContractError, ProblemError, TooLargeError, TransportError } from '../http/errors.ts'
import { readEvents } from '../http/events.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import type { FinishReason, ModelClient, ModelEvent, ModelMessage, ModelRequest, Usage } from './modelClient.ts'
import { repairHistory } from './repair.ts'
import { ToolCalls } from './toolCalls.ts'

const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024
const END = '[DONE]'
/** After the answer's own end only its usage is waited for, and not for long: an open request holds a slot. */
const AFTER_END_MS = 2_000

/** `POST {base}/v1/chat/completions` (service description, Inference). */
export class ChatCompletionsClient implements ModelClient {
  readonly #http: Http
  readonly #baseUrl: () => string
  readonly #clock: Clock

  constructor(http: Http, baseUrl: () => string, clock: Clock) {
    this.#http = http
    this.#baseUrl = baseUrl
    this.#clock = clock
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const answer = await this.#http({
      method: 'POST',
      url: `${this.#baseUrl()}/v1/chat/completions`,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        // A compressing proxy holds small frames back.
        'accept-encoding': 'identity',
      },
      body: JSON.stringify(bodyOf(request)),
      signal,
    })
    try {
      await refuseUnlessOk(answer, this.#clock)
      yield* new Reading(answer.host, this.#clock, request.lane === 'completion').events(chunksOf(answer))
    } finally {
      // After the end signal some servers keep the connection open; it would hold a slot of the plan.
      answer.close()
    }
  }
}

function bodyOf(request: ModelRequest): ChatCompletionsBody {
  const { model, system, messages, tools, maxTokens, temperature, stop } = request
  return {
    model,
    messages: [
      ...(system ? [{ role: 'system', content: system } as const] : []),
      ...repairHistory(messages).map(messageOf),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stop?.length && { stop }),
    ...(tools?.length && { tools: tools.map(tool => ({ type: 'function', function: tool }) as const) }),
  }
}

function messageOf(message: ModelMessage): ChatCompletionsMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text }
    case 'tool':
      return { role: 'tool', tool_call_id: message.call, content: message.text }
    case 'assistant':
      if (!message.calls?.length) return { role: 'assistant', content: message.text }
      return {
        role: 'assistant',
        content: message.text,
        tool_calls: message.calls.map(({ call, name, input }) => ({
          id: call,
          type: 'function',
          function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
        })),
      }
  }
}

/** The data of a stream, or of the one answer that came in its place. */
async function* chunksOf(answer: HttpAnswer): AsyncIterable<string> {
  if (isHtml(answer)) throw new ContractError(answer.host, 'html', 'stream')
  if (/^\s*application\/json/i.test(answer.headers['content-type'] ?? ''))
    yield await readText(answer, ANSWER_LIMIT_BYTES)
  else yield* readEvents(answer)
}

/** One answer as it comes: what was said, and how it ended. */
class Reading {
  readonly #host: string
  readonly #clock: Clock
  /** A completion may have nothing to add; a question wants an answer. */
  readonly #mayBeEmpty: boolean
  readonly #calls = new ToolCalls()
  #finish: string | undefined
  #usage: Usage | undefined
  /** The usage came with the end or after it, so no later one will replace it. */
  #isUsageFinal = false
  #hasText = false
  #hasDelta = false
  #size = 0

  constructor(host: string, clock: Clock, mayBeEmpty: boolean) {
    this.#host = host
    this.#clock = clock
    this.#mayBeEmpty = mayBeEmpty
  }

  async *events(chunks: AsyncIterable<string>): AsyncIterable<ModelEvent> {
    let isEnded = false
    let hasAny = false
    const frames = chunks[Symbol.asyncIterator]()
    try {
      for (let data = await frames.next(); !data.done; data = await this.#next(frames)) {
        isEnded = data.value.trim() === END
        if (isEnded) break
        hasAny = true
        yield* this.#take(data.value)
        // Nothing more can come that we use; a server that keeps the connection open would keep our slot.
        if (this.#isUsageFinal) break
      }
    } catch (fault) {
      // All that matters had arrived before the connection broke.
      if (!(fault instanceof TransportError && this.#finish)) throw fault
    }
    if (!isEnded && this.#finish === undefined) {
      if (!hasAny) throw new ContractError(this.#host, 'empty', 'stream')
      throw new TransportError(this.#host, 'during', 'reset')
    }
    yield* this.#end()
  }

  /** The next frame; once the answer has its end, one that comes soon. Whoever called closes the body. */
  async #next(frames: AsyncIterator<string>): Promise<IteratorResult<string>> {
    if (this.#finish === undefined) return frames.next()
    let callOff = () => {}
    const late = new Promise<IteratorResult<string>>(resolve => {
      callOff = this.#clock.later(AFTER_END_MS, () => resolve({ done: true, value: undefined }))
    })
    const next = frames.next()
    // When it is too late for the frame, it is too late for its fault.
    next.catch(() => {})
    return Promise.race([next, late]).finally(callOff)
  }

  *#take(data: string): Iterable<ModelEvent> {
    const chunk = chatCompletionsChunk.safeParse(parseJson(data))
    // A frame that is no JSON is half a frame or a stranger's: the end of the stream tells which.
    if (!chunk.success) return
    this.#refuseFault(chunk.data)
    const { usage, choices } = chunk.data
    if (usage) this.#usage = { input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 }
    for (const choice of choices ?? []) {
      if ((choice.index ?? 0) === 0) yield* this.#bounded(this.#takeChoice(choice))
    }
    this.#isUsageFinal ||= Boolean(usage && this.#finish)
  }

  /** An answer without end would fill the memory of whoever collects it. */
  *#bounded(events: Iterable<ModelEvent>): Iterable<ModelEvent> {
    for (const event of events) {
      if ('text' in event) this.#size += event.text.length
      if (this.#size > ANSWER_LIMIT_BYTES) throw new TooLargeError(this.#host, ANSWER_LIMIT_BYTES)
      yield event
    }
  }

  *#takeChoice({
    delta,
    message,
    finish_reason,
  }: NonNullable<ChatCompletionsChunk['choices']>[number]): Iterable<ModelEvent> {
    this.#hasDelta ||= delta != null
    const said = delta ?? (this.#hasDelta ? undefined : message)
    const reasoning = said?.reasoning_content || said?.reasoning
    if (reasoning) yield { kind: 'reasoning-delta', text: reasoning }
    const text = said?.content || said?.refusal
    if (text) {
      this.#hasText = true
      yield { kind: 'text-delta', text }
    }
    for (const piece of said?.tool_calls ?? []) yield* this.#calls.take(piece)
    if (finish_reason) this.#finish = finish_reason
  }

  *#end(): Iterable<ModelEvent> {
    const why = this.#why()
    // A call in an answer that was cut may be half of one.
    if (why === 'tools') yield* this.#calls.finish()
    yield { kind: 'finish', why, ...(this.#usage && { usage: this.#usage }) }
  }

  #why(): FinishReason {
    if (this.#finish === 'length') return 'length'
    if (this.#finish === 'content_filter') return 'refused'
    if (this.#calls.count > 0 && this.#finish !== undefined) return 'tools'
    const isOver = this.#finish !== undefined && this.#finish !== 'tool_calls'
    if (isOver && (this.#hasText || this.#mayBeEmpty)) return 'done'
    // `[DONE]` without a reason: a gateway may have closed cleanly over a dead server.
    if (this.#hasText || this.#calls.count > 0) return 'cut-off'
    throw new ContractError(this.#host, 'empty', 'stream')
  }

  /** A fault inside a stream has status 200; its own status, where it names one, is the truth. */
  #refuseFault(chunk: ChatCompletionsChunk): void {
    if (chunk.error === undefined || chunk.error === null) return
    const { error, type, status_code } = chunk
    throw new ProblemError(
      this.#host,
      statusOf({ status_code }) ?? statusOf(error) ?? 502,
      readProblem({ error, type }),
    )
  }
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const named = [
    'status_code' in error ? Number(error.status_code) : Number.NaN,
    'code' in error ? Number(error.code) : Number.NaN,
  ]
  return named.find(status => status >= 400 && status < 600)
}
