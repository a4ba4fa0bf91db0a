// What the schemas of the three surfaces share.
import * as z from 'zod'

/** As it is in the dashboard's "Connect your tools". */
export const modelId = z.string().min(1)

const nameRule = 'must be a name of letters, digits, _ and -'

/** Chat completions and responses allow 64 characters, messages 128. */
export const toolName = (most: 64 | 128) =>
  z.string().regex(new RegExp(`^[a-zA-Z0-9_-]{1,${most}}$`), { error: `${nameRule}, ${most} at most` })

/** A number of tokens. */
export const tokenCount = z.int().min(1)

/** An image as the two older surfaces take it: in the request itself, or by its address. */
export const imageUrl = z.string().regex(/^(?:data:|https?:\/\/)/, { error: 'must be a data: or https: address' })
