// `draft`: the unsent text of a conversation with what is attached to it, as it is kept; `hasContent`.
import * as z from 'zod/mini'
import type { Immutable } from '../../base/immutable.ts'
import { keptAttachment } from '../../protocol/draft.ts'

export const draft = z.object({
  text: z.string(),
  at: z.number(),
  attached: z.optional(z.array(keptAttachment)),
  /** Texts that are being changed in their place, of questions by their turn and of summaries by their id. */
  edits: z.optional(z.record(z.string(), z.string())),
  /** What is attached to questions that are being changed, by their turn. */
  attachedToEdits: z.optional(z.record(z.string(), z.array(keptAttachment))),
  /** What goes along by itself and was removed by the user. */
  declined: z.optional(z.array(z.string())),
})
export type Draft = Immutable<z.infer<typeof draft>>

export const hasContent = ({ text, attached = [], edits = {} }: Draft) =>
  text.trim() !== '' || attached.length > 0 || Object.keys(edits).length > 0
