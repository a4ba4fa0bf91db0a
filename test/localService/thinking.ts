// Thinking before the answer, where the dialect has a model that does, and the members that switch it off.
import type { Dialect } from './dialect.ts'
import { type Failure, invalidRequest } from './failure.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Reply } from './replies.ts'

/** More than a completion may have tokens. */
const THOUGHTS = 'The user is in the middle of a line. Let me think about what could come next, step by step. '.repeat(
  40,
)

type Way = 'effort' | 'type' | 'template'

/** The member by which a request switches thinking off, and the way that it does so. */
function switchIn(json: JsonObject): { readonly member: string; readonly way: Way } | undefined {
  const memberOf = (name: string): JsonObject => {
    const value = json[name]
    return isObject(value) ? value : {}
  }
  if (json['reasoning_effort'] === 'none') return { member: 'reasoning_effort', way: 'effort' }
  if (memberOf('reasoning')['effort'] === 'none') return { member: 'reasoning', way: 'effort' }
  if (memberOf('thinking')['type'] === 'disabled') return { member: 'thinking', way: 'type' }
  if (memberOf('chat_template_kwargs')['enable_thinking'] === false)
    return { member: 'chat_template_kwargs', way: 'template' }
  return undefined
}

export function refusalOfSwitch(json: JsonObject, { thinking, unknownMembers }: Dialect): Failure | undefined {
  const given = switchIn(json)
  if (unknownMembers === 'ignored' || !given || thinking === `unless-${given.way}`) return undefined
  return invalidRequest(`Unknown parameter: '${given.member}'.`, given.member)
}

export function withThoughts(reply: Reply, json: JsonObject, { thinking }: Dialect): Reply {
  if (thinking === 'never' || reply.reasoning !== undefined) return reply
  return thinking === `unless-${switchIn(json)?.way}` ? reply : { ...reply, reasoning: THOUGHTS }
}
