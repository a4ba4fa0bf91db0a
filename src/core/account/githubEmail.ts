// Requests the verified primary email of a GitHub session that exists already.
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { readJson } from '../http/body.ts'
import type { Http } from '../http/http.ts'
import { SIGN_IN_LIMITS } from './signInLimits.ts'

const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** `token` is that of a session that already has the scope `user:email`; it is sent to GitHub and nowhere else. */
export async function githubEmail(
  http: Http,
  token: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await http({
    method: 'GET',
    url: 'https://api.github.com/user/emails',
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` },
    limits: SIGN_IN_LIMITS,
    signal,
  })
  const found = await readJson(answer, emails, clock)
  return found.find(({ primary, verified }) => primary && verified)?.email
}
