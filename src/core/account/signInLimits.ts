// The time limits of each request of a sign-in.
import type { Limits } from '../http/http.ts'

/** The time limits of all requests of a sign-in, and of the revocation. */
export const SIGN_IN_LIMITS: Limits = { firstByteMs: 15_000, silenceMs: 10_000 }
