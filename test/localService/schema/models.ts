// The model list.
import * as z from 'zod'

const model = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  /** The most tokens that a request and its answer may have together. */
  context_length: z.int(),
  /** The most that a request may bring. */
  max_input_tokens: z.int(),
})

export const modelList = z.looseObject({ object: z.literal('list'), data: z.array(model) })
