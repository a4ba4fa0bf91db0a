// `ScenarioModel`: a scenario without a service: the requests of the core are answered as the local service would.
import type { FinishReason, ModelClient, ModelEvent, ModelRequest } from '../../../../src/core/model/modelClient.ts'
import {
  type Message,
  messageOf,
  type ModelRequest as ServiceRequest,
  textParts,
} from '../../../localService/modelRequest.ts'
import type { ToolCall } from '../../../localService/replies.ts'
import { type Scenario, scenarioReply } from '../../../localService/scenario.ts'

export class ScenarioModel implements ModelClient {
  readonly #scenarios: readonly Scenario[]
  #calls = 0

  constructor(scenarios: readonly Scenario[]) {
    this.#scenarios = scenarios
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    const { text, toolCalls = [], finishReason } = scenarioReply(this.#scenarios, asked(request)) ?? ended
    if (text !== undefined) yield { kind: 'text-delta', text }
    const calls = toolCalls.map(call => ({ ...call, id: `call-${++this.#calls}` }))
    for (const { id, name } of calls) yield { kind: 'tool-input-start', id, name }
    const why = whyOf(finishReason, calls.length)
    if (why !== 'length')
      for (const { id, name, ...call } of calls) yield { kind: 'tool-call', id, name, input: inputOf(call) }
    yield { kind: 'finish', why, usage: { input: JSON.stringify(request.messages).length >> 2, output: 10 } }
  }
}

const ended = { text: 'No answer is left.', toolCalls: [], finishReason: undefined }

function whyOf(finishReason: string | null | undefined, calls: number): FinishReason {
  if (finishReason === 'length') return 'length'
  return calls > 0 ? 'tools' : 'done'
}

/** A text that is no JSON object stays a text. */
function inputOf({ arguments: written }: Pick<ToolCall, 'arguments'>): unknown {
  if (typeof written !== 'string') return written
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

function asked(request: ModelRequest): ServiceRequest {
  const { model, messages, tools = [] } = request
  return {
    ...{ model, toolChoice: 'auto', maxTokens: undefined, stops: [], isStream: true, wantsUsage: true, extras: {} },
    messages: messages.map(messageAsked),
    tools: tools.map(({ name, description }) => ({ name, description, parameters: undefined, strict: undefined })),
    json: { messages: [...messages] },
  }
}

function messageAsked({ role, parts }: ModelRequest['messages'][number]): Message {
  return messageOf(
    role,
    parts.flatMap(part => (part.kind === 'text' ? textParts(part.text) : [])),
  )
}
