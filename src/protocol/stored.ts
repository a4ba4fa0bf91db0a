// Records we keep: the account secret, and what windows tell each other; each with its version.
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
  /** Names this sign-in among windows. Made at random: it says nothing about the key. */
  id: z.optional(z.string()),
})

/**
 * The one file by which windows tell each other who signed in and out, for editors whose secret storage does not: no
 * key, no email. `resource` is the API origin, `at` the wall-clock time of the last change in milliseconds.
 */
export const storedSignIns = z.object({
  version: z.literal(1),
  signIns: z.array(
    z.object({ id: z.string(), resource: z.string(), is: z.enum(['in', 'refused', 'out']), at: z.number() }),
  ),
})

/**
 * That a sign-in is under way, for a window that comes after its own. `process`: the extension host in which it is.
 * `attempt`: the id of the key that it would bring. `replaces`: that of the key in whose place it would come, which the
 * service has refused. `isRemembered`: its email lies in the secret storage. `at`: the wall-clock time of its beginning
 * in milliseconds.
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

/** The open conversation, for the window that comes after this one. */
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
export type AttemptNote = z.infer<typeof storedAttempt>
export type SignInNote = z.infer<typeof storedSignIns>['signIns'][number]
