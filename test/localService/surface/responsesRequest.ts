// Reads a responses request.
import { Failure, invalidRequest } from '../failure.ts'
import type { JsonObject } from '../json.ts'
import { given, type Message, type ModelRequest, messageOf, type Part, textParts } from '../modelRequest.ts'
import { type InputItem, type ResponsesRequest, responsesRequest } from '../schema/responses.ts'
import { judgeRequest } from './judgeRequest.ts'
import { problemOfItems } from './responsesHistory.ts'

/** The request, or what is wrong with it. */
export function readResponsesRequest(json: unknown): ModelRequest | Failure {
  const judged = judgeRequest(responsesRequest, json)
  if ('misfit' in judged) return invalidRequest(judged.misfit.sentence, judged.misfit.where)
  const asked = judged.value
  const items = typeof asked.input === 'string' ? [] : asked.input
  return problemOfFields(asked) ?? problemOfItems(items) ?? requestOf(asked, json as JsonObject)
}

function requestOf(asked: ResponsesRequest, json: JsonObject): ModelRequest {
  const { instructions, input, tool_choice: choice } = asked
  return {
    model: asked.model,
    messages: [
      ...(instructions ? [messageOf('system', textParts(instructions))] : []),
      ...(typeof input === 'string' ? [messageOf('user', textParts(input))] : messagesOf(input)),
    ],
    tools: (asked.tools ?? []).map(({ name, description, parameters, strict }) => ({
      name,
      description: description ?? undefined,
      parameters: parameters ?? undefined,
      strict: strict ?? undefined,
    })),
    toolChoice: typeof choice === 'object' && choice ? { name: choice.name } : (choice ?? 'auto'),
    maxTokens: asked.max_output_tokens ?? undefined,
    stops: [],
    isStream: asked.stream === true,
    wantsUsage: true,
    extras: given({
      temperature: asked.temperature,
      top_p: asked.top_p,
      parallel_tool_calls: asked.parallel_tool_calls,
      reasoning_effort: asked.reasoning?.effort,
      response_format: responseFormat(asked.text?.format ?? undefined),
    }),
    json,
  }
}

/** Flat here, nested in chat completions. */
function responseFormat(format: JsonObject | undefined): JsonObject | undefined {
  if (!format || format['type'] === 'text') return undefined
  const { type, ...rest } = format
  return type === 'json_schema' ? { type, json_schema: rest } : { type }
}

/** Items become messages: calls join the assistant message before them, and each answer follows its call. */
function messagesOf(items: readonly InputItem[]): Message[] {
  const answers = new Map(items.flatMap(item => (item.type === 'function_call_output' ? [[item.call_id, item]] : [])))
  const messages: Message[] = []
  for (const [at, item] of items.entries()) {
    if (item.type === 'function_call') {
      const call = { id: item.call_id, name: item.name, arguments: item.arguments }
      const last = messages.at(-1)
      if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, calls: [...last.calls, call] }
      else messages.push(messageOf('assistant', [], { calls: [call] }))
      if (items[at + 1]?.type !== 'function_call') messages.push(...answersTo(messages.at(-1), answers))
    } else if (item.type === undefined || item.type === 'message') messages.push(messageOf(item.role, partsOf(item)))
  }
  return messages
}

type Output = Extract<InputItem, { type: 'function_call_output' }>

const answersTo = (message: Message | undefined, answers: ReadonlyMap<string, Output>): Message[] =>
  (message?.calls ?? []).flatMap(({ id }) => {
    const answer = answers.get(id)
    return answer ? [messageOf('tool', contentParts(answer.output), { callId: id })] : []
  })

const partsOf = ({ content }: Extract<InputItem, { role: string }>): Part[] => contentParts(content)

type Content = Extract<InputItem, { role: string }>['content'] | Output['output']

function contentParts(content: Content): Part[] {
  if (typeof content === 'string') return textParts(content)
  return content.map((part): Part => {
    if (part.type === 'input_image') return { kind: 'image', url: part.image_url }
    return { kind: 'text', text: part.type === 'refusal' ? part.refusal : part.text }
  })
}

function problemOfFields(asked: ResponsesRequest): Failure | undefined {
  const { previous_response_id: previous, background, tools, tool_choice: choice } = asked
  if (previous) {
    const message = `Previous response with id '${previous}' not found.`
    return new Failure(400, 'previous_response_not_found', message, { param: 'previous_response_id' })
  }
  if (background) return invalidRequest("'background' is not supported: nothing is stored.", 'background')
  const name = typeof choice === 'object' ? choice?.name : undefined
  const isForced = name !== undefined || choice === 'required'
  if (!isForced) return undefined
  if (name === undefined ? (tools ?? []).length > 0 : tools?.some(tool => tool.name === name)) return undefined
  const words = name === undefined ? "needs 'tools'" : `names the tool '${name}', which 'tools' does not have`
  return invalidRequest(`'tool_choice' ${words}.`, 'tool_choice')
}
