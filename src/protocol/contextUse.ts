// What the meter shows: how much of the model's window the next request takes, by parts.
import * as z from 'zod/mini'
import type { Immutable } from '../base/immutable.ts'

const count = z.int().check(z.minimum(0))

/**
 * `attached`: earlier in the conversation, by name; `surroundings`: what went along of the workspace by itself; `queued`:
 * messages that are sent next; `chip`: attached now, with the id of its chip; `text`: the unsent text.
 */
const usePart = z.object({
  kind: z.enum(['system', 'tools', 'summary', 'conversation', 'surroundings', 'attached', 'queued', 'chip', 'text']),
  label: z.optional(z.string()),
  chip: z.optional(z.string()),
  tokens: count,
})

/** One sentence about what cannot be sent or was not carried out, and what helps. */
const trouble = z.object({
  text: z.string(),
  /** The attachments to remove. */
  drops: z.array(z.object({ chip: z.string(), label: z.string() })),
  helps: z.array(z.enum(['compact', 'new-chat'])),
})

export const contextUse = z.object({
  tokens: count,
  /** The most that the model reads. */
  limit: count,
  /** The largest first. */
  parts: z.array(usePart),
  mayCompact: z.boolean(),
  /** A summary is being written. */
  isCompacting: z.boolean(),
  trouble: z.optional(trouble),
})

export type UsePart = Immutable<z.infer<typeof usePart>>
export type UseTrouble = Immutable<z.infer<typeof trouble>>
export type PageContextUse = Immutable<z.infer<typeof contextUse>>
