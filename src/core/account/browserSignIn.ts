// Signing in with the browser: authorization code with PKCE over a loopback redirect (RFC 8252, RFC 7636).
import { linkedAbort, raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { AuthorizationAnswer, AuthorizationQuery } from '../../protocol/wire/authorization.ts'
import type { CodeGrantForm } from '../../protocol/wire/token.ts'
import { ProblemError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import { type Client, findClient } from './clientId.ts'
import type { Answer } from './deviceFlowTable.ts'
import type { BrowserMethod, Service } from './discovery.ts'
import { newPkce, newState, type Pkce } from './pkce.ts'
import type { RedirectListener } from './redirectListener.ts'
import { type SignInEnd, SignInError } from './signInError.ts'
import { askToken, mayHideKey } from './token.ts'

export interface BrowserSignInOptions {
  readonly http: Http
  readonly service: Service
  /** From the settings; empty where the service has to give one out. */
  readonly clientId: string
  readonly clock: Clock
  readonly log: Log
  /** Begins to listen for the redirect, on a port that the system chooses. */
  readonly listen: () => Promise<RedirectListener>
  /** Opens the system's browser, never a page of our own (RFC 8252 8.12). */
  readonly open: (url: string) => Promise<void>
  /** The browser has answered; what is left takes a moment. */
  readonly onAnswered: () => void
  /** Told of the one exchange: whoever ends this process waits for its answer, which may carry the key. */
  readonly onAsked?: (answer: Promise<unknown>) => void
  /** Has a key revoked that came after all and that nobody waits for: it must not stay valid unowned. */
  readonly giveBack: (key: string) => void
  /** The sign-in had ended when the answer that may have carried the key was lost: nobody can give that key back. */
  readonly onLost?: () => void
}

/** A page that is not answered for so long was closed or forgotten. */
const BROWSER_LIFE_MS = 5 * 60_000

/** Resolves with the key. Throws a fault, a `SignInError`, or the signal's reason. */
export async function signInWithBrowser(options: BrowserSignInOptions, signal: AbortSignal): Promise<string> {
  const { http, service, clientId, clock, log } = options
  if (!service.browser) throw new SignInError('not offered')
  const listener = await options.listen()
  try {
    const { redirectUri } = listener
    const client = await findClient(http, service, clientId, redirectUri, clock, signal)
    // Everything of one attempt stays together and is used for no other (RFC 9700 4.4).
    const attempt: Attempt = { way: service.browser, client, redirectUri, pkce: await newPkce(), state: newState() }
    const { pkce, state } = attempt
    for (const secret of [pkce.verifier, state, client.secret ?? '']) log.redactor.register(secret)
    const answered = answerInTime(listener, state, clock, signal)
    // Heard from here on, also where opening the browser fails.
    answered.catch(() => {})
    await raceAbort(options.open(authorizationUrl(attempt)), signal)
    const code = codeOf(await answered, attempt, service)
    log.redactor.register(code)
    options.onAnswered()
    return await exchange(options, attempt, code, signal)
  } finally {
    listener.dispose()
  }
}

interface Attempt {
  readonly way: BrowserMethod
  readonly client: Client
  readonly redirectUri: string
  readonly pkce: Pkce
  readonly state: string
}

function authorizationUrl({ way, client, redirectUri, pkce, state }: Attempt): string {
  const query: AuthorizationQuery = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    state,
  }
  const url = new URL(way.authorizationEndpoint)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

async function answerInTime(
  listener: RedirectListener,
  state: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<AuthorizationAnswer> {
  const life = linkedAbort(signal)
  const callOff = clock.later(BROWSER_LIFE_MS, () => life.stop(new SignInError('unanswered')))
  try {
    return await listener.answer(state, life.signal)
  } finally {
    callOff()
    life.unlink()
  }
}

/** Its state has been compared already. */
function codeOf(answer: AuthorizationAnswer, { way }: Attempt, service: Service): string {
  const { code, iss, error, error_description: text } = answer
  // RFC 9207 2.4: by plain string but for one slash, whether it was announced or comes anyway.
  const issuers = [way.issuer, service.issuer].map(withoutSlash)
  if (iss === undefined ? way.namesIssuer : !issuers.includes(withoutSlash(iss))) throw new SignInError('mixed up')
  const problem = { ...(error && { code: error }), ...(text && { text }) }
  if (error !== undefined) throw new SignInError(endOf(error), problem)
  if (!code || !/^[\x20-\x7e]{1,4096}$/.test(code)) throw new SignInError('refused')
  return code
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '')
}

/** RFC 6749 4.1.2.1. */
function endOf(error: string): SignInEnd {
  switch (error) {
    case 'access_denied':
      return 'denied'
    case 'server_error':
    case 'temporarily_unavailable':
      return 'trouble'
    default:
      return 'refused'
  }
}

/** A second use of a code may end the key it gave (RFC 6749 4.1.2), so it is sent once and heard to its end. */
async function exchange(
  options: BrowserSignInOptions,
  { client, redirectUri, pkce }: Attempt,
  code: string,
  signal: AbortSignal,
): Promise<string> {
  const { http, service, clock } = options
  const form: CodeGrantForm = {
    grant_type: 'authorization_code',
    code,
    client_id: client.id,
    ...(client.secret && { client_secret: client.secret }),
    redirect_uri: redirectUri,
    code_verifier: pkce.verifier,
  }
  const asked = askToken(http, service, form, clock)
  options.onAsked?.(asked)
  try {
    return keyOf(await raceAbort(asked, signal), options)
  } catch (fault) {
    if (signal.aborted) asked.then(late => hearLate(late, options)).catch(() => {})
    throw fault
  }
}

function hearLate(late: Answer, options: BrowserSignInOptions): void {
  if ('key' in late && late.key) giveBack(options, late.key)
  else if (mayHideKey(late)) options.onLost?.()
}

function keyOf(answer: Answer, options: BrowserSignInOptions): string {
  switch (answer.is) {
    case 'granted':
      return answer.key
    case 'denied':
      throw new SignInError('denied', answer.problem)
    case 'refused':
      if (answer.key) giveBack(options, answer.key)
      throw answer.fault ?? new SignInError('refused', answer.problem)
    case 'unclear':
      throw mayHideKey(answer) ? new SignInError('lost') : tooOften(answer.fault)
    // The code was not good any more, or not good for us.
    case 'lost':
    case 'expired':
      throw new SignInError('run out')
    // Words of a claim, which have no meaning here.
    case 'pending':
    case 'slow down':
    case 'claimed':
    case 'over':
    case 'code':
    case 'no code':
      throw new SignInError('refused')
  }
}

/** A limit of the sign-in server is none of the plan. */
function tooOften(fault: unknown): unknown {
  const isLimit = fault instanceof ProblemError && (fault.status === 429 || fault.problem.code === 'rate_limited')
  return isLimit ? new SignInError('too often', fault.problem, fault.retryAfterMs) : fault
}

function giveBack({ log, giveBack }: BrowserSignInOptions, key: string): void {
  log.redactor.register(key)
  giveBack(key)
}
