// The records that the extension stores: the credential, the sign-ins, attempts, the last sign-in, and chats of 0.1.0.
import * as z from 'zod/mini'

/**
 * The record with the key in the editor's secret storage. `issuer`: the sign-in server that issued the key. `resource`: the API
 * origin that it may be sent to; it is never sent anywhere else.
 */
export const storedCredential = z.object({
  version: z.literal(1),
  key: z.string().check(z.regex(/^[\x21-\x7e]{1,4096}$/)),
  resource: z.url(),
  issuer: z.optional(z.url()),
  revocationEndpoint: z.optional(z.url()),
  service: z.string(),
  email: z.optional(z.string()),
  /** Where it came from: agent registration, the browser, the user who pasted it, or the environment. */
  origin: z.enum(['registration', 'browser', 'pasted', 'environment']),
  /** Names this sign-in among windows. Random, so that nothing about the key can be read from it. */
  id: z.optional(z.string()),
})

/**
 * The file by which windows learn of each other's sign-ins and sign-outs, for editors whose secret storage reports no
 * changes of other windows. It contains no key and no email. `resource` is the API origin, `at` the wall-clock time of
 * the last change in milliseconds.
 */
export const storedSignIns = z.object({
  version: z.literal(1),
  signIns: z.array(
    z.object({ id: z.string(), resource: z.string(), is: z.enum(['in', 'refused', 'out']), at: z.number() }),
  ),
})

/**
 * A sign-in that is under way, for the window that continues it if its own ends. `process`: the extension host in which
 * it is. `attempt`: the id that its key will have. `replaces`: the id of the refused key that it will replace.
 * `isRemembered`: its email is in the secret storage. `at`: the wall-clock time of its beginning in milliseconds.
 */
export const storedAttempt = z.object({
  version: z.literal(1),
  process: z.number(),
  attempt: z.string(),
  way: z.enum(['code', 'browser']),
  isRemembered: z.boolean(),
  replaces: z.optional(z.string()),
  at: z.number(),
})

/**
 * The last sign-in that the user agreed to, in the secret storage because it contains the email. The record also has
 * `attempt`, the sign-in that has written it.
 */
export const storedLastSignIn = z.object({ email: z.string(), issuer: z.url(), resource: z.url(), service: z.string() })

/** A conversation as version 0.1.0 stored it. */
export const storedChat = z.object({
  version: z.literal(1),
  id: z.string(),
  messages: z.array(
    z.object({
      id: z.string(),
      role: z.enum(['user', 'assistant']),
      text: z.string(),
      state: z.enum(['whole', 'streaming', 'stopped', 'cut-off']),
      earlier: z.optional(z.array(z.string())),
    }),
  ),
})

export type StoredCredential = z.infer<typeof storedCredential>
export type AttemptRecord = z.infer<typeof storedAttempt>
export type LastSignIn = z.infer<typeof storedLastSignIn>
export type SignInRecord = z.infer<typeof storedSignIns>['signIns'][number]
