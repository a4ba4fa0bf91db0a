// Refusals of the API, as each surface writes them.
import * as z from 'zod'

/** Below `/v1`, in the form of the gateway that real services use. */
export const gatewayErrorResponse = z.looseObject({
  /** The word for a refusal by policy. */
  type: z.string().optional(),
  status_code: z.int(),
  is_bifrost_error: z.boolean(),
  error: z.looseObject({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
})

export const messagesErrorResponse = z.looseObject({
  type: z.literal('error'),
  error: z.looseObject({ type: z.string(), message: z.string() }),
  request_id: z.string(),
})
