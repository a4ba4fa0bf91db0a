// Judges a chat completion request as strictly as the real ones do.
import { isObject, isString, isStrings, isWhole, type JsonObject } from './json.ts'

export interface Message {
  readonly role: string
  readonly text: string
}

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly isStream: boolean
  readonly wantsUsage: boolean
  readonly stops: readonly string[]
  readonly maxTokens: number | undefined
  /** As it came, to be passed on. */
  readonly json: JsonObject
}

/** The request, or one sentence on what is wrong with it. */
export function readChatRequest(json: unknown): ChatRequest | string {
  if (!isObject(json)) return 'The body must be a JSON object.'
  if (!isString(json['model']) || json['model'] === '') return "'model' must be a text that is not empty."
  const problem = problemOfFields(json) ?? problemOfMessages(json['messages']) ?? problemOfTools(json['tools'])
  if (problem !== undefined) return problem
  const maxTokens = json['max_completion_tokens'] ?? json['max_tokens']
  const options = json['stream_options']
  return {
    model: json['model'],
    messages: messagesOf(json).map(message => ({ role: String(message['role']), text: textOf(message['content']) })),
    isStream: json['stream'] === true,
    wantsUsage: isObject(options) && options['include_usage'] === true,
    stops: stopsOf(json['stop']),
    maxTokens: typeof maxTokens === 'number' ? maxTokens : undefined,
    json,
  }
}

export function textOf(content: unknown): string {
  if (isString(content)) return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (isObject(part) && isString(part['text']) ? part['text'] : '')).join('')
}

const messagesOf = (json: JsonObject): JsonObject[] =>
  Array.isArray(json['messages']) ? json['messages'].filter(isObject) : []

function stopsOf(stop: unknown): string[] {
  if (isString(stop)) return [stop]
  return isStrings(stop) ? stop : []
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

function problemOfFields(json: JsonObject): string | undefined {
  const { stream, stream_options: streamOptions, stop, n, temperature } = json
  if (!isAbsent(stream) && typeof stream !== 'boolean') return "'stream' must be true or false."
  if (!isAbsent(streamOptions)) {
    if (!isObject(streamOptions)) return "'stream_options' must be an object."
    if (stream !== true) return "'stream_options' is only allowed when 'stream' is true."
  }
  if (!isAbsent(stop) && (stopsOf(stop).length === 0 || stopsOf(stop).length > 4 || stopsOf(stop).includes('')))
    return "'stop' must be a text or a list of one to four texts."
  for (const name of ['max_tokens', 'max_completion_tokens'])
    if (!isAbsent(json[name]) && !isWhole(json[name], 1)) return `'${name}' must be a whole number of 1 or more.`
  if (!isAbsent(n) && n !== 1) return "'n' must be 1."
  const isWarm = typeof temperature === 'number' && temperature >= 0 && temperature <= 2
  return isAbsent(temperature) || isWarm ? undefined : "'temperature' must be a number from 0 to 2."
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool']

function problemOfMessages(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must be a list that is not empty."
  // The calls of the last assistant message that no tool message has answered yet.
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const where = `'messages[${index}]'`
    if (!isObject(message)) return `${where} must be an object.`
    const role = message['role']
    if (!isString(role) || !roles.includes(role)) return `${where} must have a 'role' of ${roles.join(', ')}.`
    if (role === 'tool') {
      const id = message['tool_call_id']
      if (!isString(id) || !open.delete(id))
        return `${where} must answer, by 'tool_call_id', a call of the assistant message before it.`
    } else if (open.size > 0) return `${where} stands before the answer to the tool call '${[...open][0]}'.`
    const calls = message['tool_calls']
    if (!isAbsent(calls)) {
      const ids = role === 'assistant' ? idsOfCalls(calls) : undefined
      if (!ids) return `${where} has a 'tool_calls' that is not well formed.`
      open = new Set(ids)
    }
    const mayBeEmpty = role === 'assistant' && open.size > 0
    if (!isContent(message['content']) && !(mayBeEmpty && isAbsent(message['content'])))
      return `${where} must have a 'content' that is a text or a list of parts.`
  }
  return open.size > 0 ? `The tool call '${[...open][0]}' has no answer.` : undefined
}

function idsOfCalls(calls: unknown): string[] | undefined {
  if (!Array.isArray(calls) || calls.length === 0) return undefined
  const ids = calls.map(call => (isCall(call) ? String(call['id']) : ''))
  return ids.includes('') || new Set(ids).size < ids.length ? undefined : ids
}

function isCall(call: unknown): call is JsonObject {
  if (!isObject(call) || !isString(call['id']) || call['type'] !== 'function') return false
  const called = call['function']
  return isObject(called) && isToolName(called['name']) && isString(called['arguments'])
}

const isContent = (content: unknown): boolean =>
  isString(content) || (Array.isArray(content) && content.length > 0 && content.every(isPart))

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false
  if (part['type'] === 'text') return isString(part['text'])
  const image = part['image_url']
  return part['type'] === 'image_url' && isObject(image) && isString(image['url'])
}

const isToolName = (name: unknown): boolean => isString(name) && /^[a-zA-Z0-9_-]{1,64}$/.test(name)

function problemOfTools(tools: unknown): string | undefined {
  if (isAbsent(tools)) return undefined
  if (!Array.isArray(tools) || tools.length === 0) return "'tools' must be a list that is not empty."
  const wrong = tools.findIndex(tool => !isTool(tool))
  return wrong < 0 ? undefined : `'tools[${wrong}]' must be a function with a name and an object of parameters.`
}

function isTool(tool: unknown): boolean {
  if (!isObject(tool) || tool['type'] !== 'function' || !isObject(tool['function'])) return false
  const { name, parameters } = tool['function']
  return isToolName(name) && (isAbsent(parameters) || isObject(parameters))
}
