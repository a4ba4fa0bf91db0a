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
  /** The browser has answered; the token request follows. */
  readonly onAnswered: () => void
  /** Receives the one token request, because the process must not end before its answer, which may carry the key. */
  readonly onTokenRequest?: (answer: Promise<unknown>) => void
  /** Revokes a key that arrived after the sign-in had ended, because it must not stay valid without an owner. */
  readonly revoke: (key: string) => void
  /** The sign-in had ended when the answer that may have carried the key was lost, so that key cannot be revoked. */
  readonly onKeyLost?: () => void
}

/** A sign-in page without an answer for this long was probably closed or forgotten. */
const BROWSER_TIMEOUT_MS = 5 * 60_000

/** Resolves with the key. Throws a fault, a `SignInError`, or the signal's reason. */
export async function signInWithBrowser(options: BrowserSignInOptions, signal: AbortSignal): Promise<string> {
  const { http, service, clientId, clock, log } = options
  if (!service.browser) throw new SignInError('not offered')
  const listener = await options.listen()
  try {
    const { redirectUri } = listener
    const client = await findClient(http, service, clientId, redirectUri, clock, signal)
    // Everything of one attempt stays together and is used for no other (RFC 9700 4.4).
    const attempt: Attempt = { method: service.browser, client, redirectUri, pkce: await newPkce(), state: newState() }
    const { pkce, state } = attempt
    for (const secret of [pkce.verifier, state, client.secret ?? '']) log.redactor.register(secret)
    const answered = answerWithTimeout(listener, state, clock, signal)
    // Opening the browser may fail before `answered` is awaited.
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
  readonly method: BrowserMethod
  readonly client: Client
  readonly redirectUri: string
  readonly pkce: Pkce
  readonly state: string
}

function authorizationUrl({ method: way, client, redirectUri, pkce, state }: Attempt): string {
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

async function answerWithTimeout(
  listener: RedirectListener,
  state: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<AuthorizationAnswer> {
  const timeout = linkedAbort(signal)
  const cancelTimer = clock.later(BROWSER_TIMEOUT_MS, () => timeout.stop(new SignInError('unanswered')))
  try {
    return await listener.answer(state, timeout.signal)
  } finally {
    cancelTimer()
    timeout.unlink()
  }
}

/** The listener has compared the answer's state already. */
function codeOf(answer: AuthorizationAnswer, { method: way }: Attempt, service: Service): string {
  const { code, iss, error, error_description: text } = answer
  // RFC 9207 2.4: compared as strings except for one trailing slash, and also where the metadata did not announce it.
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

/**
 * Sends the code once and always reads the answer, because a second use of a code may revoke the key that it was
 * exchanged for (RFC 6749 4.1.2).
 */
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
  options.onTokenRequest?.(asked)
  try {
    return keyOf(await raceAbort(asked, signal), options)
  } catch (fault) {
    if (signal.aborted) asked.then(late => handleLateAnswer(late, options)).catch(() => {})
    throw fault
  }
}

function handleLateAnswer(late: Answer, options: BrowserSignInOptions): void {
  if ('key' in late && late.key) revokeUnused(options, late.key)
  else if (mayHideKey(late)) options.onKeyLost?.()
}

function keyOf(answer: Answer, options: BrowserSignInOptions): string {
  switch (answer.is) {
    case 'granted':
      return answer.key
    case 'denied':
      throw new SignInError('denied', answer.problem)
    case 'refused':
      if (answer.key) revokeUnused(options, answer.key)
      throw answer.fault ?? new SignInError('refused', answer.problem)
    case 'unclear':
      throw mayHideKey(answer) ? new SignInError('lost') : limitAsSignInError(answer.fault)
    // The code is not valid any more, or not for this client.
    case 'lost':
    case 'expired':
      throw new SignInError('run out')
    // Answers to a claim, which have no meaning here.
    case 'pending':
    case 'slow down':
    case 'claimed':
    case 'over':
    case 'code':
    case 'no code':
      throw new SignInError('refused')
  }
}

/** A rate limit of the sign-in server is not the limit of the plan, so it gets a sentence of its own. */
function limitAsSignInError(fault: unknown): unknown {
  const isLimit = fault instanceof ProblemError && (fault.status === 429 || fault.problem.code === 'rate_limited')
  return isLimit ? new SignInError('too often', fault.problem, fault.retryAfterMs) : fault
}

function revokeUnused({ log, revoke }: BrowserSignInOptions, key: string): void {
  log.redactor.register(key)
  revoke(key)
}
