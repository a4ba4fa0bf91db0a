// Records we keep: the account secret; each with its version.
import * as z from 'zod/mini'

/**
 * The one record in the editor's secret storage. The key belongs to `issuer` (who gave it) and `resource` (the API
 * origin it may be sent to); it is never sent anywhere else.
 */
export const storedCredential = z.object({
  version: z.literal(1),
  key: z.string().check(z.regex(/^[\x21-\x7e]{1,4096}$/)),
  resource: z.url(),
  issuer: z.optional(z.url()),
  revocationEndpoint: z.optional(z.url()),
  service: z.string(),
  email: z.optional(z.string()),
  /** How it came: agent registration, the browser, pasted, or found in the environment. */
  origin: z.enum(['registration', 'browser', 'pasted', 'environment']),
})

export type Credential = z.infer<typeof storedCredential>
