// A response as a whole: what it echoes of the request, its state and its usage.
import type { Failure } from '../failure.ts'
import { isObject, isStrings, type JsonObject } from '../json.ts'
import type { Usage } from '../modelEvent.ts'
import type { ModelRequest } from '../modelRequest.ts'
import type { Head } from './surface.ts'

export interface ResponseState {
  readonly output: readonly JsonObject[]
  readonly usage?: Usage
  /** A `finish_reason` of chat completions; undefined while it goes on. */
  readonly reason?: string
  readonly failure?: Failure
}

export function responseObject({ id, created, model }: Head, { json }: ModelRequest, state: ResponseState): JsonObject {
  const { output, usage, reason, failure } = state
  const why = reason === undefined ? undefined : incompleteReasons[reason]
  return {
    id,
    object: 'response',
    created_at: created,
    status: statusOf(state),
    background: false,
    error: failure ? { code: failure.code, message: failure.message } : null,
    incomplete_details: why === undefined ? null : { reason: why },
    instructions: json['instructions'] ?? null,
    max_output_tokens: json['max_output_tokens'] ?? null,
    metadata: json['metadata'] ?? {},
    model,
    output,
    parallel_tool_calls: json['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...(isObject(json['reasoning']) ? json['reasoning'] : {}) },
    // Whatever was asked for: there is nowhere to look it up later.
    store: false,
    temperature: json['temperature'] ?? 1,
    text: json['text'] ?? { format: { type: 'text' } },
    tool_choice: json['tool_choice'] ?? 'auto',
    tools: json['tools'] ?? [],
    top_p: json['top_p'] ?? 1,
    truncation: 'disabled',
    usage: usage ? responsesUsage(usage) : null,
  }
}

/** Whether reasoning is to come with what is needed to send it back. */
export const wantsSealed = ({ json }: ModelRequest): boolean =>
  isStrings(json['include']) && json['include'].includes('reasoning.encrypted_content')

export const isIncomplete = (reason: string): boolean => reason in incompleteReasons

const incompleteReasons: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
}

function statusOf({ reason, failure }: ResponseState): string {
  if (failure) return 'failed'
  if (reason === undefined) return 'in_progress'
  return isIncomplete(reason) ? 'incomplete' : 'completed'
}

const responsesUsage = ({ prompt_tokens, completion_tokens, total_tokens, ...more }: Usage): JsonObject => ({
  input_tokens: prompt_tokens,
  input_tokens_details: { cached_tokens: more.cached_tokens ?? 0 },
  output_tokens: completion_tokens,
  output_tokens_details: { reasoning_tokens: more.reasoning_tokens ?? 0 },
  total_tokens,
})
