// `ThinkingOff`: how a request switches thinking off, and the members for that on each surface.
import type { SurfaceId } from './surfaceIds.ts'

export type ThinkingOff = 'effort' | 'type' | 'template'

const type = { thinking: { type: 'disabled' } } as const
const template = { chat_template_kwargs: { enable_thinking: false } } as const

/** On each surface in the order in which they are worth trying. */
export const thinkingOffMembers = {
  'chat-completions': { effort: { reasoning_effort: 'none' }, type, template },
  responses: { effort: { reasoning: { effort: 'none' } }, type, template },
  messages: { type, template, effort: { reasoning_effort: 'none' } },
} as const satisfies Record<SurfaceId, Record<ThinkingOff, object>>

export const waysToStopThinking = (surface: SurfaceId): ThinkingOff[] =>
  Object.keys(thinkingOffMembers[surface]) as ThinkingOff[]
