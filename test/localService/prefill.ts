// A last message of the assistant, where the dialect has a model that goes on from it, or a service that refuses it.
import type { Dialect } from './dialect.ts'
import { type Failure, invalidRequest } from './failure.ts'
import type { ModelRequest } from './modelRequest.ts'
import type { Reply } from './replies.ts'

/** What the caller has begun the answer with. */
function begunIn({ messages }: ModelRequest): string | undefined {
  const last = messages.at(-1)
  return last?.role === 'assistant' && last.calls.length === 0 ? last.text : undefined
}

export function refusalOfPrefill(request: ModelRequest, { prefill }: Dialect): Failure | undefined {
  if (prefill !== 'refused' || begunIn(request) === undefined) return undefined
  return invalidRequest('This model does not support assistant message prefill.', 'messages')
}

/** What the answer would have begun with is in the request already. */
export function withoutPrefill(reply: Reply, request: ModelRequest, { prefill }: Dialect): Reply {
  const begun = prefill === 'continued' ? begunIn(request) : undefined
  return begun !== undefined && reply.text?.startsWith(begun)
    ? { ...reply, text: reply.text.slice(begun.length) }
    : reply
}
